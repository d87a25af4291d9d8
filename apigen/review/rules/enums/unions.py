"""Unions and their discriminators."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from apigen.dataclass import dataclass
from apigen.ir.surface import ElementKind, Enum, Struct, Surface, Union, definition, struct_of
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.review.changes.words import from_to, value_words
from apigen.review.context import Context
from apigen.review.effects.member import quoted
from apigen.review.gating import is_accepted
from apigen.review.mitigations import ratcheting
from apigen.review.prover.samples import samples
from apigen.review.results import (
    ABSENT,
    Direction,
    Effect,
    Example,
    RuleResult,
    Severities,
    Severity,
    Side,
    breaks,
    depends,
    everywhere,
)
from apigen.review.rules.rule import INFO, about, added, altered, change_rule, removed, silent

_MOST_MEMBERS = 40
_OTHER = "\0other"


@dataclass(frozen=True, slots=True)
class Choice:
    """The set members, and the value of the discriminator (None without one)."""

    members: tuple[str, ...]
    value: str | None = None

    def words(self, discriminator: str | None) -> str:
        """Return the choice for messages."""
        names = quoted(self.members, " and ") or "no member"
        if discriminator is None or self.value is None:
            return f"{names}"
        value = "another value" if self.value == _OTHER else f"`{self.value}`"
        return f"{names} and {value} as `{discriminator}`"


def _rejected_and_accepted(
    old: Union | None, new: Union | None, before: Struct, after: Struct, sides: tuple[Surface, Surface]
) -> tuple[Choice | None, Choice | None]:
    """Return the first choice that only the base accepts, and the first that only the revision accepts.

    A side ignores members that it does not have.
    """
    unions = [union for union in (old, new) if union is not None]
    base, revision = (old, before), (new, after)
    enums = _discriminator_enum(*base, sides[0]), _discriminator_enum(*revision, sides[1])
    of_base = _possible_values(enums[0], enums[1], sides[0])
    of_revision = _possible_values(enums[1], enums[0], sides[1])
    return _differing(unions, base, revision, of_base), _differing(unions, revision, base, of_revision)


def _differing(
    unions: list[Union],
    writer: tuple[Union | None, Struct],
    reader: tuple[Union | None, Struct],
    possible: frozenset[str] | None,
) -> Choice | None:
    for choice in _choices(unions, writer[1]):
        if possible is not None and choice.value is not None and choice.value not in possible:
            continue
        if _accepts(*writer, choice) and not _accepts(*reader, choice):
            return choice
    return None


def _discriminator_enum(union: Union | None, struct: Struct, surface: Surface) -> Enum | None:
    """Return the enum of the discriminator, or None if it is not a closed enum."""
    field = None if union is None or union.discriminator is None else struct.fields.get(union.discriminator)
    enum = None if field is None else definition(surface, field.slot.type)
    return enum if isinstance(enum, Enum) and not enum.open else None


def _possible_values(enum: Enum | None, other: Enum | None, surface: Surface) -> frozenset[str] | None:
    """Return the values of the discriminator that objects of a side may have; None for any.

    A value that only this side declares counts if it is accepted: before that, no object gets it.
    """
    if enum is None:
        return None
    known = frozenset[str]() if other is None else other.values.keys()
    return frozenset(
        value.value
        for value in enum.values.values()
        if value.value in known or is_accepted(value, surface, enum.name.group)
    )


def _choices(unions: list[Union], struct: Struct) -> Iterator[Choice]:
    """Return all choices of at most two members of a struct: more members give no other result."""
    names = list(dict.fromkeys(name for union in unions for name in union.members if name in struct.fields))
    values: list[str | None] = list(
        dict.fromkeys(value for union in unions for value in (*union.members.values(), *union.empty) if value)
    )
    has_discriminator = any(union.discriminator in struct.fields for union in unions if union.discriminator)
    choices = [*values, _OTHER] if has_discriminator else [None]
    for number in (1, 2, 0):
        for members in combinations(names[:_MOST_MEMBERS], number):
            yield from (Choice(members, value) for value in choices)


def _accepts(union: Union | None, struct: Struct, choice: Choice) -> bool:
    """Return whether generated validation accepts a choice."""
    if union is None:
        return True
    present = {name for name in choice.members if name in union.members and name in struct.fields}
    if union.discriminator is None:
        return len(present) == 1 or (not present and union.optional)
    value = choice.value if union.discriminator in struct.fields else None
    for name, expected in union.members.items():
        if name in present and value != (expected or ""):
            return False
        if name not in present and value == (expected or "") and not union.optional:
            return False
    return True


@dataclass(frozen=True, slots=True)
class UnionChange:
    """`old` and `new` are the union on both sides, None if a side has none or it is not known; `before` and `after`
    its struct.
    """

    old: Union | None
    new: Union | None
    before: Struct
    after: Struct
    rejected: Choice | None
    accepted: Choice | None
    examples: tuple[Example, ...]

    @property
    def added(self) -> list[str]:
        """The members that only the revision has."""
        return _members_only_in(self.new, self.old)

    @property
    def removed(self) -> list[str]:
        """The members that only the base has."""
        return _members_only_in(self.old, self.new)

    @property
    def effects(self) -> dict[Direction, Effect]:
        """The effects of objects that are now rejected, or accepted."""
        effects: dict[Direction, Effect] = {}
        rejected, accepted = self.rejected, self.accepted
        if rejected is not None:
            words = rejected.words(_discriminator(self.new, self.old))
            effects[Direction.OLD_CLIENT] = breaks(f"older clients that set {words} are rejected")
            effects[Direction.STORED] = breaks(f"updates of stored objects with {words} are rejected")
        if accepted is not None:
            words = accepted.words(_discriminator(self.new, self.old))
            effects.setdefault(Direction.OLD_CLIENT, depends(f"older clients may receive objects with {words}"))
            effects[Direction.NEW_CLIENT] = breaks(f"newer clients that set {words} on an older server are rejected")
            effects[Direction.ROLLBACK] = breaks(f"the previous release rejects updates of objects with {words}")
        return effects


def _members_only_in(one: Union | None, other: Union | None) -> list[str]:
    known = other.members if other is not None else {}
    return [name for name in one.members if name not in known] if one is not None else []


def union_change(change: AnyChange, context: Context) -> UnionChange | None:
    """Return both unions of a change; a renamed union is found by its members. None if the type is not a struct on both sides."""
    before, after = struct_of(context.old, change.element), struct_of(context.new, change.element)
    if before is None or after is None:
        return None
    match change:
        case Altered(old=Union() as old, new=Union() as new):
            pair: tuple[Union | None, Union | None] = old, new
        case Added(part=Union() as new):
            pair = _overlapping(new, before, after), new
        case Removed(part=Union() as old):
            pair = old, _overlapping(old, after, before)
        case _:
            return None
    rejected, accepted = _rejected_and_accepted(*pair, before, after, (context.old, context.new))
    examples = (
        *_example(rejected, Side.OLD, before, pair, context.old),
        *_example(accepted, Side.NEW, after, pair, context.new),
    )
    return UnionChange(*pair, before, after, rejected, accepted, examples)


def _overlapping(union: Union, other_side: Struct, own_side: Struct) -> Union | None:
    """Return the union of a struct that shares a member with a union, and that the other side does not have."""
    others = (other for other in other_side.unions if other not in own_side.unions)
    return next((other for other in others if other.members.keys() & union.members.keys()), None)


def _discriminator(*unions: Union | None) -> str | None:
    return next((union.discriminator for union in unions if union is not None and union.discriminator), None)


def _example(
    choice: Choice | None, side: Side, struct: Struct, unions: tuple[Union | None, Union | None], surface: Surface
) -> tuple[Example, ...]:
    """Return an object in which exactly these members are set."""
    if choice is None:
        return ()
    siblings: list[tuple[str, JsonValue]] = []
    for name in choice.members:
        sampled = samples(struct.fields[name].slot, surface, 1)
        if not sampled:
            return ()
        siblings.append((name, sampled[0]))
    discriminator = _discriminator(*unions)
    if discriminator is not None and choice.value and choice.value != _OTHER and discriminator in struct.fields:
        siblings.append((discriminator, choice.value))
    return (Example(side, ABSENT, tuple(siblings)),)


@change_rule(
    "union-member-moved", altered(Trait.MEMBERS, ElementKind.UNION), severities="W/E/E", mitigated_by=(ratcheting,)
)
@about(union_change)
def union_member_moved(change: Altered, found: UnionChange, context: Context) -> RuleResult | None:
    """Fields that could be set together exclude each other, or the reverse."""
    words = [f"`{name}` was added to" for name in found.added if name in found.before.fields]
    words += [f"`{name}` was removed from" for name in found.removed if name in found.after.fields]
    if not words:
        return None
    effects = found.effects
    text = "an older server expects other members to exclude each other"
    effects.setdefault(Direction.NEW_CLIENT, depends(text))
    return RuleResult(f"{', '.join(words)} the union of `{change.element.type}`", effects, examples=found.examples)


@change_rule("union-member-added", altered(Trait.MEMBERS, ElementKind.UNION), severities="I/W/W")
@about(union_change)
def union_member_added(change: Altered, found: UnionChange, context: Context) -> RuleResult | None:
    """Older clients and servers see a union without a member."""
    if found.old is None or found.new is None or not found.added or found.removed:
        return None
    if (
        any(name in found.before.fields for name in found.added)
        or found.old.members.items() - found.new.members.items()
    ):
        return None
    problem = _selection_problem(found, found.old, found.new, context)
    if problem is None:
        return None
    names = quoted(found.added)
    effects = found.effects
    if found.rejected is None:
        effects[Direction.OLD_CLIENT] = depends(f"older clients read objects with {names} as objects without a member")
    text = f"sees no member of the union in objects with {names}"
    effects.setdefault(Direction.NEW_CLIENT, depends(f"an older server {text}"))
    effects.setdefault(Direction.ROLLBACK, depends(f"the previous release {text}"))
    message = f"member {names} was added to the union of `{change.element.type}`{problem}"
    if not problem:
        return RuleResult(message, effects, examples=found.examples)
    fix = "add a field outside of the union, or select the member by a new value of a discriminator that is an enum with `unknown:`"
    return RuleResult(message, effects, fix, severities=Severities.of("W/E/E"), examples=found.examples)


def _selection_problem(found: UnionChange, old: Union, new: Union, context: Context) -> str | None:
    """Return why the discriminator does not reveal the new members to older clients, for messages; empty if it does, or
    for a union without one. None if the union also rejects other objects.
    """
    values = {new.members[name] for name in found.added} - {None}
    rejected = found.rejected
    if rejected is not None:
        if rejected.value not in values:
            return None
        return f" for discriminator value `{rejected.value}`, which selected no member before"
    if not values or old.discriminator is None or not context.new.is_of_specs:
        return ""
    field = found.before.fields.get(old.discriminator)
    if field is not None and isinstance(definition(context.old, field.slot.type), Enum):
        return ""
    return f", but older clients cannot detect it: the discriminator `{old.discriminator}` is not an enum"


@change_rule("union-member-removed", altered(Trait.MEMBERS, ElementKind.UNION), severities="W/E/E")
@about(union_change)
def union_member_removed(change: Altered, found: UnionChange, context: Context) -> RuleResult | None:
    """Objects with the member have no member of the union."""
    if not found.removed:
        return None
    names = quoted(found.removed)
    text = f"objects with {names} have no member of the union any more"
    effects = {Direction.STORED: breaks(text), **found.effects, Direction.OLD_CLIENT: breaks(text)}
    unknown = depends(f"newer clients cannot read the member {names} in objects of an older server")
    effects.setdefault(Direction.NEW_CLIENT, unknown)
    return RuleResult(
        f"member {names} was removed from the union of `{change.element.type}`", effects, examples=found.examples
    )


@change_rule(
    "discriminator-changed",
    altered(Trait.DISCRIMINATOR, ElementKind.UNION),
    altered(Trait.MEMBERS, ElementKind.UNION),
    added(ElementKind.UNION),
    severities="W/E/E",
)
@about(union_change)
def discriminator_changed(change: Added | Altered, found: UnionChange, context: Context) -> RuleResult | None:
    """The field of the discriminator changed, or the values that select members."""
    if found.old is None or found.new is None:
        return None
    union, old, new = f"the union of `{change.element.type}`", found.old, found.new
    if old.discriminator != new.discriminator:
        was, now = (value_words(each) if each else "none" for each in (old.discriminator, new.discriminator))
        message = f"discriminator of {union} changed from {was} to {now}"
    elif not isinstance(change, Altered):
        return None
    elif dict(old.members) == dict(new.members):
        return silent(f"the order of members of {union} changed")
    else:
        message = f"discriminator values of {union} changed {from_to(change)}"
    text = "clients that use the discriminator of one side read the wrong member in objects of the other side"
    return RuleResult(message, {**everywhere(depends(text)), **found.effects}, examples=found.examples)


@change_rule("union-empty-values-changed", altered(Trait.EMPTY, ElementKind.UNION), severities="I/I/W")
def union_empty_values_changed(change: Altered, context: Context) -> RuleResult:
    """Servers do not validate these values; clients may."""
    words = f"discriminator values without a member in the union of `{change.element.type}` changed {from_to(change, 'none')}"
    text = "older clients may expect a member, or none, and find the reverse"
    return RuleResult(words, {Direction.OLD_CLIENT: depends(text)})


@change_rule(
    "union-tightened",
    altered(Trait.OPTIONAL, ElementKind.UNION),
    severities="W/E/E",
    mitigated_by=(ratcheting,),
    stops_from=Severity.WARNING,
)
@about(union_change)
def union_tightened(change: Altered, found: UnionChange, context: Context) -> RuleResult | None:
    """Handle a union that changed from at most one to exactly one member."""
    if change.after is True:
        return None
    message = f"the union of `{change.element.type}` changed from optional to required: exactly one member must be set"
    return RuleResult(message, found.effects, examples=found.examples)


@change_rule("union-loosened", altered(Trait.OPTIONAL, ElementKind.UNION), severities="W/E/E")
@about(union_change)
def union_loosened(change: Altered, found: UnionChange, context: Context) -> RuleResult:
    """Handle a union that changed from exactly one to at most one member. The reverse is `union-tightened`."""
    message = f"the union of `{change.element.type}` changed from required to optional: no member need be set"
    return RuleResult(message, found.effects, examples=found.examples)


@change_rule(
    "union-added",
    added(ElementKind.UNION),
    severities="W/E/E",
    mitigated_by=(ratcheting,),
    stops_from=Severity.WARNING,
)
@about(union_change)
def union_added(change: Added, found: UnionChange, context: Context) -> RuleResult | None:
    """A union of new fields affects no client; a union of older fields rejects objects that were valid."""
    if found.new is None:
        return None
    names = quoted(found.new.members)
    if found.rejected is not None or found.accepted is not None:
        how = "" if found.old is None else f" instead of {quoted(found.old.members)}"
        message = f"{names} of `{change.element.type}` became members of a union{how}"
        return RuleResult(message, found.effects, examples=found.examples)
    message = f"{names} of `{change.element.type}` became members of a union that accepts all existing objects"
    effect = depends("an older server does not validate that members exclude each other")
    return RuleResult(message, {Direction.NEW_CLIENT: effect}, severities=INFO)


@change_rule("union-removed", removed(ElementKind.UNION), severities="I/W/W")
@about(union_change)
def union_removed(change: Removed, found: UnionChange, context: Context) -> RuleResult | None:
    """Objects that were rejected are accepted."""
    if found.old is None:
        return None
    names = quoted(found.old.members)
    if found.new is not None:
        return silent(f"the union of {names} in `{change.element.type}` changed its name or members")
    message = f"{names} of `{change.element.type}` are no longer members of a union"
    return RuleResult(message, found.effects, examples=found.examples)
