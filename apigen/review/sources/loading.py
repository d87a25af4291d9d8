"""Load one side of a comparison from any supported input."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.inputs.source import Setting, Source
from apigen.ir.surface import Surface

_ALL = {
    "specs": "apigen.review.sources.specs.Specs",
    "go": "apigen.review.sources.go.GoPackages",
    "proto": "apigen.inputs.proto.proto.Proto",
    "crd": "apigen.inputs.crd.source.CrdSource",
    "jsonschema": "apigen.inputs.json_schema.source.JsonSchemaSource",
    "openapi": "apigen.inputs.openapi.source.OpenApiSource",
    "git": "apigen.review.sources.git.Git",
    "release": "apigen.review.sources.releases.Releases",
}
"""The source of each form, in the order in which they are tried."""

_OF_PATHS = ("specs", "go", "proto", "crd", "jsonschema", "openapi")
"""The forms of files and folders."""


@cache
def _source_of(form: str) -> Source:
    """Return the source of a form. Others are not imported, because some need large libraries."""
    module, _, name = _ALL[form].rpartition(".")
    source: Callable[..., Source] = getattr(import_module(module), name)
    return source(sources_of_paths) if form == "git" else source()


_TEXT_FILES = (".yaml", ".yml", ".json")
_NO_TEXT_FILES = ("specs", "go", "proto")
"""Forms that a single file of YAML or JSON never has, so that their modules need not be imported."""


def sources_of_paths() -> Iterator[Source]:
    """Yield the sources of files and folders."""
    return (_source_of(form) for form in _OF_PATHS)


COMMAND_LINE = "command line"
_FORMS = "pass a folder, a file, a git revision (main, HEAD~3:api-specs) or a recorded release (release:1.12)"


def load(argument: str, setting: Setting, report: Report) -> Surface | None:
    """Return the surface of an input: of its explicit form (`git:main`), else of the first form that recognizes it.

    None, with errors in `report`: AG1400 if no form accepts it or the system cannot read it, and those of its form.
    """
    try:
        source, rest = source_of(argument, setting)
        if source is not None:
            return source.load(rest, setting, report)
        _report_unknown(argument, setting, report)
    except OSError as error:  # a file deleted while it is read, a name that no file can have
        message = f"{quote(argument)} cannot be read: {error.strerror or 'unknown reason'}"
        report.error("AG1400", Place(COMMAND_LINE), message, hint=_FORMS)
    return None


def source_of(argument: str, setting: Setting) -> tuple[Source | None, str]:
    """Return the source of an input, None if no source recognizes it, and the input without a form as prefix."""
    form, colon, rest = argument.partition(":")
    if _is_everything(argument, setting):
        return None, argument
    if colon and form in _ALL:
        return _source_of(form), rest
    path = setting.folder / argument
    is_text = path.suffix in _TEXT_FILES and path.is_file()
    sources = (_source_of(form) for form in _ALL if not (is_text and form in _NO_TEXT_FILES))
    return next((each for each in sources if each.recognises(argument, setting)), None), argument


def _is_everything(argument: str, setting: Setting) -> bool:
    """Return whether it is the root of the file system, which takes too long to search."""
    form, colon, rest = argument.partition(":")
    path = rest if colon and form in _OF_PATHS else argument
    real = Path(os.path.realpath(setting.folder / path))
    return bool(path) and real.parent == real


def content_of(argument: str, setting: Setting) -> tuple[str | bytes, ...] | None:
    """Return all inputs of the surface apart from apigen itself, or `None` if they are unknown before reading."""
    source, rest = source_of(argument, setting)
    content = None if source is None else source.content(rest, setting)
    return None if source is None or content is None else (source.form, *content)


def _report_unknown(argument: str, setting: Setting, report: Report) -> None:
    """Report the forms that were tried, and similar names."""
    place, folder = Place(COMMAND_LINE), setting.folder
    parts = (Path(argument), *Path(argument).parents)
    dangling = (each for each in parts if (folder / each).is_symlink() and not (folder / each).exists())
    if _is_everything(argument, setting):
        report.error(
            "AG1400", place, f"{quote(argument)} is the root of the file system", hint="pass the folder of the API"
        )
    elif argument and (setting.folder / argument).exists():
        # imported on errors only, because it reads YAML
        from apigen.inputs.unrecognized import report_no_form

        report_no_form(argument, setting, sources_of_paths(), place, report)
    elif (link := next(dangling, None)) is not None:
        message = f"{quote(str(link))} is a broken link to {quote(str((folder / link).readlink()))}"
        report.error("AG1400", place, message, hint="fix the link, or pass the file or folder itself")
    else:
        from apigen.diagnostics.suggest import did_you_mean

        message = f"{quote(argument)} is neither a file or folder, nor a git revision, nor a recorded release"
        sources = [_source_of(form) for form in _ALL]
        hints = (source.hint(argument, setting) for source in sources)
        trouble = next((each for source in sources if (each := source.trouble(argument, setting))), None)
        near = did_you_mean(argument, _sibling_names(setting)) if argument else None
        is_file = near is not None and ":" not in argument
        hint = (None if is_file else trouble) or near or next((each for each in hints if each), None) or _FORMS
        report.error("AG1400", place, message, hint=hint)


def _sibling_names(setting: Setting) -> list[str]:
    """The names of files and folders that may have been meant."""
    try:
        return sorted(path.name for path in setting.folder.iterdir())
    except OSError:
        return []
