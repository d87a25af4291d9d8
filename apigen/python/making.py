"""How a struct that has nothing in it yet is made in Python."""

from __future__ import annotations

from collections.abc import Callable

from apigen.ir.types import StructType, TypeId

NO_TYPE_META = 'api_version="", kind=""'
"""What a kind's class is called with where it stands in another object, which says what it is."""


def blank(type_: StructType, type_name: Callable[[TypeId], str]) -> str:
    """An expression that makes the zero value of a struct within another one."""
    return f"{type_name(type_.id)}({NO_TYPE_META if type_.has_type_meta else ''})"
