"""Writes entries into YAML that people edit: what is there stays byte for byte, but for the keys that an importer owns.

It knows no source: an importer says what it wants as plain values, and who owns which key as a `Shape`.
"""

from __future__ import annotations

from apigen.inputs.merging.document import (
    REMOVE,
    Block,
    Entries,
    Lines,
    Note,
    NoteKind,
    Owner,
    Shape,
    UnmergeableError,
    Value,
    render,
)
from apigen.inputs.merging.merge import merge_text
from apigen.inputs.merging.writing import WriteError, write_together

__all__ = [
    "REMOVE",
    "Block",
    "Entries",
    "Lines",
    "Note",
    "NoteKind",
    "Owner",
    "Shape",
    "UnmergeableError",
    "Value",
    "WriteError",
    "merge_text",
    "render",
    "write_together",
]
