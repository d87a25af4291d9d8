"""Whether any boolean has all of some atoms; formats of any scalar."""

from __future__ import annotations

from apigen.compat.inclusion.schemas.atoms import Clause, HasFormat, OneOf


def is_no_boolean(clause: Clause) -> bool:
    """Whether it is certain that there is none."""
    left = {"true", "false"}
    for atom in clause:
        if isinstance(atom, OneOf):
            left = left & atom.values if atom.holds else left - atom.values
    return not left


def formats_clash(clause: Clause) -> bool:
    """Whether a format is asked for and denied."""
    formats = [atom for atom in clause if isinstance(atom, HasFormat)]
    return any(HasFormat(atom.name, not atom.holds) in formats for atom in formats)
