"""CEL rules."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.inclusion.cel.against import against
from apigen.compat.inclusion.cel.implication import clause_guards, implied, is_true_without_change
from apigen.compat.inclusion.domains import numbers_of, said_of, texts_of
from apigen.compat.inclusion.numbers import Numbers
from apigen.compat.inclusion.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.compat.inclusion.samples import samples
from apigen.compat.inclusion.texts import Texts
from apigen.compat.inclusion.unfolding import unfold
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import added, removed
from apigen.compat.rules.constraints.comparing import loosened_hits, tightened_hits, value_shown
from apigen.compat.rules.once_per_change import once_per_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.constraints import CelRule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.resolving import definition
from apigen.compat.surface.slots import slot_at
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, Named, Scalar, Scalars, Slot, Struct
from apigen.compat.verdict.example import Example, JsonValue, Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
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
    """White space, the order of conjuncts, a rule split in two, a comparison that follows from a stronger one."""
    found = rule_change(change, context)
    if found is None or found.follows != INCLUDED:
        return None
    how = "is new, and follows from what was asked before" if found.came else "is gone, and follows from what is asked"
    return Verdict(f"the rule `{found.rule.text}` {how}", {})


@change_rule("rule-on-new-fields", added(ElementKind.RULE), severities="I/I/I")
def rule_on_new_fields(change: Added, context: Context) -> Verdict | None:
    """`!has(self.new) || …`: no object of before can break it."""
    found = rule_change(change, context)
    if found is None or not isinstance(change.holder, Slot):
        return None
    before = _struct(context.old, change, slot_at(context.old, change.element))
    now = _struct(context.new, change, change.holder)
    if before is None or now is None:
        return None
    fresh = now.fields.keys() - before.fields.keys()
    guards = clause_guards(found.rule.text)
    if not guards or not all(guard & fresh for guard in guards):
        return None
    names = " and ".join(f"`{name}`" for name in sorted(set().union(*guards) & fresh))
    hit = depends(
        f"a new client that sets {names} at a server of before finds the rule not asked and the field dropped"
    )
    return Verdict(f"the rule `{found.rule.text}` is about {names} alone, which is new", {Direction.NEW_CLIENT: hit})


def _struct(surface: Surface, change: Added, slot: Slot | None) -> Struct | None:
    """The struct that a rule judges: the one it stands on, or the one that is the value of its slot."""
    if slot is None:
        return None
    if isinstance(slot.type, Named):
        named = definition(surface, slot.type)
        if isinstance(named, Struct):
            return named
    held = surface.type(change.element.type_name)
    return held if isinstance(held, Struct) and change.element.path.startswith("(") else None


@change_rule("transition-rule-added", added(ElementKind.RULE), severities="W/E/E")
def transition_rule_added(change: Added, context: Context) -> Verdict | None:
    """`self == oldSelf` is another way to say immutable."""
    found = rule_change(change, context)
    if found is None or not found.came or not found.is_about_updates:
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
    """Neither follows from the other, so far as is known. Told once, where the new rule stands."""
    found = rule_change(change, context)
    if found is None or found.partner is None:
        return None
    if not found.came:
        return Verdict(
            f"the rule `{found.rule.text}` became `{found.partner.text}`", {}, severities=Severities.of("-/-/-")
        )
    examples = (
        *rule_examples(found.rule.text, found.follows, change, Side.OLD, context),
        *rule_examples(found.partner.text, INCLUDED, change, Side.NEW, context),
    )
    return _verdict(found, found.partner.text, examples)


def _verdict(found: RuleChange, was: str, examples: tuple[Example, ...]) -> Verdict:
    value = value_shown(found.follows, "what the new rule refuses")
    hits = {**loosened_hits(f"what `{was}` refused"), **tightened_hits(value)}
    message = f"the rule `{was}` became `{found.rule.text}`"
    if isinstance(found.follows, NotProven):
        message = f"{message}; not proven: {found.follows.reason}"
    return Verdict(message, hits, examples=examples, is_unproven=isinstance(found.follows, NotProven))


@change_rule("rule-added", added(ElementKind.RULE), severities="W/E/E", mitigated_by=(Ratcheting(),))
def rule_added(change: Added, context: Context) -> Verdict | None:
    """Whatever breaks it was accepted before."""
    found = rule_change(change, context)
    if found is None or not found.came:
        return None
    hits = tightened_hits(value_shown(found.follows, "what the rule refuses"))
    message = f"the rule `{found.rule.text}` is new"
    examples = rule_examples(found.rule.text, found.follows, change, Side.OLD, context)
    if isinstance(found.follows, NotProven):
        message = f"{message}; not proven: {found.follows.reason}"
    return Verdict(message, hits, examples=examples, is_unproven=isinstance(found.follows, NotProven))


@change_rule("rule-removed", removed(ElementKind.RULE), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def rule_removed(change: Removed, context: Context) -> Verdict | None:
    """What it refused is accepted."""
    found = rule_change(change, context)
    if found is None or found.came:
        return None
    hits = loosened_hits(value_shown(found.follows, "what the rule refused"))
    message = f"the rule `{found.rule.text}` is gone"
    examples = rule_examples(found.rule.text, found.follows, change, Side.NEW, context)
    if isinstance(found.follows, NotProven):
        message = f"{message}; not proven: {found.follows.reason}"
    return Verdict(message, hits, examples=examples, is_unproven=isinstance(found.follows, NotProven))
