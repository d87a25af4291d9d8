"""An enum and its values, as both sides know them."""

from __future__ import annotations

import re
from itertools import chain, count
from typing import ClassVar

from apigen.dataclass import dataclass
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Added, Part, Removed
from apigen.review.context import Context
from apigen.review.effects.scalars import in_json
from apigen.review.results import Direction, Effect, Example, Side, breaks, depends
from apigen.review.surface import Element, Enum, EnumValue, Surface


@dataclass(frozen=True, slots=True)
class ValueChange:
    """An added or removed value; `old` and `new` are its enum on both sides, None if it is unknown."""

    value: EnumValue
    old: Enum | None
    new: Enum | None

    @property
    def name(self) -> str:
        """The value, for messages."""
        return shown(self.value.value)

    @property
    def json(self) -> JsonValue:
        """The value in JSON."""
        return in_json(self.value.value, self.new or self.old)

    def examples(self, side: Side) -> tuple[Example, ...]:
        """Return the value, written by a side."""
        return (Example(side, self.json),)


def shown(value: str) -> str:
    """Return a value for messages."""
    return f"`{value}`" if value else '`""`'


def value_change(change: Added | Removed, context: Context) -> ValueChange:
    """Return the value that a change adds or removes."""
    assert isinstance(change.part, EnumValue)
    new = change.holder if isinstance(change.holder, Enum) else enum_at(context.new, change.element)
    return ValueChange(change.part, enum_at(context.old, change.element), new)


def enum_at(surface: Surface, element: Element) -> Enum | None:
    """Return the enum of an element, or None."""
    found = surface.type(element.type_name)
    return found if isinstance(found, Enum) else None


def is_open(enum: Enum | None) -> bool:
    """Return whether an enum accepts undeclared values."""
    return enum is not None and enum.open


def added_effects(of: ValueChange) -> dict[Direction, Effect]:
    """Return the effects of a new value that every object may have."""
    name = of.name
    if is_open(of.old):
        return added_effects_of_open(name)
    return {
        Direction.OLD_CLIENT: depends(f"older clients receive {name}, which they do not know"),
        Direction.NEW_CLIENT: breaks(f"newer clients that send {name} to an older server are rejected"),
        Direction.ROLLBACK: breaks(f"the previous release rejects updates of objects with {name}"),
    }


def added_effects_of_open(name: str) -> dict[Direction, Effect]:
    """Return the effects of a new value that the enum accepted as an arbitrary string before; `name` for messages."""
    return {
        Direction.OLD_CLIENT: depends(f"older clients receive {name}, and do not know its meaning"),
        Direction.NEW_CLIENT: depends(f"an older server treats {name} as an arbitrary string"),
        Direction.ROLLBACK: depends(f"the previous release keeps {name} as an arbitrary string"),
    }


def rolled_out_effects(name: str) -> dict[Direction, Effect]:
    """Return the effects of a value that the previous release tolerated, and every object may have now; `name` for messages."""
    return {
        Direction.OLD_CLIENT: depends(
            f"older clients receive {name}, which only those of the release that tolerates it know"
        ),
        Direction.NEW_CLIENT: breaks(f"newer clients that add {name} to an object on an older server are rejected"),
        Direction.ROLLBACK: depends(
            f"the previous release keeps {name} in objects that have it, and rejects it in others"
        ),
    }


_SEPARATORS = re.compile(r"[-_./\s]")


def renamed_to(value: EnumValue, old: Enum, new: Enum) -> EnumValue | None:
    """Return the new value that a removed one most likely became, or None."""
    return None if value.value in new.values else _Renames.of(old, new).forth.get(value.value)


def renamed_from(value: EnumValue, old: Enum, new: Enum) -> EnumValue | None:
    """Return the old value that most likely became a new one, or None."""
    return _Renames.of(old, new).back.get(value.value)


class _Renames:
    """The renamed values of a pair of enums: by the old value the new one, and the reverse.

    Enums may have very many values, so the renames of the latest pair are cached.
    """

    _latest: ClassVar[_Renames | None] = None

    @classmethod
    def of(cls, old: Enum, new: Enum) -> _Renames:
        if cls._latest is None or cls._latest._pair[0] is not old or cls._latest._pair[1] is not new:
            cls._latest = cls(old, new)
        return cls._latest

    def __init__(self, old: Enum, new: Enum) -> None:
        self._pair = (old, new)
        self.forth: dict[str, EnumValue] = {}
        self.back: dict[str, EnumValue] = {}
        added = [value for value in new.values.values() if value.value not in old.values]
        alike: dict[object, int] = {}
        for position, value in enumerate(added):
            for key in _keys(value):
                alike.setdefault(key, position)
        for value in old.values.values():
            positions = [alike[key] for key in _keys(value) if key in alike]
            if value.value not in new.values and positions:
                self.forth[value.value] = added[min(positions)]
                self.back.setdefault(added[min(positions)].value, value)


def _keys(value: EnumValue) -> list[object]:
    """Return the properties by which differently spelled values are the same: their number, or their letters."""
    letters = _SEPARATORS.sub("", value.value).casefold()
    return [key for key in (value.number, letters or None) if key is not None]


def unknown_text(*enums: Part) -> str:
    """Return a string that is not a value of any of the enums."""
    known = {value for enum in enums if isinstance(enum, Enum) for value in enum.values}
    candidates = chain(["Other"], (f"Other{number}" for number in count(2)))
    return next(text for text in candidates if text not in known)
