"""All sources, in the order of recognition; the module of each is imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apigen.review.sources.source import Source


def _specs() -> Source:
    from apigen.review.sources.specs import Specs

    return Specs()


def _go() -> Source:
    from apigen.review.sources.go import GoPackages

    return GoPackages()


def _proto() -> Source:
    from apigen.review.sources.proto.proto import Proto

    return Proto()


def _crd() -> Source:
    from apigen.review.sources.crd.source import CrdSource

    return CrdSource()


def _json_schema() -> Source:
    from apigen.review.sources.json_schema.source import JsonSchemaSource

    return JsonSchemaSource()


def _openapi() -> Source:
    from apigen.review.sources.openapi.source import OpenApiSource

    return OpenApiSource()


def _git() -> Source:
    from apigen.review.sources.git import Git

    return Git(sources_of_paths)


def _releases() -> Source:
    from apigen.review.sources.releases import Releases

    return Releases()


_OF_PATHS: Mapping[str, Callable[[], Source]] = {
    "specs": _specs,
    "go": _go,
    "proto": _proto,
    "crd": _crd,
    "jsonschema": _json_schema,
    "openapi": _openapi,
}
"""The sources of files and folders, by form."""

_SOURCES: Mapping[str, Callable[[], Source]] = {**_OF_PATHS, "git": _git, "release": _releases}


_TEXT_FILES = (".yaml", ".yml", ".json")
_NO_TEXT_FILES = ("specs", "go", "proto")
"""Forms that a single file of YAML or JSON never has, so that their modules need not be imported."""


def sources_for(path: Path) -> Iterator[Source]:
    """Yield the sources that may recognize an input at a path, existing or not."""
    is_text = path.suffix in _TEXT_FILES and path.is_file()
    return (_made(form) for form in _SOURCES if not (is_text and form in _NO_TEXT_FILES))


def sources() -> Iterator[Source]:
    """All sources."""
    return (_made(form) for form in _SOURCES)


def sources_of_paths() -> Iterator[Source]:
    """Yield the sources of files and folders."""
    return (_made(form) for form in _OF_PATHS)


def source_of_form(form: str) -> Source | None:
    """Return the source of a form, or `None`."""
    return _made(form) if form in _SOURCES else None


def is_of_paths(form: str) -> bool:
    """Return whether a form of input is a file or folder."""
    return form in _OF_PATHS


@cache
def _made(form: str) -> Source:
    return _SOURCES[form]()
