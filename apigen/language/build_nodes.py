"""Builds located nodes from YAML text."""

from __future__ import annotations

from apigen.diagnostics import Report
from apigen.language.nodes import Mapping, Node
from apigen.language.source import SourceFile
from apigen.runtime.gc import gc_paused


def build_nodes(file: SourceFile, report: Report) -> Node | None:
    """Return the root of the file's only document, an empty mapping for an empty file; None, with diagnostics, if it
    is broken.
    """
    roots = build_documents(file, report, most=1)
    if roots is None:
        return None
    return roots[0] if roots else Mapping((), frozenset(), False, file.name, 1, 1)


def build_documents(file: SourceFile, report: Report, most: int | None = None) -> list[Node] | None:
    """Return the roots of all documents of a file, at most `most`; None, with diagnostics, if one is broken."""
    from apigen.language.event_nodes import (
        event_documents,  # imports PyYAML, which a run with only cached files does not need
    )

    with gc_paused():
        return event_documents(file, report, most)
