"""Check defaults: their fields exist and can be unset, their values have the types of the fields, and each case has an effect."""

from __future__ import annotations

from apigen.diagnostics.quoting import quote
from apigen.ir.checks import Checks
from apigen.ir.conditions import check_condition, report_literal
from apigen.ir.literals import Limits
from apigen.ir.model import (
    EnumType,
    Field,
    ListType,
    MapType,
    Presence,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    WellKnown,
    WellKnownType,
    is_container,
    is_text,
    struct_behind,
    underlying,
)
from apigen.ir.places import BoundPath, FieldStep, KeyStep, bind_steps
from apigen.language.model import DefaultCase, LiteralNode, Located, PathDefault

_WIDENINGS = frozenset(
    {
        (Scalar.INT32, Scalar.INT64),
        (Scalar.UINT32, Scalar.UINT64),
        (Scalar.UINT32, Scalar.INT64),
        (Scalar.FLOAT32, Scalar.FLOAT64),
    }
)
"""Scalars that every value of another fits into."""


def check_defaults(struct: Struct, checks: Checks) -> None:
    """Report errors in the defaults of a struct's own fields and in its `defaults:`."""
    if struct.id in checks.never_defaulted:
        _check_none(struct, checks)
    for field in struct.own_fields:
        _check_reached(field.default, checks)
        for case in field.default:
            _check_case(case, field, field.type, struct, struct, checks)
    for default in struct.defaults:
        _check_path_default(default, struct, checks)


def _check_none(struct: Struct, checks: Checks) -> None:
    places = [case.place for field in struct.own_fields for case in field.default[:1]]
    for place in (*places, *(default.path.place for default in struct.defaults)):
        checks.run.error(
            "AG0509",
            place,
            f"{struct.id.version} declares `defaulted: false`, so this default never applies",
            hint="remove one of them",
        )


def _check_path_default(default: PathDefault, block: Struct, checks: Checks) -> None:
    bound = checks.bind(default.path, block)
    if bound is None:
        return
    last = bound.steps[-1] if bound.steps else None
    if not isinstance(last, FieldStep | KeyStep):
        checks.run.error(
            "AG0509",
            default.path.place,
            f"{quote(default.path.text)} is not a field or a map entry",
        )
        return
    _check_reached(default.cases, checks)
    holder = _holder(default, block, checks)
    for case in default.cases:
        if holder is not None:
            _check_case(case, bound.field, bound.type, holder, block, checks)


def _check_reached(cases: tuple[DefaultCase, ...], checks: Checks) -> None:
    always = next((i for i, case in enumerate(cases) if case.when is None), len(cases))
    for idle in cases[always + 1 :]:
        checks.run.error(
            "AG0509",
            idle.place,
            "this case is never reached, because the case before it has no `when:`",
            hint="the first matching case applies: move cases with `when:` to the front",
        )


def _holder(default: PathDefault, block: Struct, checks: Checks) -> Struct | None:
    """Return the struct of the field at the end of a path."""
    steps = default.path.steps
    for end in range(len(steps) - 1, -1, -1):
        found = bind_steps(steps[:end], block, checks.types, default.path.text)
        behind = underlying(found.type) if isinstance(found, BoundPath) else None
        if isinstance(behind, StructType):
            struct = checks.types.get(behind.id)
            return struct if isinstance(struct, Struct) else None
    return block


def _check_case(
    case: DefaultCase, field: Field | None, type_: Type, holder: Struct, block: Struct, checks: Checks
) -> None:
    if case.when is not None:
        check_condition(case.when, holder, block, checks)
    if field is not None and not case.overwrite and not _can_be_unset(field):
        checks.run.error(
            "AG0509",
            case.place,
            f"{quote(field.json_name)} is always present, so its default never applies",
            hint="declare defaults on its fields, or set `optional: true`",
        )
        return
    if case.by_key and not isinstance(underlying(type_), MapType):
        checks.run.error("AG0509", case.place, f"`byKey` applies to maps, but this is of type {type_}")
    source = checks.bind(case.from_path, holder, block) if case.from_path is not None else None
    if case.empty_is_set and not is_container(type_) and not (source is not None and is_container(source.type)):
        checks.run.error("AG0509", case.place, f"`emptyIsSet` applies to lists and maps, but this is of type {type_}")
    if case.from_path is not None:
        target = type_ if case.into is None else _member_type(case.into, type_, checks)
        if source is not None and target is not None and not fits(source.type, target):
            place = case.from_path.place
            checks.run.error("AG0512", place, f"a value of type {source.type} is not valid for {target}")
    elif case.value is not None:
        _check_value(case.value, field, type_, checks)


def _member_type(into: Located[str], type_: Type, checks: Checks) -> Type | None:
    """Return the type of the field that `into` names; report an error and return None if it does not exist."""
    struct = struct_behind(type_, checks.types)
    if struct is None:
        message = f"`into` names a field of a struct, but this is of type {type_}"
        checks.run.error("AG0509", into.place, message)
        return None
    member = struct.field(into.value)
    if member is None:
        if not checks.may_have(struct.id, into.value):
            hint = checks.run.did_you_mean(into.value, [f.json_name for f in struct.fields])
            checks.run.error(
                "AG0510",
                into.place,
                f"{quote(into.value)} is not a field of {struct.id.name}",
                hint=hint,
            )
        return None
    return member.type


def _can_be_unset(field: Field) -> bool:
    """Return whether a field can be unset: `None`, zero or empty; a struct that is always created is never unset."""
    is_struct = isinstance(underlying(field.type), StructType)
    return not is_struct or field.presence is not Presence.PLAIN


def _check_value(node: LiteralNode, field: Field | None, type_: Type, checks: Checks) -> None:
    if isinstance(node, Located) and node.value is None:
        if field is not None and not field.can_be_none and field.presence is not Presence.OMIT_EMPTY:
            checks.run.error(
                "AG0509",
                node.place,
                f"`null` cannot clear {quote(field.json_name)}, which is always present",
                hint="set `optional: true`, `omitEmpty: true` or `nullable: true`",
            )
        return
    limits = Limits().and_of(field) if field is not None else Limits()
    report_literal(node, type_, checks, limits)


def fits(source: Type, target: Type) -> bool:
    """Return whether every value of a type is one of another, without a conversion that may fail."""
    source, target = underlying(source), underlying(target)
    if source == target:
        return True
    match source, target:
        case ScalarType(narrow), ScalarType(wide):
            return (narrow, wide) in _WIDENINGS
        case ScalarType(Scalar.INT32), WellKnownType(WellKnown.INT_OR_STRING):
            return True
        case _, WellKnownType(WellKnown.INT_OR_STRING):
            return is_text(source)
        case EnumType(), ScalarType(Scalar.STRING):
            return True
        case ListType(item), ListType(wide_item):
            return fits(item, wide_item)
        case MapType(_, value), MapType(_, wide_value):
            return fits(value, wide_value)
    return False
