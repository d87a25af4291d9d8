"""Values of enums that differ in their spelling alone."""

from __future__ import annotations

import re

from apigen.compat.surface.types import Enum, EnumValue

_SEPARATORS = re.compile(r"[-_./\s]")


def renamed_to(value: EnumValue, old: Enum, new: Enum) -> EnumValue | None:
    """The new value that an old one that is gone most likely became; None if there is none."""
    if value.value in new.values:
        return None
    return next((each for each in new.values.values() if each.value not in old.values and _is_alike(value, each)), None)


def renamed_from(value: EnumValue, old: Enum, new: Enum) -> EnumValue | None:
    """The old value that became a new one; None if there is none."""
    return next((each for each in old.values.values() if renamed_to(each, old, new) == value), None)


def _is_alike(one: EnumValue, other: EnumValue) -> bool:
    if one.number is not None and one.number == other.number:
        return True
    return _bare(one.value) == _bare(other.value) != ""


def _bare(text: str) -> str:
    return _SEPARATORS.sub("", text).casefold()
