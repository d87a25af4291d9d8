"""Values of enums that differ in their spelling alone."""

from __future__ import annotations

import re

from apigen.compat.surface.types import Enum, EnumValue

_SEPARATORS = re.compile(r"[-_./\s]")


def renamed_to(value: EnumValue, old: Enum, new: Enum) -> EnumValue | None:
    """The new value that an old one that is gone most likely became; None if there is none."""
    return None if value.value in new.values else _RENAMES.of(old, new).forth.get(value.value)


def renamed_from(value: EnumValue, old: Enum, new: Enum) -> EnumValue | None:
    """The old value that became a new one; None if there is none."""
    return _RENAMES.of(old, new).back.get(value.value)


class _Renames:
    """What became of the values of one pair of enums, by value: looked up once for all of them, as there may be very many."""

    def __init__(self, old: Enum | None = None, new: Enum | None = None) -> None:
        self.pair = (old, new)
        self.forth: dict[str, EnumValue] = {}
        self.back: dict[str, EnumValue] = {}
        if old is None or new is None:
            return
        came = [value for value in new.values.values() if value.value not in old.values]
        alike: dict[object, int] = {}
        for position, value in enumerate(came):
            for key in _keys(value):
                alike.setdefault(key, position)
        for value in old.values.values():
            positions = [alike[key] for key in _keys(value) if key in alike]
            if value.value not in new.values and positions:
                self.forth[value.value] = came[min(positions)]
                self.back.setdefault(came[min(positions)].value, value)


class _Latest:
    """The renames of the pair that was asked for last."""

    def __init__(self) -> None:
        self._known = _Renames()

    def of(self, old: Enum, new: Enum) -> _Renames:
        if self._known.pair[0] is not old or self._known.pair[1] is not new:
            self._known = _Renames(old, new)
        return self._known


_RENAMES = _Latest()


def _keys(value: EnumValue) -> list[object]:
    """What two values have in common that are spelt differently: their number, or their letters."""
    letters = _bare(value.value)
    return [key for key in (value.number, letters or None) if key is not None]


def _bare(text: str) -> str:
    return _SEPARATORS.sub("", text).casefold()
