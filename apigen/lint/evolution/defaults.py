"""Rule on defaults of gated fields."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.diagnostics.quoting import listing
from apigen.ir.model import Field, Struct
from apigen.language.model import DefaultCase, GateJoin, GateSpec, Located
from apigen.language.paths import All, Any, Condition, GateEnabled
from apigen.lint.evolution.evolution import Evolution, evolution_rule
from apigen.lint.rule import finding


@evolution_rule("AG1318", can_be_acknowledged=True)
def gated_default_depends_on_gate(evolution: Evolution) -> Iterator[Diagnostic]:
    """Objects are defaulted when they are read, independently of gates. An unconditional default is therefore set on every
    read, written by every client while the feature is disabled, and dropped with a warning about a field that the client
    did not set. (api_changes.md, "Backward compatibility gotchas")
    """
    for type_ in evolution.now.types.values():
        if isinstance(type_, Struct) and type_.id.group in evolution.groups:
            for field in type_.own_fields:
                yield from _of_field(field, type_)


def _of_field(field: Field, struct: Struct) -> Iterator[Diagnostic]:
    gate = field.gate
    if gate is None or gate.during == ():
        return
    for case in field.default:
        if (
            case.from_path is None
            and case.value is not None
            and not _is_harmless(case, gate)
            and not _requires_gates(case.when, gate)
        ):
            yield finding(
                field.place,
                f"default of `{struct.id.name}.{field.json_name}` applies even if {_off(gate)}; every read restores the "
                "field that the write dropped",
                _mend(field, case, gate),
            )
            return


def _is_harmless(case: DefaultCase, gate: GateSpec) -> bool:
    """Return whether the default clears the field, or is the value to which the gate resets it."""
    if not isinstance(case.value, Located):
        return case.value == gate.to
    return case.value.value is None or (isinstance(gate.to, Located) and gate.to.value == case.value.value)


def _requires_gates(when: Condition | None, gate: GateSpec) -> bool:
    """Return whether a condition is true only if the gates of the field are enabled."""
    names = {located.value for located in gate.gates}
    required = _required_gates(when)
    return bool(names & required) or _asks_any(when, names) if gate.join is GateJoin.ANY else names <= required


def _required_gates(when: Condition | None) -> set[str]:
    """Return the gates without which a condition is never true."""
    match when:
        case GateEnabled(gate):
            return {gate}
        case All(conditions):
            return set().union(*(_required_gates(each) for each in conditions))
        case Any(conditions) if conditions:
            return set.intersection(*(_required_gates(each) for each in conditions))
    return set()


def _asks_any(when: Condition | None, names: set[str]) -> bool:
    match when:
        case GateEnabled(gate):
            return gate in names
        case All(conditions):
            return any(_asks_any(each, names) for each in conditions)
        case Any(conditions):
            return bool(conditions) and all(_asks_any(each, names) for each in conditions)
    return False


def _off(gate: GateSpec) -> str:
    names = tuple(located.value for located in gate.gates)
    if len(names) > 1 and gate.join is GateJoin.ANY:
        return f"feature gates {listing(names, 'and')} are disabled"
    return f"feature gate {listing(names)} is disabled"


def _mend(field: Field, case: DefaultCase, gate: GateSpec) -> str:
    if len(field.default) > 1 or case.when is not None:
        return f"add the feature gate to each `when:`: `{_condition(gate)}`"
    return f"make the default conditional: `default: {{value: {_shown(case)}, when: {_condition(gate)}}}`"


def _shown(case: DefaultCase) -> str:
    value = case.value.value if isinstance(case.value, Located) else "…"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _condition(gate: GateSpec) -> str:
    gates = [f"{{gate: {located.value}}}" for located in gate.gates]
    if len(gates) == 1:
        return gates[0]
    return f"{{{gate.join.value}: [{', '.join(gates)}]}}"
