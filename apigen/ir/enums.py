"""Enums: their values, and what a client makes of a value that it does not know."""

from __future__ import annotations

from apigen.diagnostics import Related
from apigen.diagnostics.quoting import quote
from apigen.ir.context import VersionContext, tombstones
from apigen.ir.lifecycle import parse_release
from apigen.ir.members import element_lifecycle
from apigen.ir.model import Enum, EnumValue, Release
from apigen.ir.names import snake_case
from apigen.ir.py_names import PyNames
from apigen.ir.stability import next_release
from apigen.ir.types import TypeId
from apigen.spec.model import EnumValueSpec, LockedType, TypeSpec


def read_enum(spec: TypeSpec, locked: LockedType | None, context: VersionContext) -> Enum:
    """The enum with the values that have a name in Python."""
    id_ = context.id(spec.name)
    _check(id_, spec, context)
    py_names = PyNames(locked, context.lock_place, context.run).values(spec.values)
    values = []
    for value in spec.values:
        if value.name not in py_names:
            context.run.leave_out(id_, value.name)
            continue
        values.append(
            EnumValue(
                value=value.name,
                py_name=py_names[value.name],
                place=value.place,
                doc=value.doc.value if value.doc else None,
                gate=value.feature_gate,
                lifecycle=element_lifecycle(value.lifecycle, id_, context.lifecycles),
                tolerated=_tolerated(value, context),
            )
        )
    return Enum(
        id=id_,
        place=spec.place,
        values=tuple(values),
        snake_name=snake_case(spec.name),
        doc=spec.doc.value if spec.doc else None,
        unknown=spec.unknown.value if spec.unknown else None,
        open=spec.open,
        closed=spec.closed,
        tombstones=tombstones(spec.value_tombstones, locked, context),
        hub_name=spec.hub.value if spec.hub else None,
        ignore=spec.ignore,
    )


def _tolerated(spec: EnumValueSpec, context: VersionContext) -> Release | None:
    """The first of the two releases in which a value is rolled out; the second one is a later one."""
    if spec.tolerated is None:
        return None
    tolerated, introduced = parse_release(spec.tolerated.value), spec.lifecycle.introduced
    if introduced is not None and parse_release(introduced.value) <= tolerated:
        context.run.error(
            "AG0541",
            introduced.place,
            f"introduced in {introduced.value}, but tolerated from {tolerated} on",
            hint=f'objects may have it from the next release on: `introduced: "{next_release(tolerated)}"`',
            related=[Related(spec.tolerated.place, "tolerated from here on")],
        )
    return tolerated


def _check(id_: TypeId, spec: TypeSpec, context: VersionContext) -> None:
    run = context.run
    known = [value.name for value in spec.values]
    if not known and not run.is_broken(id_):
        run.error("AG0316", spec.place, f"`{spec.name}` has no values", hint="a type for any text is `is: string`")
    if spec.unknown is None or spec.unknown.value in known or run.is_broken_member(id_, spec.unknown.value):
        return
    run.error(
        "AG0318",
        spec.unknown.place,
        f"clients cannot take {quote(spec.unknown.value)} for what they do not know: `{spec.name}` has no such value",
        hint=run.did_you_mean(spec.unknown.value, known),
    )
