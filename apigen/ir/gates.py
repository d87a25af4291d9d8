"""Check uses of feature gates: the gate exists, and the element behind it can be dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.diagnostics.quoting import quote
from apigen.ir.checks import Checks
from apigen.ir.conditions import check_condition, parts
from apigen.ir.defaults import report_literal
from apigen.ir.literal_reader import Limits
from apigen.ir.model import Enum, Field, Group, Presence, Struct
from apigen.language.model import LensSpec, Located, TypeSpec
from apigen.language.paths import Condition, GateEnabled


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
