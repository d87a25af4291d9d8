"""Names and numbers are never reused: a removed field or value has a tombstone, and its protobuf number is not assigned again.

A written number is law, then the one in the lock, then the highest ever used + 1. All numbers that were ever assigned are known
from the fields, the tombstones, the reserved numbers and the lock.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import quote
from apigen.ir.model import Release, TypeId
from apigen.ir.run import Run
from apigen.ir.stability import Stability, stability
from apigen.language.model import (
    FieldSpec,
    Located,
    LockedField,
    LockedType,
    NumberRange,
    Tombstone,
    TypeForm,
    TypeSpec,
)

_PLAIN_KEY = re.compile(r"[A-Za-z_$][A-Za-z0-9_./-]*")


def check_history(id_: TypeId, spec: TypeSpec, locked: LockedType | None, lock: Place | None, run: Run) -> None:
    """Check the names of a struct's fields or an enum's values against tombstones and lock."""
    members = spec.values if spec.form is TypeForm.ENUM else spec.fields
    living = {member.name: member.place for member in members}
    tombstones = {tombstone.name: tombstone for tombstone in spec.tombstones}
    # Inline fields have no Python name. The rules of evolution check whether members with `returned:` were really removed.
    returned = {member.name for member in members if member.lifecycle.returned is not None}
    unnamed = returned.union(field.name for field in spec.fields if field.inline)
    locked_names = {field.json_name for field in locked.fields if field.py_name is not None} if locked else set()
    for name, place in living.items():
        if name in tombstones:
            hint = f"choose another name; to restore the element, delete the tombstone and declare {_returned(run)}"
            if name in locked_names:
                hint = "delete the tombstone, because the element still exists; or remove the element"
            run.error(
                "AG0406",
                place,
                f"{quote(name)} has a tombstone in `{spec.name}`, so its name must not be reused",
                hint=hint,
                related=[Related(tombstones[name].place, f"the tombstone of {quote(name)}")],
            )
    if locked is None or run.is_broken(id_) or spec.form is TypeForm.ALIAS:  # another type has its names now
        return
    used_numbers = {field.protobuf.value for field in spec.fields if field.protobuf is not None}
    for field in locked.fields:
        if field.json_name in tombstones or run.is_broken_member(id_, field.json_name):
            continue
        if field.json_name not in living:
            if field.number not in used_numbers:
                _report_removed(field, id_, spec, lock, run)
        elif field.py_name is None and field.json_name not in unnamed:
            _report_returned(field, living[field.json_name], spec, lock, run)


def _report_removed(field: LockedField, id_: TypeId, spec: TypeSpec, lock: Place | None, run: Run) -> None:
    name = quote(field.json_name)
    message = f"{name} was removed from {id_.version} `{spec.name}` without a tombstone"
    what = "its name and number" if field.number else "its name"
    hint = f"restore it, or reserve {what}:"
    recorded_as = None if field.recorded is None else stability(id_.version)
    if field.py_name is None:
        hint = f"restore it or its tombstone, because {what} must not be reused:"
    elif recorded_as is Stability.STABLE and not _is_of_next_major(field, run):
        hint = f"restore it, and deprecate it instead; only if no release enabled it by default, reserve {what}:"
    elif recorded_as is Stability.BETA:
        hint = f"restore it; only after its deprecation window, or if no release enabled it by default, reserve {what}:"
    run.error(
        "AG0408",
        spec.place,
        message,
        hint=f"{hint}\n{_tombstone_text(field, run.release if field.py_name and recorded_as else None)}",
        related=remembered(field, lock, quote(field.json_name)),
    )


def _is_of_next_major(field: LockedField, run: Run) -> bool:
    """Return whether the next release may remove stable elements of the release that shipped a field."""
    return field.recorded is not None and run.release is not None and run.release.major > field.recorded.value.major


def _report_returned(field: LockedField, place: Place, spec: TypeSpec, lock: Place | None, run: Run) -> None:
    run.error(
        "AG0407",
        place,
        f"{quote(field.json_name)} was removed from `{spec.name}` before, so its name must not be reused",
        hint=f"to restore the element, declare {_returned(run)}; otherwise choose another name, and restore the"
        f" tombstone:\n{_tombstone_text(field)}",
        related=remembered(field, lock, f"{quote(field.json_name)} as removed"),
    )


def _returned(run: Run) -> str:
    return f'`returned: "{run.release}"`' if run.release is not None else "`returned: RELEASE`"


def _tombstone_text(field: LockedField, removed: Release | None = None) -> str:
    """The tombstone to paste into the type, with the release that removes the field, if one shipped it."""
    key = field.json_name if _PLAIN_KEY.fullmatch(field.json_name) else json.dumps(field.json_name)
    entries = [f"protobuf: {field.number}"] if field.number else []
    entries += [f'removed: "{removed}"', "reason: REASON"] if removed is not None else []
    return f"tombstones:\n  {key}: {{{', '.join(entries)}}}"


def remembered(field: LockedField | None, lock: Place | None, text: str) -> list[Related]:
    """Return the record or the lock as a related location, with a text such as `release 1.11 has 4 for depth`."""
    if field is not None and field.recorded is not None:
        return [Related(field.recorded.place, f"release {field.recorded.value} has {text}")]
    return [Related(lock, f"the lock has {text}")] if lock else []


HIGHEST_NUMBER = 2**29 - 1
PROTOBUF_RESERVED = range(19_000, 20_000)
_FREE_NUMBER = "remove `protobuf:`: apigen assigns the next free number"


def number_problem(number: int) -> tuple[str, str] | None:
    """Code and reason why protobuf cannot have a field of that number; None if it can."""
    if not 1 <= number <= HIGHEST_NUMBER:
        return "AG0401", f"the protobuf number {number} is not between 1 and {HIGHEST_NUMBER}"
    if number in PROTOBUF_RESERVED:
        return "AG0402", f"{number} is reserved by protobuf (19000 to 19999)"
    return None


def next_number(highest: int) -> int:
    """The number after the highest ever used."""
    following = highest + 1
    return PROTOBUF_RESERVED.stop if following in PROTOBUF_RESERVED else following


def merged_ranges(ranges: Iterable[NumberRange]) -> tuple[NumberRange, ...]:
    """The same numbers in order, each once, with those that follow each other in one range."""
    merged: list[NumberRange] = []
    for one in sorted(ranges, key=lambda each: (each.first, each.last)):
        if merged and one.first <= merged[-1].last + 1:
            merged[-1] = NumberRange(merged[-1].first, max(merged[-1].last, one.last))
        else:
            merged.append(one)
    return tuple(merged)


def reserved_numbers(spec: TypeSpec, locked: LockedType | None) -> tuple[NumberRange, ...]:
    """Return the reserved numbers of a struct: those in the spec, and those in the lock.

    Numbers with a tombstone in the spec are not included.
    """
    if not spec.reserved and not (locked and locked.reserved):
        return ()
    known = {tombstone.protobuf.value for tombstone in spec.tombstones if tombstone.protobuf is not None}
    ranges = [*(written.value for written in spec.reserved), *(locked.reserved if locked else ())]
    return tuple(rest for one in merged_ranges(ranges) for rest in without_numbers(one, known))


def without_numbers(numbers: NumberRange, known: Iterable[int]) -> Iterator[NumberRange]:
    """Yield the parts of a range that remain without some numbers."""
    first = numbers.first
    for number in sorted(known):
        if number in numbers:
            if first < number:
                yield NumberRange(first, number - 1)
            first = number + 1
    if first <= numbers.last:
        yield NumberRange(first, numbers.last)


class Ledger:
    """The numbers of one message: the field of each, and all numbers that were ever assigned."""

    def __init__(self, spec: TypeSpec, locked: LockedType | None, lock: Place | None, run: Run) -> None:
        self._spec = spec
        self._lock = lock
        self._run = run
        self._locked_fields = {field.json_name: field for field in locked.fields} if locked else {}
        self._history = {name: field.number for name, field in self._locked_fields.items() if field.number}
        self._former = {number: name for name, number in self._history.items()}
        self._highest = max([locked.highest if locked else 0, *self._former])
        self._reserved = reserved_numbers(spec, locked)
        self._highest = max([self._highest, *(numbers.last for numbers in self._reserved)])
        self._tombstones: dict[int, Tombstone] = {}
        self._owners: dict[int, FieldSpec] = {}

    def assign(self) -> Mapping[str, int]:
        """Return the number of each field; invalid ones are reported, and returned as declared."""
        for written in self._spec.reserved:
            self._check_reserved(written)
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

    def _check_reserved(self, written: Located[NumberRange]) -> None:
        numbers = written.value
        problem = number_problem(numbers.last)
        if problem is None and numbers.first < PROTOBUF_RESERVED.stop and numbers.last >= PROTOBUF_RESERVED.start:
            problem = number_problem(PROTOBUF_RESERVED.start)
        if problem is not None:
            self._run.error(problem[0], written.place, problem[1])

    def _close(self, tombstone: Tombstone) -> None:
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
                f"number {number} is in two tombstones: of {quote(first.name)} and of {quote(tombstone.name)}",
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
            belongs = "belongs" if any(each.name == former for each in self._spec.fields) else "belonged"
            self._run.error(
                "AG0405",
                place,
                f"number {number} {belongs} to {quote(str(former))}, so it must not be reused",
                hint=_FREE_NUMBER,
                related=remembered(
                    self._locked_fields.get(str(former)), self._lock, f"{number} for {quote(str(former))}"
                ),
            )
            return
        self._take(field, number, place)

    def _take(self, field: FieldSpec, number: int, place: Place) -> None:
        if self._reserved and any(number in numbers for numbers in self._reserved):
            self._reject_reserved(field, number, place)
            return
        tombstone = self._tombstones.get(number)
        first = self._owners.setdefault(number, field)
        if tombstone is not None and tombstone.name != field.name:
            self._run.error(
                "AG0404",
                place,
                f"number {number} is reserved by the tombstone of {quote(tombstone.name)}, so it must not be reused",
                hint=_FREE_NUMBER,
                related=[Related(tombstone.place, f"the tombstone of {quote(tombstone.name)}")],
            )
        elif first is not field:
            self._run.error(
                "AG0403",
                place,
                f"number {number} is used twice: by {quote(first.name)} and by {quote(field.name)}",
                related=[Related(first.place, f"{quote(first.name)} uses it first")],
            )
        self._highest = max(self._highest, number)

    def _take_next(self, field: FieldSpec) -> int:
        number = next_number(self._highest)
        problem = number_problem(number)
        if problem is not None:
            self._run.error(problem[0], field.place, f"no number is available for {quote(field.name)}: {problem[1]}")
            return number
        self._take(field, number, field.place)
        return number

    def _reject_reserved(self, field: FieldSpec, number: int, place: Place) -> None:
        written = next((each for each in self._spec.reserved if number in each.value), None)
        in_lock = self._in_lock(f"the lock file reserves {number}")
        related = [Related(written.place, f"{written.value} is reserved here")] if written else in_lock
        self._run.error(
            "AG0412",
            place,
            f"number {number} is reserved for an unknown former field, so {quote(field.name)} must not use it",
            hint=_FREE_NUMBER,
            related=related,
        )

    def _contradicts_lock(self, name: str, known: int, number: int, place: Place) -> None:
        self._run.error(
            "AG0409",
            place,
            f"{quote(name)} has the assigned number {known}, not {number}",
            hint=f"write `protobuf: {known}`, or remove it",
            related=remembered(self._locked_fields.get(name), self._lock, f"{known} for {quote(name)}"),
        )

    def _in_lock(self, message: str) -> list[Related]:
        return [Related(self._lock, message)] if self._lock else []
