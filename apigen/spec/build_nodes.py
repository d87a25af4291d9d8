"""Builds located nodes from YAML text: by lines where it is in a form that can be read so, else by the parser of all of YAML."""

from __future__ import annotations

from apigen.diagnostics import Report
from apigen.spec.block_nodes import block_documents
from apigen.spec.collecting import gc_paused
from apigen.spec.nodes import Mapping, Node
from apigen.spec.source import SourceFile


def build_nodes(file: SourceFile, report: Report) -> Node | None:
    """The root of the file's only document (an empty mapping if there is none); None, with diagnostics, if broken."""
    roots = _documents(file, report, most=1)
    if roots is None:
        return None
    return roots[0] if roots else Mapping((), frozenset(), False, file.name, 1, 1)


def build_documents(file: SourceFile, report: Report) -> list[Node] | None:
    """The roots of all documents of a file; None, with diagnostics, if one is broken."""
    return _documents(file, report, most=None)


def _documents(file: SourceFile, report: Report, most: int | None) -> list[Node] | None:
    with gc_paused():
        found = block_documents(file)
        if found is not None and (most is None or len(found) <= most):
            return found
        from apigen.spec.event_nodes import event_documents  # brings the parser of YAML along

        return event_documents(file, report, most)
