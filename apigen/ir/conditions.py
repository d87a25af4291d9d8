"""Check conditions, defaults and uses of feature gates: paths and gates exist, values have the type of the field, defaults have an
effect, and elements behind a gate can be dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.diagnostics.quoting import quote
from apigen.ir.checks import Checks
from apigen.ir.literals import Limits, LiteralProblem, read_literal
from apigen.ir.model import (
    Enum,
    EnumType,
    Field,
    Group,
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
    is_bytes,
    is_container,
    is_text,
    struct_behind,
    underlying,
)
from apigen.ir.places import BoundPath, FieldStep, KeyStep, bind_steps
from apigen.language.model import (
    All,
    Any,
    Condition,
    DefaultCase,
    Equals,
    GateEnabled,
    IsSet,
    LensSpec,
    Literal,
    LiteralNode,
    Located,
    Not,
    PathDefault,
    TypeSpec,
)

_COMPARABLE = frozenset({WellKnown.INT_OR_STRING, WellKnown.QUANTITY, WellKnown.DURATION})


def check_condition(condition: Condition, holder: Struct, block: Struct, checks: Checks) -> None:
    """Report errors in a condition about `holder` that is in the block of `block`."""
    for part in parts(condition):
        match part:
            case Equals(path, values):
                bound = checks.bind(path, holder, block)
                if bound is not None:
                    for value in values:
                        _check_comparison(part, bound, value, checks)
            case IsSet(path):
                checks.bind(path, holder, block)
            case GateEnabled(gate, place):
                checks.know_gate(Located(gate, place))


def parts(condition: Condition) -> Iterator[Equals | IsSet | GateEnabled]:
    """The single questions of a condition."""
    waiting: list[Condition] = [condition]
    while waiting:
        match waiting.pop():
            case Not(inner):
                waiting.append(inner)
            case All(inner_conditions) | Any(inner_conditions):
                waiting.extend(reversed(inner_conditions))
            case Equals() | IsSet() | GateEnabled() as part:
                yield part


def _check_comparison(condition: Equals, bound: BoundPath, value: Literal, checks: Checks) -> None:
    place = condition.path.place
    behind = underlying(bound.type)
    if value is None:
        if not any(isinstance(step, FieldStep) and step.field.can_be_none for step in bound.steps):
            checks.run.error("AG0511", place, f"{quote(bound.text)} is never `null`")
        return
    if not _is_comparable(behind):
        checks.run.error(
            "AG0511",
            place,
            f"{quote(bound.text)} is of type {bound.type}, which cannot be compared with a value",
            hint="use `set:` or `unset:`",
        )
        return
    if value == "" and isinstance(behind, EnumType):
        return
    report_literal(Located(value, place), bound.type, checks, Limits(), compared=bound)


def _is_comparable(type_: Type) -> bool:
    if isinstance(type_, WellKnownType):
        return type_.known in _COMPARABLE
    return isinstance(type_, ScalarType | EnumType) and not is_bytes(type_)


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


def report_literal(
    node: LiteralNode, type_: Type, checks: Checks, limits: Limits, compared: BoundPath | None = None
) -> None:
    """Report the parts of a literal that do not fit its type or its bounds; a condition has `compared` it with a value."""
    problems: list[LiteralProblem] = []
    read_literal(node, type_, checks.types, problems, limits)
    for problem in problems:
        if problem.owner is not None and checks.may_have(problem.owner, problem.word):
            continue
        hint = checks.run.did_you_mean(problem.word, problem.candidates) if problem.word else problem.hint
        code, message = problem.code, problem.message
        if compared is not None:
            code, message = "AG0511", f"{quote(compared.text)} is never true: {problem.message}"
        checks.run.error(code, problem.place, message, hint=hint)


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


def check_struct_gates(struct: Struct, checks: Checks) -> None:
    """Report gates of fields and lenses that do not exist, and gated fields that cannot be absent."""
    for field in struct.own_fields:
        if field.gate is not None:
            _check_gated_field(field, struct, checks)
    lenses = [field.hub for field in struct.own_fields if field.hub is not None]
    lenses += [entry.lens for entry in (*struct.lenses, *struct.hub_only)]
    _check_gates_of(_lens_conditions(lenses), checks)


def check_enum_gates(enum: Enum, checks: Checks) -> None:
    """Report gates of values that do not exist."""
    for value in enum.values:
        if value.gate is not None:
            checks.know_mark(value.gate)


def check_hub_gates(groups: Iterable[Group], checks: Checks) -> None:
    """Report unknown gates in hub.yaml; the rest of hub.yaml is checked with the hub."""
    for type_ in (type_ for group in groups for type_ in group.hub_overrides):
        for rule in type_.gates:
            checks.know_mark(rule.gate)
        for field in type_.fields:
            if field.feature_gate is not None:
                checks.know_mark(field.feature_gate)
        _check_gates_of(_override_conditions(type_), checks)


def check_strategy_gates(groups: Iterable[Group], checks: Checks) -> None:
    """Report gates that strategies name and that do not exist."""
    for operation in (op for group in groups for kind in group.kinds for _, op in kind.strategy.operations):
        for exception in operation.except_:
            if exception.gate is not None:
                checks.know_mark(exception.gate)
        if operation.when is not None:
            _check_gates_of([operation.when], checks)


def _check_gated_field(field: Field, struct: Struct, checks: Checks) -> None:
    gate = field.gate
    if gate is None:
        return
    checks.know_mark(gate)
    if gate.to is not None:
        report_literal(gate.to, field.type, checks, Limits().and_of(field))
    elif field.presence is Presence.PLAIN and not field.can_be_none:
        checks.run.error(
            "AG0555",
            gate.place,
            f"{quote(field.json_name)} is always present, so its feature gate cannot clear it",
            hint="set `optional: true`, `omitEmpty: true` or `nullable: true`, or declare its replacement with `to:`",
        )
    if not isinstance(gate.in_use, str):
        check_condition(gate.in_use, struct, struct, checks)


def _check_gates_of(conditions: Iterable[Condition], checks: Checks) -> None:
    for condition in conditions:
        for part in parts(condition):
            if isinstance(part, GateEnabled):
                checks.know_gate(Located(part.gate, part.place))


def _lens_conditions(lenses: Iterable[LensSpec]) -> Iterator[Condition]:
    for lens in lenses:
        absent = lens.absent if isinstance(lens.absent, tuple) else ()
        for case in (*(lens.constant or ()), *(lens.keep_zero or ()), *absent):
            if case.when is not None:
                yield case.when


def _override_conditions(type_: TypeSpec) -> Iterator[Condition]:
    for rule in type_.gates:
        if rule.when is not None:
            yield rule.when
        if not isinstance(rule.gate.in_use, str):
            yield rule.gate.in_use
    yield from (case.when for field in type_.fields for case in field.default if case.when is not None)
