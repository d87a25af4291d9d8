"""What an object gets that says nothing goes on to be what it gets."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import replace
from apigen.diagnostics import Diagnostic
from apigen.history.comparing import is_same
from apigen.ir.model import Enum, Field
from apigen.ir.types import EnumType, underlying
from apigen.rules.evolution.enum_steps import is_accepted, value_named
from apigen.rules.evolution.evolution import Evolution, EvolutionRule
from apigen.rules.evolution.shipped_fields import ShippedField, fields_in_use
from apigen.rules.rule import finding
from apigen.spec.model import DefaultCase, Located
from apigen.spec.paths import All, Any, Condition, GateOn, Not


class DefaultStays(EvolutionRule):
    """The semantics of defaults do not change, as objects are defaulted on every read, those stored long ago too.
    (api_changes.md, "On compatibility")

    What a gate decides may change with the gate. A default that the release before would refuse is for AG1336.
    """

    code = "AG1382"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in fields_in_use(evolution):
            if not _is_kept(step) and not _would_be_refused(step.now, evolution):
                yield _finding(step)


def _is_kept(step: ShippedField) -> bool:
    """Whether nothing has changed but what gates decide: those that ask for none, or what they ask for besides."""
    before, now = step.before.default, step.now.default
    return is_same(_without_gated(before), _without_gated(now)) or is_same(_ungated(before), _ungated(now))


def _finding(step: ShippedField) -> Diagnostic:
    if not step.before.default:
        what, hint = f"`{step.name}` has a default, and had none in {step.release}", "take it away"
    elif not step.now.default:
        what, hint = f"`{step.name}` had a default in {step.release}, and has none now", _put_back(step.before)
    else:
        what, hint = f"the default of `{step.name}` is not what it was in {step.release}", _put_back(step.before)
    message = f"{what}: objects that leave the field out, stored ones too, come to say something else"
    return finding(step.now.place, message, hint, step.shipped)


def _put_back(before: Field) -> str:
    case, *others = before.default
    if others or case.when is not None or not isinstance(case.value, Located):
        return "put the old one back, as the record has it"
    value = case.value.value
    return f"put `default: {str(value).lower() if isinstance(value, bool) else value}` back"


def _would_be_refused(field: Field, evolution: Evolution) -> bool:
    """Whether the default is a value of an enum that not every object could have."""
    type_ = underlying(field.type)
    if evolution.before is None or not isinstance(type_, EnumType):
        return False
    enum = evolution.before.types.get(type_.id)
    if not isinstance(enum, Enum) or enum.open:
        return False
    values = [value_named(enum, str(case.value.value)) for case in field.default if isinstance(case.value, Located)]
    return any(value is None or not is_accepted(value, evolution.before, evolution.newest) for value in values)


def _without_gated(cases: tuple[DefaultCase, ...]) -> tuple[DefaultCase, ...]:
    return tuple(case for case in cases if not _asks_gate(case.when))


def _ungated(cases: tuple[DefaultCase, ...]) -> tuple[DefaultCase, ...]:
    return tuple(replace(case, when=_less_gates(case.when)) for case in cases)


def _asks_gate(when: Condition | None) -> bool:
    match when:
        case GateOn():
            return True
        case All(conditions) | Any(conditions):
            return any(map(_asks_gate, conditions))
        case Not(condition):
            return _asks_gate(condition)
    return False


def _less_gates(when: Condition | None) -> Condition | None:
    """What a condition asks for besides gates."""
    match when:
        case GateOn():
            return None
        case All(conditions):
            kept = tuple(each for each in map(_less_gates, conditions) if each is not None)
            return kept[0] if len(kept) == 1 else All(kept) if kept else None
    return when
