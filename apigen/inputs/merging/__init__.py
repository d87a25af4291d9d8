"""Write entries into YAML files that people edit: only the keys that an importer owns change, all other bytes stay.

This package does not depend on a source: importers pass their entries as plain values, and the owner of each key as a `Shape`.
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
