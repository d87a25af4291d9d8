"""Values of fields in JSON trees that generated code does not make in place, apart from what writes trees."""

from __future__ import annotations

import binascii

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import TypeVar

    _T = TypeVar("_T")

__all__ = ["encode_bytes", "in_order"]


def encode_bytes(data: bytes) -> str:
    """Return the bytes in standard base64."""
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def in_order(values: dict[str, _T]) -> dict[str, _T]:
    """Return a copy of the map in the order of its names."""
    # looking at each name takes half as long as sorting the few that most maps have
    if len(values) > 1:
        before = ""
        for name in values:
            if name < before:
                return {name: values[name] for name in sorted(values)}
            before = name
    return values.copy()
