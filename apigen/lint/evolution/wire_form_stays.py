"""What a field holds is written in the same way as ever."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.model import Api, Enum, Struct
from apigen.ir.types import (
    STRING,
    EnumType,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnownType,
    is_nullable,
    underlying,
)
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding

_WIDER = {Scalar.INT32: Scalar.INT64, Scalar.UINT32: Scalar.UINT64}
"""Integers, and those that hold all of them and are written alike in JSON and protobuf."""


class WireFormStays(EvolutionRule):
    """What is stored, and what clients of the previous release send, is read as what it was. (DESIGN.md 3: the JSON name
    is the identity, and a number is law)
    """

    code = "AG1307"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        before = evolution.before
        if before is None:
            return
        for id_, now in evolution.now.types.items():
            was = before.types.get(id_)
            if id_.group in evolution.groups and isinstance(now, Struct) and isinstance(was, Struct):
                yield from self._fields(was, now, Forms(before, evolution.now), f"{evolution.history.newest}")

    def _fields(self, was: Struct, now: Struct, forms: Forms, release: str) -> Iterator[Diagnostic]:
        """Those that a struct declares; those of the structs that it inlines are judged there."""
        for field in () if now.taken_from is not None else now.own_fields:
            old = was.field(field.json_name)
            problem = None if old is None or old.via else forms.difference(old.type, field.type)
            if old is not None and problem is not None:
                yield finding(
                    field.place,
                    f"`{field.json_name}` of `{now.id.name}` was `{old.type}` in {release}, and {problem}",
                    f"put `{old.type}` back; a field of another type has another name, and the old one gets a tombstone",
                    (Related(old.place, f"`{old.type}` in {release}"),),
                )


class Forms:
    """How values are written, in an API before and now."""

    def __init__(self, before: Api, now: Api) -> None:
        self._before = before
        self._now = now
        self._compared: set[tuple[TypeId, TypeId]] = set()

    def difference(self, old: Type, new: Type) -> str | None:
        """In what a value is written in another way, as the end of a sentence; None if all are written alike."""
        if is_nullable(old) != is_nullable(new):
            return f"`{new}` is written in another way"
        match underlying(old), underlying(new):
            case ScalarType(before), ScalarType(now) if before is now or _WIDER.get(before) is now:
                return None
            case (WellKnownType() as before, WellKnownType() as now) if before == now:
                return None
            case (ListType(before), ListType(now)) | (MapType(_, before), MapType(_, now)):
                return self.difference(before, now)
            case StructType(before), StructType(now):
                return self._of_structs(before, now)
            case EnumType(before), EnumType(now):
                return self._of_enums(before, now)
            case before, now if _is_text(before) and _is_text(now):
                return None
        return f"`{new}` is written in another way"

    def _of_structs(self, old: TypeId, new: TypeId) -> str | None:
        """A struct of another name must have the same fields; whether one of the same name has, others see to."""
        if old == new or (old, new) in self._compared:
            return None
        self._compared.add((old, new))
        was, now = self._before.types.get(old), self._now.types.get(new)
        if not isinstance(was, Struct) or not isinstance(now, Struct):
            return None
        gone = {tombstone.json_name: tombstone.number for tombstone in now.tombstones}
        for field in was.own_fields:
            there = now.field(field.json_name)
            if field.json_name in gone and gone[field.json_name] == field.number:
                continue
            if there is None or there.via or there.number != field.number:
                return f"`{new.name}` has no `{field.json_name}` with number {field.number}, as `{old.name}` has"
            problem = self.difference(field.type, there.type)
            if problem is not None:
                return f"`{field.json_name}` of `{new.name}`: {problem}"
        return None

    def _of_enums(self, old: TypeId, new: TypeId) -> str | None:
        """An enum of another name must know the same values, or that they are gone."""
        was, now = self._before.types.get(old), self._now.types.get(new)
        if old == new or not isinstance(was, Enum) or not isinstance(now, Enum) or now.open:
            return None
        known = {value.value for value in now.values} | {tombstone.json_name for tombstone in now.tombstones}
        missing = [value.value for value in was.values if value.value not in known]
        return f"`{new.name}` has no value `{missing[0]}`, as `{old.name}` has" if missing else None


def _is_text(type_: Type) -> bool:
    return isinstance(type_, EnumType) or type_ == STRING
