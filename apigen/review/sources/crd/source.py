"""CustomResourceDefinitions as a source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from apigen.diagnostics import Place, Report
from apigen.files.regular_files import read_regular
from apigen.language.nodes import Mapping, Node
from apigen.language.source import MAX_FILE_BYTES
from apigen.review.sources.crd.definition import KIND, Definition, read_definition
from apigen.review.sources.crd.surface_of import FORM, surface_of
from apigen.review.sources.schemas.files import SUFFIXES, documents_of, files_below, files_of
from apigen.review.sources.schemas.words import items_of, text, words_of
from apigen.review.sources.source import Setting, Source
from apigen.review.surface import Surface

_LOOKS_LIKE = re.compile(rb"""kind["']?\s*:\s*["']?CustomResourceDefinition(?:List)?\b""")
_LISTS = ("List", f"{KIND}List")


class CrdSource(Source):
    """CustomResourceDefinitions: a file with one or many, or a folder of such files. What else is in them is left alone."""

    form = FORM
    title = "a file of CustomResourceDefinitions, or a folder of them"

    def recognises(self, said: str, setting: Setting) -> bool:
        """Whether a definition is in the file, or in a file of the folder."""
        path = setting.folder / said
        if path.is_dir():
            return any(map(_has_definition, files_below(path)))
        return _has_definition(path)

    def load(self, said: str, setting: Setting, report: Report) -> Surface | None:
        """Read them. None, with errors in `report`, where they cannot be read; what cannot be judged is in `unread`."""
        before = report.error_count
        documents = documents_of(files_of(said, setting.folder, report), report)
        nodes = [node for _, document in documents for node in _definitions(document)]
        read = (read_definition(node, report) for node in nodes)
        definitions: tuple[Definition, ...] = tuple(each for each in read if each is not None)
        if not nodes and report.error_count == before:
            hint = f"`kind: {KIND}` makes one; say `jsonschema:` or another form before an input that is something else"
            report.error("AG1430", Place(said), f"no {KIND} here", hint=hint)
        surface = surface_of(definitions, said, report)
        return None if report.error_count > before else surface


def _has_definition(path: Path) -> bool:
    try:
        return path.suffix in SUFFIXES and _LOOKS_LIKE.search(read_regular(path, MAX_FILE_BYTES)) is not None
    except OSError:
        return False


def _definitions(document: Node) -> Iterator[Mapping]:
    """The definitions of a document: itself, or those of the list that it is."""
    waiting = [document]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Mapping):
            continue
        words = words_of(node)
        kind = text(words, "kind")
        if kind == KIND:
            yield node
        elif kind in _LISTS:
            waiting.extend(reversed(items_of(words, "items")))
