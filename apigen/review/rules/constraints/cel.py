"""CEL rules."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence
from apigen.ir.surface import (
    CelRule,
    Element,
    ElementKind,
    ListOf,
    Named,
    Slot,
    Struct,
    Surface,
    UnknownFields,
    field_of,
    slot_at,
    struct_of,
    unfold,
)
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Added, AnyChange, Removed
from apigen.review.context import Context
from apigen.review.effects.member import member_of, quoted
from apigen.review.effects.rejections import is_always_written, skips_empty
from apigen.review.gating import is_disabled
from apigen.review.mitigations import ratcheting, ratcheting_before
from apigen.review.prover.breaking import built_value, guesses, known_of_slot
from apigen.review.prover.cel import Fields, Path, implied, is_true_without_change
from apigen.review.prover.numbers import Numbers
from apigen.review.prover.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.review.prover.texts import Texts
from apigen.review.results import Direction, Effect, Effects, Example, RuleResult, Side, breaks, depends
from apigen.review.rules.constraints.values import loosened_effects, tightened_effects, value_shown
from apigen.review.rules.rule import about, added, change_rule, removed, silent


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule that was added or removed.

    `follows`: whether the values that the other side accepts satisfy the rule; `without_fields`: only because these fields
    are never set there; `is_about_new_values`: values that its own side accepts may violate it. `partner`: the rule that it
    replaced, or that replaced it.
    """

    rule: CelRule
    follows: Inclusion
    without_fields: frozenset[str]
    is_about_new_values: bool
    partner: CelRule | None


def is_about_updates(rule: CelRule) -> bool:
    """Return whether a rule is evaluated only if there is an old object."""
    return rule.is_transition and not rule.optional_old_self


def rule_change(change: Added | Removed, context: Context) -> RuleChange:
    """Return the rule that a change adds or removes."""
    rule, old, new = change.part, slot_at(context.old, change.element), change.holder
    assert isinstance(rule, CelRule)
    before = Ruled(old, context.old, _skips_empty(context.old, change.element))
    after = Ruled(new, context.new, _skips_empty(context.new, change.element))
    added, removed = context.latest(_effective_of_both, before, after)  # all changed rules of a slot need it
    same_side, other_side = (added, removed) if isinstance(change, Added) else (removed, added)
    accepted = Accepted(before, after) if isinstance(change, Added) else Accepted(after, before)
    kind = is_about_updates(rule)
    names = [each.name for each in same_side if is_about_updates(each) is kind]
    partners = [each for each in other_side if is_about_updates(each) is kind]
    index = names.index(rule.name) if rule.name in names else len(partners)
    follows = _follows(rule, accepted)
    unset = frozenset(accepted.unset)
    own = Accepted(after, after) if isinstance(change, Added) else accepted
    is_about_new = follows == INCLUDED and _follows(rule, accepted, own) != INCLUDED
    return RuleChange(rule, follows, unset, is_about_new, partners[index] if index < len(partners) else None)


@dataclass(frozen=True, slots=True)
class Ruled:
    """A slot with rules on one side. `skips_empty`: an empty string is not validated by its constraints, but by its rules."""

    slot: object
    surface: Surface
    skips_empty: bool


def _skips_empty(surface: Surface, element: Element) -> bool:
    """Return whether an element is, or is a rule of, a field that does."""
    struct = struct_of(surface, element)
    field = None if struct is None else field_of(struct, element.path)
    if field is None or element.path[len(field.name) :][:1] not in ("", "("):
        return False
    return skips_empty(member_of(surface, field, by_hand=False))


def _effective_of_both(before: Ruled, after: Ruled) -> tuple[list[CelRule], list[CelRule]]:
    """Return the added and the removed rules of a slot that do not follow from the rules of the other side."""
    added = _effective(after.slot, before.slot, Accepted(before, after))
    return added, _effective(before.slot, after.slot, Accepted(after, before))


def _effective(of: object, other: object, accepted: Accepted) -> list[CelRule]:
    """Return the rules of one slot that the other one does not have, and that do not follow from its rules."""
    if not isinstance(of, Slot):
        return []
    known = {rule.name for rule in other.rules} if isinstance(other, Slot) else set()
    return [rule for rule in of.rules if rule.name not in known and _follows(rule, accepted) != INCLUDED]


def _follows(rule: CelRule, accepted: Accepted, of: Accepted | None = None) -> Inclusion:
    """Return whether the values that a slot accepts satisfy a rule; a rule on updates follows only from such rules.

    `of`: another slot, whose fields and their values are considered instead.
    """
    slot = accepted.of.slot
    if not isinstance(slot, Slot):
        return implied(rule.text, ())
    kind = is_about_updates(rule)
    by = [other.text for other in slot.rules if is_about_updates(other) is kind]
    itself = known_of_slot(slot, accepted.of.surface)
    if accepted.of.skips_empty and not rule.is_transition:
        empty = implied(rule.text, by, Texts(allowed=frozenset(("",))))
        if empty != INCLUDED:
            return empty
    inclusion = implied(rule.text, by, itself)
    # the schema of an old object is unknown, so its fields are, too
    return (
        inclusion
        if inclusion == INCLUDED or rule.is_transition
        else implied(rule.text, by, itself, (of or accepted).fields)
    )


class Accepted:
    """The values that a slot of one side accepts, as the rules of the other side see them: pruned and defaulted.

    `unset` collects the fields that were looked up and that no such value has.
    """

    def __init__(self, of: Ruled, reader: Ruled) -> None:
        self.of, self._reader = of, reader
        self.unset: set[str] = set()
        self.fields = Fields(self._presence, self._values)

    def _presence(self, path: Path) -> bool | None:
        """Return whether the field of a path below the slot is set if its parent is; None if it may be."""
        read_type = _type_at(self._reader.slot, self._reader.surface, path[:-1])
        holder = _type_at(self.of.slot, self.of.surface, path[:-1])
        if path[-1] == "[]":
            return True if isinstance(holder, ListOf) and isinstance(read_type, ListOf) else None
        if not isinstance(read_type, Struct) or not isinstance(holder, Struct) or read_type.defaults or holder.defaults:
            return None
        own_field, read_field = holder.fields.get(path[-1]), read_type.fields.get(path[-1])
        if read_field is None:
            return True if own_field is not None and own_field.required and not own_field.slot.nullable else None
        member = member_of(self._reader.surface, read_field, by_hand=False)
        if is_disabled(member.gate, member.surface):
            return None
        is_always = is_always_written(member, member.start)
        if own_field is None and holder.unknown is UnknownFields.DROPPED and not holder.patterns:
            if is_always is False:
                self.unset.add(path[-1])
            return is_always
        is_required = own_field is not None and own_field.required and not own_field.slot.nullable
        return True if (is_always or is_required) and is_always_written(member, member.zero) else None

    def _values(self, path: Path) -> Numbers | Texts | None:
        """Return the values at a path; None if they are unknown, or if null or a default of the other side may be one of
        them.
        """
        slots = list(_slots(self.of.slot, self.of.surface, path))
        read_slots = list(_slots(self._reader.slot, self._reader.surface, path))
        if len(slots) <= len(path) or len(read_slots) <= len(path):
            return None
        holder = _type_at(self.of.slot, self.of.surface, path[:-1])
        field = holder.fields.get(path[-1]) if isinstance(holder, Struct) and path else None
        if any(_writes_null(each, path) for each in (self.of, self._reader)):
            return None
        if field is not None and skips_empty(member_of(self.of.surface, field, by_hand=False)):
            return None
        is_own = all(one.default in (None, other.default) for one, other in zip(read_slots, slots, strict=True))
        return known_of_slot(slots[-1], self.of.surface) if is_own and not slots[-1].nullable else None


def _slots(slot: object, surface: Surface, path: Path) -> Iterator[Slot]:
    """Yield a slot and those on a path below it, as far as it leads."""
    for step in (*path, ""):
        if not isinstance(slot, Slot):
            return
        yield slot
        found = unfold(slot, surface).type if step else None
        if isinstance(found, Struct) and step in found.fields:
            slot = found.fields[step].slot
        else:
            slot = found.item if step == "[]" and isinstance(found, ListOf) else None


def _writes_null(ruled: Ruled, path: Path) -> bool:
    """Return whether a field on a path is null where it is unset: `has` is true for null, and no bound applies to it."""
    holders = (_type_at(ruled.slot, ruled.surface, path[:end]) for end in range(len(path)))
    fields = (each.fields.get(step) for each, step in zip(holders, path, strict=True) if isinstance(each, Struct))
    return any(each is not None and each.presence is Presence.NULLABLE for each in fields)


def _type_at(slot: object, surface: Surface, path: Path) -> object:
    """Return the type at the end of a path."""
    found = list(_slots(slot, surface, path))
    return unfold(found[-1], surface).type if len(found) > len(path) else None


_MOST = 4


def rule_examples(
    rule: str, follows: Inclusion, change: AnyChange, side: Side, context: Context
) -> tuple[Example, ...]:
    """Return values that violate a rule: the counterexample and some guesses."""
    violating: list[JsonValue] = []
    if isinstance(follows, NotIncluded) and follows.counter_example is not None:
        violating.append(follows.counter_example)
    surface = context.old if side is Side.OLD else context.new
    slot = _evaluated_slot(surface, change)
    values = (built_value(guess, slot, surface) for guess in guesses(rule)) if slot is not None else ()
    for value in values:
        if value is not None and value not in violating:
            violating.append(value)
    return tuple(Example(side, value) for value in violating[:_MOST])


def _evaluated_slot(surface: Surface, change: AnyChange) -> Slot | None:
    """Return the slot whose values a rule is evaluated on."""
    slot = slot_at(surface, change.element)
    if slot is None or not change.element.path.startswith("("):
        return slot
    is_struct = isinstance(surface.type(change.element.type_name), Struct)
    return Slot(Named(change.element.type_name), slot.place) if is_struct else slot


@change_rule("rule-without-effect", added(ElementKind.RULE), removed(ElementKind.RULE), severities="I/I/I")
@about(rule_change)
def rule_without_effect(change: Added | Removed, found: RuleChange, context: Context) -> RuleResult | None:
    """White space, the order of conjuncts, a rule split in two, a comparison that a stronger comparison implies."""
    if found.follows != INCLUDED or found.is_about_new_values:
        return None
    how = "was removed, but follows from the other rules"
    if isinstance(change, Added):
        how = "was added, but follows from the previous rules"
    return RuleResult(f"CEL rule `{found.rule.text}` {how}")


@change_rule("rule-on-new-fields", added(ElementKind.RULE), severities="I/I/I")
@about(rule_change)
def rule_on_new_fields(change: Added, found: RuleChange, context: Context) -> RuleResult | None:
    """`!has(self.new) || …`, or `self.type != 'new'`: no older object violates the rule."""
    if not found.is_about_new_values:
        return None
    names = quoted(sorted(found.without_fields), " and ")
    if not names:
        return RuleResult(f"CEL rule `{found.rule.text}` was added for new values only, which no existing object has")
    text = f"newer clients set {names}, and an older server drops them and does not evaluate the rule"
    message = f"CEL rule `{found.rule.text}` was added for {names} only, which no existing object has"
    return RuleResult(message, {Direction.NEW_CLIENT: depends(text)})


@change_rule("transition-rule-added", added(ElementKind.RULE), severities="W/E/E")
@about(rule_change)
def transition_rule_added(change: Added, found: RuleChange, context: Context) -> RuleResult | None:
    """`self == oldSelf`, for example, means immutable."""
    if not is_about_updates(found.rule):
        return None
    text = found.rule.text
    effects: dict[Direction, Effect] = {}
    message = f"CEL rule `{text}` was added and rejects updates"
    if found.partner is not None:
        effects.update(loosened_effects(f"an update that `{found.partner.text}` rejected"))
        message = f"CEL rule for updates changed from `{found.partner.text}` to `{text}`"
    effects[Direction.OLD_CLIENT] = breaks("older clients that make an update that violates the rule are rejected")
    reason = "" if is_true_without_change(text) else "the rule may be false for unchanged values"
    if reason:
        effects[Direction.STORED] = depends("updates that do not change the value may be rejected")
    replaced = "" if found.partner is None else found.partner.name
    return RuleResult(message, effects, not_verified=reason, replaced_rule=replaced)


@change_rule(
    "rule-changed", added(ElementKind.RULE), removed(ElementKind.RULE), severities="W/E/E", mitigated_by=(ratcheting,)
)
@about(rule_change)
def rule_changed(change: Added | Removed, found: RuleChange, context: Context) -> RuleResult | None:
    """Neither rule is known to imply the other. Reported once, for the new rule."""
    if found.partner is None:
        return None
    rule, partner = found.rule.text, found.partner.text
    if isinstance(change, Removed):
        return silent(f"CEL rule `{rule}` was changed to `{partner}`")
    examples = (
        *rule_examples(rule, found.follows, change, Side.OLD, context),
        *rule_examples(partner, INCLUDED, change, Side.NEW, context),
    )
    tightened = tightened_effects(value_shown(found.follows, "values that the new rule rejects"))
    effects = {**loosened_effects(f"values that `{partner}` rejected"), **tightened}
    result = _result(found, f"CEL rule changed from `{partner}` to `{rule}`", effects, examples)
    return replace(result, replaced_rule=found.partner.name)


def _result(found: RuleChange, message: str, effects: Effects, examples: tuple[Example, ...]) -> RuleResult:
    reason = found.follows.reason if isinstance(found.follows, NotProven) else ""
    return RuleResult(message, effects, examples=examples, not_verified=reason)


@change_rule("rule-added", added(ElementKind.RULE), severities="W/E/E", mitigated_by=(ratcheting,))
@about(rule_change)
def rule_added(change: Added, found: RuleChange, context: Context) -> RuleResult:
    """Objects that violate the rule were accepted."""
    effects = tightened_effects(value_shown(found.follows, "values that the rule rejects"))
    examples = rule_examples(found.rule.text, found.follows, change, Side.OLD, context)
    return _result(found, f"CEL rule `{found.rule.text}` was added", effects, examples)


@change_rule("rule-removed", removed(ElementKind.RULE), severities="I/W/W", mitigated_by=(ratcheting_before,))
@about(rule_change)
def rule_removed(change: Removed, found: RuleChange, context: Context) -> RuleResult:
    """Objects that the rule rejected are accepted."""
    effects = loosened_effects(value_shown(found.follows, "values that the rule rejected"))
    examples = rule_examples(found.rule.text, found.follows, change, Side.NEW, context)
    return _result(found, f"CEL rule `{found.rule.text}` was removed", effects, examples)
