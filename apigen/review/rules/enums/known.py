"""What the two sides know of an enum and its values."""

from __future__ import annotations

import re
from itertools import chain, count
from typing import ClassVar

from apigen.dataclass import dataclass
from apigen.review.changes.change import Added, Part, Removed
from apigen.review.context import Context
from apigen.review.effects.enum_json import in_json
from apigen.review.gating import is_on
from apigen.review.surface import Element, Enum, EnumValue, Surface
from apigen.review.verdict.example import Example, JsonValue, Side
from apigen.review.verdict.impact import Direction, Hit, breaks, depends


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value that was added or removed; `old` and `new` are its enum on both sides, None if that is not known."""

    value: EnumValue
    old: Enum | None
    new: Enum | None

    @property
    def name(self) -> str:
        """The value as messages show it."""
        return shown(self.value.value)

    @property
    def json(self) -> JsonValue:
        """The value as objects have it."""
        return in_json(self.value.value, self.new or self.old)

    def examples(self, side: Side) -> tuple[Example, ...]:
        """The value, written by a side."""
        return (Example(side, self.json),)


def shown(value: str) -> str:
    """A value as messages show it."""
    return f"`{value}`" if value else '`""`'


def value_change(change: Added | Removed, context: Context) -> ValueChange:
    """The value that a change adds or removes."""
    assert isinstance(change.part, EnumValue)
    new = change.holder if isinstance(change.holder, Enum) else enum_at(context.new, change.element)
    return ValueChange(change.part, enum_at(context.old, change.element), new)


def enum_at(surface: Surface, element: Element) -> Enum | None:
    """The enum that an element is, or is a value of."""
    found = surface.type(element.type_name)
    return found if isinstance(found, Enum) else None


def is_open(enum: Enum | None) -> bool:
    """Whether an enum accepts values that nobody knows."""
    return enum is not None and enum.open


def may_grow(enum: Enum | None) -> bool:
    """Whether it said that it may get values: its clients were told what to make of one that they do not know."""
    return enum is not None and not enum.closed and (enum.open or enum.unknown is not None)


def is_accepted(value: EnumValue, surface: Surface, group: str) -> bool:
    """Whether every object may have a value of a group at the release of a side, with gates as they are by default."""
    if value.gate is not None:
        return is_on(value.gate, surface)
    introduced, release = value.lifecycle.introduced, surface.release_in(group)
    if value.tolerated is None:
        return True
    return introduced is not None and (release is None or introduced <= release)


def added_hits(of: ValueChange) -> dict[Direction, Hit]:
    """Of a value that every object may have."""
    name = of.name
    if is_open(of.old):
        return added_hits_of_open(name)
    return {
        Direction.OLD_CLIENT: depends(f"a client of before reads {name}, which it does not know"),
        Direction.NEW_CLIENT: breaks(f"a new client that sends {name} to a server of before is refused"),
        Direction.ROLLBACK: breaks(f"the release before refuses an object with {name} when it judges it again"),
    }


def added_hits_of_open(name: str) -> dict[Direction, Hit]:
    """Of a value that came to an enum which took it for any text before; `name` as messages show it."""
    return {
        Direction.OLD_CLIENT: depends(f"a client of before reads {name} and does not know what it means"),
        Direction.NEW_CLIENT: depends(f"a server of before takes {name} for any other text, and does not act on it"),
        Direction.ROLLBACK: depends(f"the release before keeps {name} and does not act on it"),
    }


def rolled_out_hits(name: str) -> dict[Direction, Hit]:
    """Of a value that the release before tolerated, and that every object may have now; `name` as messages show it."""
    return {
        Direction.OLD_CLIENT: depends(
            f"a client of before reads {name}, which it knows if it is of the release that tolerates it"
        ),
        Direction.NEW_CLIENT: breaks(f"a new client that gives {name} to an object at a server of before is refused"),
        Direction.ROLLBACK: depends(f"the release before keeps {name} where it is, and gives it to no other object"),
    }


def switched_gates(context: Context) -> dict[str, bool]:
    """By name, whether a gate that both sides know is on now."""
    found: dict[str, bool] = {}
    for name in context.old.gates.keys() & context.new.gates.keys():
        gates = ((side, side.gates[name]) for side in (context.old, context.new))
        was, is_on = (gate.is_on(side.release_of(gate.series)) for side, gate in gates)
        if was != is_on:
            found[name] = is_on
    return found


_SEPARATORS = re.compile(r"[-_./\s]")


def renamed_to(value: EnumValue, old: Enum, new: Enum) -> EnumValue | None:
    """The new value that an old one that is gone most likely became; None if there is none."""
    return None if value.value in new.values else _Renames.of(old, new).forth.get(value.value)


def renamed_from(value: EnumValue, old: Enum, new: Enum) -> EnumValue | None:
    """The old value that became a new one; None if there is none."""
    return _Renames.of(old, new).back.get(value.value)


class _Renames:
    """The renamed values of a pair of enums: by the old value the new one, and the reverse.

    Enums may have very many values, so the renames of the latest pair are kept.
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


def _keys(value: EnumValue) -> list[object]:
    """What two values have in common that are spelt differently: their number, or their letters."""
    letters = _SEPARATORS.sub("", value.value).casefold()
    return [key for key in (value.number, letters or None) if key is not None]


def unknown_text(*enums: Part) -> str:
    """A string that is a value of none of the enums."""
    known = {value for enum in enums if isinstance(enum, Enum) for value in enum.values}
    candidates = chain(["Other"], (f"Other{number}" for number in count(2)))
    return next(text for text in candidates if text not in known)
