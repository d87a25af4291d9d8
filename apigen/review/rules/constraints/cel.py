"""CEL rules."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.review.changes.change import Added, AnyChange, Removed
from apigen.review.context import Context
from apigen.review.effects.text import quoted
from apigen.review.mitigations.time import Ratcheting, RatchetingBefore
from apigen.review.prover.breaking import guesses, known_of_slot, made
from apigen.review.prover.cel import Path, implied, is_true_without_change
from apigen.review.prover.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.review.prover.unfolding import unfold
from apigen.review.rules.constraints.comparing import loosened_hits, tightened_hits, value_shown
from apigen.review.rules.once_per_change import once_per_change
from apigen.review.rules.rule import change_rule
from apigen.review.rules.selecting import added, removed
from apigen.review.rules.verdicts import silent
from apigen.review.surface import (
    CelRule,
    ElementKind,
    ListOf,
    Named,
    Slot,
    Struct,
    Surface,
    UnknownFields,
    slot_at,
)
from apigen.review.verdict.example import Example, JsonValue, Side
from apigen.review.verdict.impact import Direction, Effects, Hit, breaks, depends
from apigen.review.verdict.verdict import Verdict


@dataclass(frozen=True, slots=True)
class RuleChange:
    """`follows`: whether what the other side accepts satisfies the rule; `without_fields`: it does because fields are never set there.

    `partner`: the rule that it replaced, or that replaced it.
    """

    rule: CelRule
    follows: Inclusion
    without_fields: frozenset[str]
    partner: CelRule | None


def is_about_updates(rule: CelRule) -> bool:
    """Whether a rule is asked only where there is an old object."""
    return rule.is_transition and not rule.optional_old_self


@once_per_change
def rule_change(change: Added | Removed, context: Context) -> RuleChange:
    """The rule that a change adds or removes."""
    rule, old, new = change.part, slot_at(context.old, change.element), change.holder
    assert isinstance(rule, CelRule)
    at_old, at_new = Accepted(old, context.old, new, context.new), Accepted(new, context.new, old, context.old)
    added, removed = _effective(new, old, at_old), _effective(old, new, at_new)
    mine, theirs = (added, removed) if isinstance(change, Added) else (removed, added)
    accepted = at_old if isinstance(change, Added) else at_new
    kind = is_about_updates(rule)
    names = [each.name for each in mine if is_about_updates(each) is kind]
    partners = [each for each in theirs if is_about_updates(each) is kind]
    index = names.index(rule.name) if rule.name in names else len(partners)
    accepted.unset.clear()
    follows = _follows(rule, accepted)
    unset = frozenset(accepted.unset) if follows == INCLUDED else frozenset()
    return RuleChange(rule, follows, unset, partners[index] if index < len(partners) else None)


def _effective(of: object, other: object, accepted: Accepted) -> list[CelRule]:
    """The rules of one slot that another has not, and that do not follow from what it has."""
    if not isinstance(of, Slot):
        return []
    known = {rule.name for rule in other.rules} if isinstance(other, Slot) else set()
    return [rule for rule in of.rules if rule.name not in known and _follows(rule, accepted) != INCLUDED]


def _follows(rule: CelRule, accepted: Accepted) -> Inclusion:
    """Whether what a slot accepts satisfies a rule; one about updates follows only from such."""
    slot = accepted.slot
    if not isinstance(slot, Slot):
        return implied(rule.text, ())
    kind = is_about_updates(rule)
    by = [other.text for other in slot.rules if is_about_updates(other) is kind]
    itself = known_of_slot(slot, accepted.surface)
    found = implied(rule.text, by, itself)
    # what an old object has is not known from the schema that it was written with
    return found if found == INCLUDED or rule.is_transition else implied(rule.text, by, itself, accepted.presence)


class Accepted:
    """What a slot of one side accepts, as the rules of the other side see it: pruned and with defaults.

    `unset` collects the fields that a question was about and that no such value has.
    """

    def __init__(self, slot: object, surface: Surface, judge: object, judging: Surface) -> None:
        self.slot, self.surface = slot, surface
        self._judge, self._judging = judge, judging
        self.unset: set[str] = set()

    def presence(self, path: Path) -> bool | None:
        """Whether the field of a path below the slot is set wherever the value around it is; None: it may be."""
        found = self._at(self._judge, self._judging, path[:-1])
        holder = self._at(self.slot, self.surface, path[:-1])
        if path[-1] == "[]":
            return True if isinstance(holder, ListOf) and isinstance(found, ListOf) else None
        if not isinstance(found, Struct) or not isinstance(holder, Struct) or found.defaults or holder.defaults:
            return None
        mine, theirs = holder.fields.get(path[-1]), found.fields.get(path[-1])
        if any(field is not None and field.slot.default is not None for field in (mine, theirs)):
            return True
        if mine is None and theirs is not None and holder.unknown is UnknownFields.DROPPED and not holder.patterns:
            self.unset.add(path[-1])
            return False
        return True if mine is not None and mine.required and not mine.slot.nullable else None

    @staticmethod
    def _at(slot: object, surface: Surface, path: Path) -> object:
        """The type at the end of a path."""
        found: object = unfold(slot, surface).type if isinstance(slot, Slot) else None
        for step in path:
            inner = found.item if step == "[]" and isinstance(found, ListOf) else None
            if isinstance(found, Struct) and step in found.fields:
                inner = found.fields[step].slot
            found = None if inner is None else unfold(inner, surface).type
        return found


_MOST = 4


def rule_examples(
    rule: str, follows: Inclusion, change: AnyChange, side: Side, context: Context
) -> tuple[Example, ...]:
    """Values against a rule: the one that refutes it, and guesses, at most a few."""
    found: list[JsonValue] = []
    if isinstance(follows, NotIncluded) and follows.counter_example is not None:
        found.append(follows.counter_example)
    surface = context.old if side is Side.OLD else context.new
    slot = _judged(surface, change)
    values = (made(guess, slot, surface) for guess in guesses(rule)) if slot is not None else ()
    for value in values:
        if value is not None and value not in found:
            found.append(value)
    return tuple(Example(side, value) for value in found[:_MOST])


def _judged(surface: Surface, change: AnyChange) -> Slot | None:
    """The slot whose values a rule is evaluated on."""
    slot = slot_at(surface, change.element)
    if slot is None or not change.element.path.startswith("("):
        return slot
    is_struct = isinstance(surface.type(change.element.type_name), Struct)
    return Slot(Named(change.element.type_name), slot.place) if is_struct else slot


@change_rule("rule-without-effect", added(ElementKind.RULE), removed(ElementKind.RULE), severities="I/I/I")
def rule_without_effect(change: Added | Removed, context: Context) -> Verdict | None:
    """White space, the order of conjuncts, a rule split in two, a comparison that a stronger comparison implies."""
    found = rule_change(change, context)
    if found.follows != INCLUDED or (found.without_fields and isinstance(change, Added)):
        return None
    how = "is gone, and follows from what is asked"
    if isinstance(change, Added):
        how = "is new, and follows from what was asked before"
    return Verdict(f"the rule `{found.rule.text}` {how}")


@change_rule("rule-on-new-fields", added(ElementKind.RULE), severities="I/I/I")
def rule_on_new_fields(change: Added, context: Context) -> Verdict | None:
    """`!has(self.new) || …`: no older object violates the rule."""
    found = rule_change(change, context)
    if found.follows != INCLUDED or not found.without_fields:
        return None
    names = quoted(sorted(found.without_fields), " and ")
    text = f"a new client that sets {names} at a server of before finds the rule not asked and the field dropped"
    message = f"the rule `{found.rule.text}` is about {names} alone, which no object of the base has"
    return Verdict(message, {Direction.NEW_CLIENT: depends(text)})


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
    reason = "" if is_true_without_change(text) else "whether it holds where nothing changes"
    if reason:
        hits[Direction.STORED] = depends("an update that leaves the value as it is may be refused")
    return Verdict(message, hits, not_verified=reason)


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
    reason = found.follows.reason if isinstance(found.follows, NotProven) else ""
    return Verdict(message, hits, examples=examples, not_verified=reason)


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
