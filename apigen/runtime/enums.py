"""Enums that cost an import next to nothing: `StrEnum` as the standard library has it.

The standard library makes the members of an enum while the module that declares it is imported, some 0.05 ms for each
enum; here it does so when the enum is first used. From then on it is an enum of the standard library and nothing else;
before, it is one already for `isinstance` and `issubclass`. Type checkers see the standard library's own.
"""

from __future__ import annotations

import enum

__all__ = ["StrEnum"]

TYPE_CHECKING = False  # as type checkers know the name


class _LateType(enum.EnumType):
    """The type of an enum whose members are not made yet."""
