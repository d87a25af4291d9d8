"""CEL rules."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.review.changes.change import Added, AnyChange, Removed
from apigen.review.context import Context
from apigen.review.effects.text import quoted
from apigen.review.mitigations.time import Ratcheting, RatchetingBefore
from apigen.review.prover.cel import against, clause_guards, implied, is_true_without_change
from apigen.review.prover.domains import numbers_of, said_of, texts_of
from apigen.review.prover.numbers import Numbers
from apigen.review.prover.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.review.prover.samples import samples
from apigen.review.prover.texts import Texts
from apigen.review.prover.unfolding import unfold
from apigen.review.rules.constraints.comparing import loosened_hits, tightened_hits, value_shown
from apigen.review.rules.once_per_change import once_per_change
from apigen.review.rules.rule import change_rule
from apigen.review.rules.selecting import added, removed
from apigen.review.rules.verdicts import silent
from apigen.review.surface import (
    CelRule,
    ElementKind,
    Enum,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    definition,
    slot_at,
    struct_of,
)
from apigen.review.verdict.example import Example, JsonValue, Side
from apigen.review.verdict.impact import Direction, Effects, Hit, breaks, depends
from apigen.review.verdict.verdict import Verdict


@dataclass(frozen=True, slots=True)
class RuleChange:
    """`follows`: whether what the other side accepts satisfies the rule. `partner`: the rule that it replaced, or that replaced it."""

    rule: CelRule
    follows: Inclusion
    partner: CelRule | None


def is_about_updates(rule: CelRule) -> bool:
    """Whether a rule is asked only where there is an old object."""
    return rule.is_transition and not rule.optional_old_self


@once_per_change
def rule_change(change: Added | Removed, context: Context) -> RuleChange:
    """The rule that a change adds or removes."""
    rule, old, new = change.part, slot_at(context.old, change.element), change.holder
    assert isinstance(rule, CelRule)
    added, removed = _effective(new, old, context.old), _effective(old, new, context.new)
    mine, theirs = (added, removed) if isinstance(change, Added) else (removed, added)
    other, surface = (old, context.old) if isinstance(change, Added) else (new, context.new)
    kind = is_about_updates(rule)
    names = [each.name for each in mine if is_about_updates(each) is kind]
    partners = [each for each in theirs if is_about_updates(each) is kind]
    index = names.index(rule.name) if rule.name in names else len(partners)
    return RuleChange(rule, _follows(rule, other, surface), partners[index] if index < len(partners) else None)


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


_MOST = 4


def rule_examples(
    rule: str, follows: Inclusion, change: AnyChange, side: Side, context: Context
) -> tuple[Example, ...]:
    """Values against a rule: the one that refutes it, and guesses, at most a few."""
    found: list[JsonValue] = []
    if isinstance(follows, NotIncluded) and follows.counter_example is not None:
        found.append(follows.counter_example)
    surface = context.old if side is Side.OLD else context.new
    for members in against(rule):
        value = _with(members, surface, change)
        if value is not None and value not in found:
            found.append(value)
    return tuple(Example(side, value) for value in found[:_MOST])


def _with(members: dict[str, JsonValue], surface: Surface, change: AnyChange) -> JsonValue:
    """A value at the place of a rule with these members."""
    if "" in members:
        return members[""]
    slot = slot_at(surface, change.element)
    if slot is None:
        return None
    if change.element.path.startswith("(") and isinstance(surface.type(change.element.type_name), Struct):
        slot = Slot(Named(change.element.type_name), slot.place)
    made = samples(slot, surface, 1)
    whole = made[0] if made else None
    return {**whole, **members} if isinstance(whole, dict) else None


@change_rule("rule-without-effect", added(ElementKind.RULE), removed(ElementKind.RULE), severities="I/I/I")
def rule_without_effect(change: Added | Removed, context: Context) -> Verdict | None:
    """White space, the order of conjuncts, a rule split in two, a comparison that a stronger comparison implies."""
    found = rule_change(change, context)
    if found.follows != INCLUDED:
        return None
    how = "is gone, and follows from what is asked"
    if isinstance(change, Added):
        how = "is new, and follows from what was asked before"
    return Verdict(f"the rule `{found.rule.text}` {how}")


@change_rule("rule-on-new-fields", added(ElementKind.RULE), severities="I/I/I")
def rule_on_new_fields(change: Added, context: Context) -> Verdict | None:
    """`!has(self.new) || …`: no older object violates the rule."""
    found = rule_change(change, context)
    before = _struct(context.old, change, slot_at(context.old, change.element))
    now = _struct(context.new, change, change.holder if isinstance(change.holder, Slot) else None)
    if before is None or now is None:
        return None
    fresh = now.fields.keys() - before.fields.keys()
    guards = clause_guards(found.rule.text)
    if not guards or not all(guard & fresh for guard in guards):
        return None
    names = quoted(sorted(set().union(*guards) & fresh), " and ")
    text = f"a new client that sets {names} at a server of before finds the rule not asked and the field dropped"
    message = f"the rule `{found.rule.text}` is about {names} alone, which is new"
    return Verdict(message, {Direction.NEW_CLIENT: depends(text)})


def _struct(surface: Surface, change: Added, slot: Slot | None) -> Struct | None:
    """The struct that a rule judges: the one it stands on, or the one that is the value of its slot."""
    if slot is None:
        return None
    named = definition(surface, slot.type) if isinstance(slot.type, Named) else None
    if isinstance(named, Struct):
        return named
    return struct_of(surface, change.element) if change.element.path.startswith("(") else None


@change_rule("transition-rule-added", added(ElementKind.RULE), severities="W/E/E")
def transition_rule_added(change: Added, context: Context) -> Verdict | None:
    """`self == oldSelf`, for example, means immutable."""
    found = rule_change(change, context)
    if not is_about_updates(found.rule):
        return None
    text = found.rule.text
    hits: dict[Direction, Hit] = {}
    message = f"the rule `{text}` is new, and refuses updates"
    if found.partner is not None:
        hits.update(loosened_hits(f"an update that `{found.partner.text}` refused"))
        message = f"the rule `{text}` is asked of updates, instead of `{found.partner.text}`"
    hits[Direction.OLD_CLIENT] = breaks("a client of before that makes an update against the rule is refused")
    is_unproven = not is_true_without_change(text)
    if is_unproven:
        hits[Direction.STORED] = depends("an update that leaves the value as it is may be refused")
        message += "; not proven: that it holds where nothing changes"
    return Verdict(message, hits, is_unproven=is_unproven)


@change_rule(
    "rule-changed", added(ElementKind.RULE), removed(ElementKind.RULE), severities="W/E/E", mitigated_by=(Ratcheting(),)
)
def rule_changed(change: Added | Removed, context: Context) -> Verdict | None:
    """Neither rule is known to imply the other. Reported once, for the new rule."""
    found = rule_change(change, context)
    if found.partner is None:
        return None
    mine, other = found.rule.text, found.partner.text
    if isinstance(change, Removed):
        return silent(f"the rule `{mine}` became `{other}`")
    examples = (
        *rule_examples(mine, found.follows, change, Side.OLD, context),
        *rule_examples(other, INCLUDED, change, Side.NEW, context),
    )
    tightened = tightened_hits(value_shown(found.follows, "what the new rule refuses"))
    hits = {**loosened_hits(f"what `{other}` refused"), **tightened}
    return _verdict(found, f"the rule `{other}` became `{mine}`", hits, examples)


def _verdict(found: RuleChange, message: str, hits: Effects, examples: tuple[Example, ...]) -> Verdict:
    is_unproven = isinstance(found.follows, NotProven)
    tail = f"; not proven: {found.follows.reason}" if isinstance(found.follows, NotProven) else ""
    return Verdict(f"{message}{tail}", hits, examples=examples, is_unproven=is_unproven)


@change_rule("rule-added", added(ElementKind.RULE), severities="W/E/E", mitigated_by=(Ratcheting(),))
def rule_added(change: Added, context: Context) -> Verdict:
    """Objects that violate the rule were accepted."""
    found = rule_change(change, context)
    hits = tightened_hits(value_shown(found.follows, "what the rule refuses"))
    examples = rule_examples(found.rule.text, found.follows, change, Side.OLD, context)
    return _verdict(found, f"the rule `{found.rule.text}` is new", hits, examples)


@change_rule("rule-removed", removed(ElementKind.RULE), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def rule_removed(change: Removed, context: Context) -> Verdict:
    """Objects that the rule rejected are accepted."""
    found = rule_change(change, context)
    hits = loosened_hits(value_shown(found.follows, "what the rule refused"))
    examples = rule_examples(found.rule.text, found.follows, change, Side.NEW, context)
    return _verdict(found, f"the rule `{found.rule.text}` is gone", hits, examples)
