"""A gated field gets its default only where the gate is on."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.diagnostics.quoting import listing
from apigen.ir.model import Field, Struct
from apigen.language.model import DefaultCase, GateJoin, GateSpec, Located
from apigen.language.paths import All, Any, Condition, GateOn
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class GatedDefaultAsksGate(EvolutionRule):
    """Objects are defaulted when they are read, whatever the gate says: a default that does not ask for the gate comes back
    on every read, is written by everybody while the feature is off, and is dropped with a warning for what nobody set.
    (api_changes.md, "Backward compatibility gotchas")
    """

    code = "AG1318"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
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
            and not _asks(case.when, gate)
        ):
            yield finding(
                field.place,
                f"`{struct.id.name}.{field.json_name}` gets its default while {_off(gate)}: it is dropped when the object "
                "is written, and is back when it is read",
                _mend(field, case, gate),
            )
            return


def _is_harmless(case: DefaultCase, gate: GateSpec) -> bool:
    """Whether the default clears, or is what the field is dropped to."""
    if not isinstance(case.value, Located):
        return case.value == gate.to
    return case.value.value is None or (isinstance(gate.to, Located) and gate.to.value == case.value.value)


def _asks(when: Condition | None, gate: GateSpec) -> bool:
    """Whether a condition holds only where the gates of a mark are on."""
    names = {located.value for located in gate.gates}
    asked = _asked(when)
    return bool(names & asked) or _asks_any(when, names) if gate.join is GateJoin.ANY else names <= asked


def _asked(when: Condition | None) -> set[str]:
    """The gates without which a condition does not hold."""
    match when:
        case GateOn(gate):
            return {gate}
        case All(conditions):
            return set().union(*(_asked(each) for each in conditions))
        case Any(conditions) if conditions:
            return set.intersection(*(_asked(each) for each in conditions))
    return set()


def _asks_any(when: Condition | None, names: set[str]) -> bool:
    match when:
        case GateOn(gate):
            return gate in names
        case All(conditions):
            return any(_asks_any(each, names) for each in conditions)
        case Any(conditions):
            return bool(conditions) and all(_asks_any(each, names) for each in conditions)
    return False


def _off(gate: GateSpec) -> str:
    names = tuple(located.value for located in gate.gates)
    if len(names) > 1 and gate.join is GateJoin.ANY:
        return f"{listing(names, 'and')} are off"
    return f"{listing(names)} is off"


def _mend(field: Field, case: DefaultCase, gate: GateSpec) -> str:
    if len(field.default) > 1 or case.when is not None:
        return f"let each `when:` ask for the gate as well: `{_condition(gate)}`"
    return f"let the default ask for the gate: `default: {{value: {_shown(case)}, when: {_condition(gate)}}}`"


def _shown(case: DefaultCase) -> str:
    value = case.value.value if isinstance(case.value, Located) else "…"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _condition(gate: GateSpec) -> str:
    gates = [f"{{gate: {located.value}}}" for located in gate.gates]
    if len(gates) == 1:
        return gates[0]
    return f"{{{gate.join.value}: [{', '.join(gates)}]}}"
