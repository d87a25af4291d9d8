"""What objects have by default was accepted in the release before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from apigen.diagnostics import Diagnostic, Place, Related
from apigen.ir.model import Api, Enum, Struct
from apigen.ir.places import BoundPath, bind_path
from apigen.ir.types import EnumType, Type, TypeId, underlying
from apigen.rules.evolution.enum_steps import is_accepted, struct_steps, value_named
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.rule import finding
from apigen.spec.model import DefaultCase, Located


class _Default(NamedTuple):
    """A value of an enum that objects get where they say nothing."""

    enum: TypeId
    value: str
    place: Place


class DefaultIsKnown(EvolutionRule):
    """Every object that is written gets it, whoever wrote it, and the servers and clients of the release before meet it."""

    code = "AG1336"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for before, struct in struct_steps(evolution):
            for default in _defaults(struct, before, evolution.now):
                yield from self._judge(default, evolution)

    def _judge(self, default: _Default, evolution: Evolution) -> Iterator[Diagnostic]:
        assert evolution.before is not None
        enum, release = evolution.before.types.get(default.enum), evolution.newest
        if not isinstance(enum, Enum) or enum.open:
            return
        known = value_named(enum, default.value)
        if known is not None and is_accepted(known, evolution.before, release):
            return
        what = "does not know" if known is None else "only tolerates"
        yield finding(
            default.place,
            f"the default is now `{default.value}`, which {release} {what}: objects that nobody gave it are refused there",
            f"accept `{default.value}` for a release first, and keep the default until then",
            (Related((known or enum).place, f"`{default.enum.name}` as {release} shipped it"),),
        )


def _defaults(struct: Struct, before: Struct, api: Api) -> Iterator[_Default]:
    """The values of enums among the defaults of fields that were released before."""
    for member in struct.own_fields:
        if before.field(member.json_name) is not None:
            yield from _cases(member.default, member.type)
    for entry in struct.defaults:
        bound = bind_path(entry.path, struct, api.types)
        if isinstance(bound, BoundPath):
            yield from _cases(entry.cases, bound.type)


def _cases(cases: tuple[DefaultCase, ...], type_: Type) -> Iterator[_Default]:
    behind = underlying(type_)
    if not isinstance(behind, EnumType):
        return
    for case in cases:
        if isinstance(case.value, Located) and isinstance(case.value.value, str):
            yield _Default(behind.id, case.value.value, case.value.place)
