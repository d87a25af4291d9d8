"""What a child process is asked to try, and what it answers, as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from apigen.compat.verdict.example import JsonValue, Side
from apigen.compat.verdict.impact import Direction
from apigen.compat.witnesses.outcome import Outcome
from apigen.compat.witnesses.server import Kind
from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Task:
    """Objects to be tried in some directions. `old` are those that the old side may accept, `new` likewise.

    `old_paths` and `new_paths` say where the element of the finding stands in them; none: what becomes of them concerns it anyway.
    `afterwards` are the directions in which it counts, too, what shows only later; `gates` those that the element depends on,
    `readers` the directions in which it depends on what clients do with what they read. `telling` is the side whose objects the
    finding speaks of; None: those of both.
    """

    number: int
    group: str
    old_has_status: bool
    new_has_status: bool
    directions: tuple[Direction, ...]
    old: tuple[JsonValue, ...]
    new: tuple[JsonValue, ...]
    old_paths: tuple[str, ...] = ()
    new_paths: tuple[str, ...] = ()
    afterwards: tuple[Direction, ...] = ()
    gates: tuple[str, ...] = ()
    readers: tuple[Direction, ...] = ()
    telling: Side | None = None

    def paths(self, side: Side) -> tuple[str, ...]:
        """Where the element stands in the objects of a side."""
        return self.old_paths if side is Side.OLD else self.new_paths

    def kind(self, name: str, side: Side) -> Kind:
        """A kind as a side has it."""
        return Kind(self.group, name, self.old_has_status if side is Side.OLD else self.new_has_status)

    def batches(self) -> Iterator[tuple[tuple[Side, JsonValue], ...]]:
        """All objects, those of the old side first; where the finding speaks of one side, its own before the others."""
        old = tuple((Side.OLD, value) for value in self.old)
        new = tuple((Side.NEW, value) for value in self.new)
        yield from {None: (old + new,), Side.OLD: (old, new), Side.NEW: (new, old)}[self.telling]

    def plain(self) -> dict[str, JsonValue]:
        """As plain values; the objects as they are, which may be large."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def of(cls, said: dict[str, JsonValue]) -> Task:
        """From plain values. Raises ValueError or KeyError for what is none."""
        directions, old, new = said["directions"], said["old"], said["new"]
        if not isinstance(directions, list) or not isinstance(old, list) or not isinstance(new, list):
            raise ValueError("no task")
        number = said["number"]
        return cls(
            number if isinstance(number, int) else 0,
            str(said["group"]),
            bool(said["old_has_status"]),
            bool(said["new_has_status"]),
            tuple(Direction(str(each)) for each in directions),
            tuple(old),
            tuple(new),
            _texts(said["old_paths"]),
            _texts(said["new_paths"]),
            tuple(map(Direction, _texts(said["afterwards"]))),
            _texts(said["gates"]),
            tuple(map(Direction, _texts(said["readers"]))),
            None if said["telling"] is None else Side(str(said["telling"])),
        )


def _texts(said: JsonValue) -> tuple[str, ...]:
    if not isinstance(said, list):
        raise ValueError("no texts")
    return tuple(map(str, said))


@dataclass(frozen=True, slots=True)
class Shown:
    """An object that shows what a direction does."""

    direction: Direction
    written_by: Side
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a task: the objects that show something, how many were accepted by their own side, and of how many.

    `failure` is what went wrong with the trial itself.
    """

    number: int
    shown: tuple[Shown, ...]
    accepted: int
    tried: int
    failure: str = ""
