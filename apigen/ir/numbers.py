"""Protobuf numbers: a written one is law, then the one in the lock, then the highest ever used + 1.

What was ever given out is known from the fields, the tombstones and the lock; none of it is given out again.
"""

from __future__ import annotations

from collections.abc import Mapping

from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import quote
from apigen.ir.run import Run
from apigen.spec.model import FieldSpec, LockedType, TombstoneSpec, TypeSpec

HIGHEST_NUMBER = 2**29 - 1
PROTOBUF_RESERVED = range(19_000, 20_000)
_FREE_NUMBER = "leave `protobuf:` out: apigen gives out the next number that nobody had"


def number_problem(number: int) -> tuple[str, str] | None:
    """Code and reason why protobuf cannot have a field of that number; None if it can."""
    if not 1 <= number <= HIGHEST_NUMBER:
        return "AG0401", f"a protobuf number is between 1 and {HIGHEST_NUMBER}, and {number} is not"
    if number in PROTOBUF_RESERVED:
        return "AG0402", f"{number} is among the numbers that protobuf keeps for itself (19000 to 19999)"
    return None


def next_number(highest: int) -> int:
    """The number after the highest ever used."""
    following = highest + 1
    return PROTOBUF_RESERVED.stop if following in PROTOBUF_RESERVED else following


class Ledger:
    """The numbers of one message: who has which, and which were ever given out."""

    def __init__(self, spec: TypeSpec, locked: LockedType | None, lock: Place | None, run: Run) -> None:
        self._spec = spec
        self._lock = lock
        self._run = run
        self._history = {f.json_name: f.number for f in locked.fields if f.number} if locked else {}
        self._former = {number: name for name, number in self._history.items()}
        self._highest = max([locked.highest if locked else 0, *self._former])
        self._tombstones: dict[int, TombstoneSpec] = {}
        self._owners: dict[int, FieldSpec] = {}

    def assign(self) -> Mapping[str, int]:
        """The number of every field; wrong ones are reported, and stay as they are written."""
        for tombstone in self._spec.tombstones:
            self._close(tombstone)
        fields = {field.name: field for field in self._spec.fields}.values()
        numbers: dict[str, int] = {}
        for field in fields:
            if field.protobuf is not None:
                numbers[field.name] = field.protobuf.value
                self._take_written(field, field.protobuf.value, field.protobuf.place)
        for field in fields:
            known = self._history.get(field.name)
            if field.protobuf is None and known is not None:
                numbers[field.name] = known
                self._take(field, known, field.place)
        for field in fields:
            if field.name not in numbers:
                numbers[field.name] = self._take_next(field)
        return {field.name: numbers[field.name] for field in fields}

    def _close(self, tombstone: TombstoneSpec) -> None:
        known = self._history.get(tombstone.name)
        number = tombstone.protobuf.value if tombstone.protobuf else known
        if number is None:
            return
        place = tombstone.protobuf.place if tombstone.protobuf else tombstone.place
        problem = number_problem(number)
        if problem is not None:
            self._run.error(problem[0], place, problem[1])
            return
        if known is not None and known != number:
            self._contradicts_lock(tombstone.name, known, number, place)
        first = self._tombstones.setdefault(number, tombstone)
        if first is not tombstone:
            self._run.error(
                "AG0403",
                place,
                f"number {number} stands in two tombstones: of {quote(first.name)} and of {quote(tombstone.name)}",
                related=[Related(first.place, f"the tombstone of {quote(first.name)}")],
            )
        self._highest = max(self._highest, number)

    def _take_written(self, field: FieldSpec, number: int, place: Place) -> None:
        problem = number_problem(number)
        if problem is not None:
            self._run.error(problem[0], place, problem[1])
            return
        known = self._history.get(field.name)
        if known is not None and known != number:
            self._contradicts_lock(field.name, known, number, place)
            return
        former = self._former.get(number)
        if former not in (None, field.name) and number not in self._tombstones:
            self._run.error(
                "AG0405",
                place,
                f"number {number} was given to {quote(str(former))} before, and no number returns",
                hint=_FREE_NUMBER,
                related=self._in_lock(f"the lock has {number} for {quote(str(former))}"),
            )
            return
        self._take(field, number, place)

    def _take(self, field: FieldSpec, number: int, place: Place) -> None:
        tombstone = self._tombstones.get(number)
        first = self._owners.setdefault(number, field)
        if tombstone is not None and tombstone.name != field.name:
            self._run.error(
                "AG0404",
                place,
                f"number {number} has a tombstone: it was that of {quote(tombstone.name)}, and no number returns",
                hint=_FREE_NUMBER,
                related=[Related(tombstone.place, f"the tombstone of {quote(tombstone.name)}")],
            )
        elif first is not field:
            self._run.error(
                "AG0403",
                place,
                f"number {number} is used twice: by {quote(first.name)} and by {quote(field.name)}",
                related=[Related(first.place, f"{quote(first.name)} has it first")],
            )
        self._highest = max(self._highest, number)

    def _take_next(self, field: FieldSpec) -> int:
        number = next_number(self._highest)
        problem = number_problem(number)
        if problem is not None:
            self._run.error(problem[0], field.place, f"no number is left for {quote(field.name)}: {problem[1]}")
            return number
        self._take(field, number, field.place)
        return number

    def _contradicts_lock(self, name: str, known: int, number: int, place: Place) -> None:
        self._run.error(
            "AG0409",
            place,
            f"{quote(name)} has had number {known} ever since it came, and not {number}",
            hint=f"write `protobuf: {known}`, or nothing",
            related=self._in_lock(f"the lock has {known} for {quote(name)}"),
        )

    def _in_lock(self, message: str) -> list[Related]:
        return [Related(self._lock, message)] if self._lock else []
