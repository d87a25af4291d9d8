"""The values that an importer wants to see in YAML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final


class Gone:
    """Placeholder for an entry that must be removed if it exists."""

    def __repr__(self) -> str:
        return "GONE"


GONE: Final = Gone()
"""The entry goes."""

Value = None | bool | int | float | str | Gone | Sequence["Value"] | Mapping[str, "Value"]
Entries = dict[str, Value]


class Block(Entries):
    """A mapping that is written a key a line, however short it is."""


class Lines(list["Value"]):
    """A list that is written an item a line."""


def without_gone(wanted: Mapping[str, Value]) -> Entries:
    """The entries without those that are to go, for what is written again."""
    kept = type(wanted)() if isinstance(wanted, dict) else {}
    for key, value in wanted.items():
        if not isinstance(value, Gone):
            kept[key] = without_gone(value) if isinstance(value, Mapping) else value
    return kept
