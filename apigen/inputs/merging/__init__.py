"""Writes entries into YAML that people edit: what is there stays byte for byte, but for the keys that an importer owns.

It knows no source: an importer says what it wants as plain values, and who owns which key as a `Shape`.
"""

from __future__ import annotations

from apigen.inputs.merging.document import UnmergeableError
from apigen.inputs.merging.merge import merge_text
from apigen.inputs.merging.shapes import Note, NoteKind, Owner, Shape
from apigen.inputs.merging.values import GONE, Block, Entries, Lines, Value
from apigen.inputs.merging.writing import WriteError, write_together
from apigen.inputs.merging.yaml_text import render

__all__ = [
    "GONE",
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
