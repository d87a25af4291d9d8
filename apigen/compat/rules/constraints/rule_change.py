"""A CEL rule that came or went, beside those that were there and are there."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.inclusion.cel.implication import implied
from apigen.compat.inclusion.domains import numbers_of, said_of, texts_of
from apigen.compat.inclusion.numbers import Numbers
from apigen.compat.inclusion.result import INCLUDED, Inclusion
from apigen.compat.inclusion.texts import Texts
from apigen.compat.inclusion.unfolding import unfold
from apigen.compat.rules.once_per_change import once_per_change
from apigen.compat.surface.constraints import CelRule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.slots import slot_at
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, Scalar, Scalars, Slot
from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RuleChange:
    """`follows`: whether what the other side accepts satisfies the rule. `partner`: the rule that it took the place of, or that took its."""

    rule: CelRule
    came: bool
    follows: Inclusion
    partner: CelRule | None

    @property
    def is_about_updates(self) -> bool:
        """Whether it is asked of updates alone."""
        return is_about_updates(self.rule)


def is_about_updates(rule: CelRule) -> bool:
    """Whether a rule is asked only where there is an old object."""
    return rule.is_transition and not rule.optional_old_self


@once_per_change
def rule_change(change: AnyChange, context: Context) -> RuleChange | None:
    """A rule that came or went; None for all else."""
    if change.element.kind is not ElementKind.RULE or not isinstance(change, Added | Removed):
        return None
    if not isinstance(change.part, CelRule):
        return None
    old, new = slot_at(context.old, change.element), change.holder
    came, went = _effective(new, old, context.old), _effective(old, new, context.new)
    mine, theirs = (came, went) if isinstance(change, Added) else (went, came)
    other, surface = (old, context.old) if isinstance(change, Added) else (new, context.new)
    kind = is_about_updates(change.part)
    alike = [[rule for rule in each if is_about_updates(rule) is kind] for each in (mine, theirs)]
    names = [rule.name for rule in alike[0]]
    index = names.index(change.part.name) if change.part.name in names else -1
    partner = alike[1][index] if 0 <= index < len(alike[1]) else None
    return RuleChange(change.part, isinstance(change, Added), _follows(change.part, other, surface), partner)


def _effective(of: object, other: object, surface: Surface) -> list[CelRule]:
    """The rules of one slot that another has not, and that do not follow from what it has."""
    if not isinstance(of, Slot):
        return []
    known = {rule.name for rule in other.rules} if isinstance(other, Slot) else set()
    return [rule for rule in of.rules if rule.name not in known and _follows(rule, other, surface) != INCLUDED]


def _follows(rule: CelRule, slot: object, surface: Surface) -> Inclusion:
    """Whether what a slot accepts satisfies a rule; one about updates follows only from such."""
    if not isinstance(slot, Slot):
        return implied(rule.text, ())
    kind = is_about_updates(rule)
    by = [other.text for other in slot.rules if is_about_updates(other) is kind]
    return implied(rule.text, by, _known(slot, surface))


def _known(slot: Slot, surface: Surface) -> Numbers | Texts | None:
    """What the type and the keywords of a slot say of its value, where that is a number or a text."""
    unfolded = unfold(slot, surface)
    said, type_ = said_of(unfolded), unfolded.type
    if isinstance(type_, Enum) or type_ == Scalar(Scalars.STRING):
        return texts_of(type_, said)
    return numbers_of(type_, said) if isinstance(type_, Scalar) and type_.name in _NUMBERS else None


_NUMBERS = frozenset(
    {Scalars.INT32, Scalars.INT64, Scalars.UINT32, Scalars.UINT64, Scalars.INTEGER}
    | {Scalars.NUMBER, Scalars.FLOAT32, Scalars.FLOAT64}
)
