"""Unions and their discriminators."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from apigen.dataclass import dataclass
from apigen.review.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.effects.effects import everywhere
from apigen.review.effects.text import quoted
from apigen.review.mitigations.time import Ratcheting
from apigen.review.prover.samples import samples
from apigen.review.rules.rule import change_rule
from apigen.review.rules.selecting import added, altered, removed
from apigen.review.rules.verdicts import INFO, silent
from apigen.review.surface import ElementKind, Struct, Surface, Union, struct_of
from apigen.review.verdict.example import ABSENT, Example, JsonValue, Side
from apigen.review.verdict.impact import Direction, Hit, breaks, depends
from apigen.review.verdict.verdict import Verdict

_MOST_MEMBERS = 40
_OTHER = "\0other"


@dataclass(frozen=True, slots=True)
class Choice:
    """The members that are set, and what the discriminator says (None: there is none)."""

    members: tuple[str, ...]
    value: str | None = None

    def words(self, discriminator: str | None) -> str:
        """As messages show it."""
        names = quoted(self.members, " and ") or "no member"
        if discriminator is None or self.value is None:
            return f"{names} set"
        said = "another value" if self.value == _OTHER else f"`{self.value}`"
        return f"{names} set and {said} as `{discriminator}`"

    @property
    def value_known(self) -> str | None:
        """What the discriminator says, where it is one of its values."""
        return None if self.value == _OTHER else self.value


@dataclass(frozen=True, slots=True)
class Effect:
    """The first choice that one side accepts and the other does not; None: there is none."""

    refused: Choice | None
    accepted: Choice | None


def effect(old: Union | None, new: Union | None, before: Struct, after: Struct) -> Effect:
    """Compare what both sides accept of members that are set; a member that a side does not have is not there for it."""
    both = [union for union in (old, new) if union is not None]
    return Effect(_differing(both, (old, before), (new, after)), _differing(both, (new, after), (old, before)))


def _differing(
    both: list[Union], writer: tuple[Union | None, Struct], reader: tuple[Union | None, Struct]
) -> Choice | None:
    for choice in _choices(both, writer[1]):
        if _accepts(*writer, choice) and not _accepts(*reader, choice):
            return choice
    return None


def _choices(unions: list[Union], struct: Struct) -> Iterator[Choice]:
    """All choices of at most two members that a struct has: with more, no union finds anything else."""
    names = list(dict.fromkeys(name for union in unions for name in union.members if name in struct.fields))
    values: list[str | None] = list(
        dict.fromkeys(value for union in unions for value in (*union.members.values(), *union.empty) if value)
    )
    has_discriminator = any(union.discriminator in struct.fields for union in unions if union.discriminator)
    said = [*values, _OTHER] if has_discriminator else [None]
    for number in (1, 2, 0):
        for members in combinations(names[:_MOST_MEMBERS], number):
            yield from (Choice(members, value) for value in said)


def _accepts(union: Union | None, struct: Struct, choice: Choice) -> bool:
    """As generated validation judges it."""
    if union is None:
        return True
    present = {name for name in choice.members if name in union.members and name in struct.fields}
    if union.discriminator is None:
        return len(present) == 1 or (not present and union.optional)
    value = choice.value if union.discriminator in struct.fields else None
    for name, wanted in union.members.items():
        if name in present and value != (wanted or ""):
            return False
        if name not in present and value == (wanted or "") and not union.optional:
            return False
    return True


@dataclass(frozen=True, slots=True)
class UnionChange:
    """`old` and `new` are the union on both sides, None if there is none or it is not known; `before` and `after` its struct."""

    old: Union | None
    new: Union | None
    before: Struct
    after: Struct
    effect: Effect
    examples: tuple[Example, ...]

    @property
    def added(self) -> list[str]:
        """The members that only the new union has."""
        return _members_only_in(self.new, self.old)

    @property
    def removed(self) -> list[str]:
        """The members that only the old union has."""
        return _members_only_in(self.old, self.new)

    @property
    def hits(self) -> dict[Direction, Hit]:
        """What is refused that was accepted, and the reverse."""
        found: dict[Direction, Hit] = {}
        refused, accepted = self.effect.refused, self.effect.accepted
        if refused is not None:
            words = refused.words(_discriminator(self.new, self.old))
            found[Direction.OLD_CLIENT] = breaks(f"a client of before that sends an object with {words} is refused")
            found[Direction.STORED] = breaks(f"a stored object with {words} is refused when it is judged again")
        if accepted is not None:
            words = accepted.words(_discriminator(self.new, self.old))
            found.setdefault(Direction.OLD_CLIENT, depends(f"a client of before may read an object with {words}"))
            found[Direction.NEW_CLIENT] = breaks(f"a new client that sends {words} to a server of before is refused")
            found[Direction.ROLLBACK] = breaks(f"the release before refuses an object with {words}")
        return found


def _members_only_in(one: Union | None, other: Union | None) -> list[str]:
    known = other.members if other is not None else {}
    return [name for name in one.members if name not in known] if one is not None else []


def union_change(change: AnyChange, context: Context) -> UnionChange | None:
    """Both unions of a change; a renamed union is found by its members. None if the type is not a struct on both sides."""
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
    found = effect(*pair, before, after)
    examples = (
        *_example(found.refused, Side.OLD, before, pair, context.old),
        *_example(found.accepted, Side.NEW, after, pair, context.new),
    )
    return UnionChange(*pair, before, after, found, examples)


def _overlapping(union: Union, there: Struct, here: Struct) -> Union | None:
    """The union of a struct that has a member of a union, and that the other side of the struct does not have."""
    others = (other for other in there.unions if other not in here.unions)
    return next((other for other in others if other.members.keys() & union.members.keys()), None)


def _discriminator(*unions: Union | None) -> str | None:
    return next((union.discriminator for union in unions if union is not None and union.discriminator), None)


def _example(
    choice: Choice | None, side: Side, struct: Struct, unions: tuple[Union | None, Union | None], surface: Surface
) -> tuple[Example, ...]:
    """An object in which just these members are set."""
    if choice is None:
        return ()
    beside: list[tuple[str, JsonValue]] = []
    for name in choice.members:
        found = samples(struct.fields[name].slot, surface, 1)
        if not found:
            return ()
        beside.append((name, found[0]))
    discriminator = _discriminator(*unions)
    if discriminator is not None and choice.value_known and discriminator in struct.fields:
        beside.append((discriminator, choice.value_known))
    return (Example(side, ABSENT, tuple(beside)),)


@change_rule(
    "union-member-moved", altered(Trait.MEMBERS, ElementKind.UNION), severities="W/E/E", mitigated_by=(Ratcheting(),)
)
def union_member_moved(change: Altered, context: Context) -> Verdict | None:
    """Fields that could be set together exclude each other, or the reverse."""
    found = union_change(change, context)
    if found is None:
        return None
    words = [f"`{name}` joined" for name in found.added if name in found.before.fields]
    words += [f"`{name}` left" for name in found.removed if name in found.after.fields]
    if not words:
        return None
    hits = found.hits
    text = "a server of before has another idea of which members exclude each other"
    hits.setdefault(Direction.NEW_CLIENT, depends(text))
    return Verdict(f"{', '.join(words)} the union of `{change.element.type}`", hits, examples=found.examples)


@change_rule("union-member-added", altered(Trait.MEMBERS, ElementKind.UNION), severities="I/W/W")
def union_member_added(change: Altered, context: Context) -> Verdict | None:
    """Older clients and servers see a union without a member."""
    found = union_change(change, context)
    if found is None or not found.added or found.removed or found.effect.refused is not None:
        return None
    if any(name in found.before.fields for name in found.added):
        return None
    names = quoted(found.added)
    hits = found.hits
    hits[Direction.OLD_CLIENT] = depends(f"a client of before reads an object with {names} as one without a member")
    text = f"sees no member of the union where {names} is set"
    hits.setdefault(Direction.NEW_CLIENT, depends(f"a server of before {text}"))
    hits.setdefault(Direction.ROLLBACK, depends(f"the release before {text}"))
    return Verdict(f"the union of `{change.element.type}` has the new member {names}", hits, examples=found.examples)


@change_rule("union-member-removed", altered(Trait.MEMBERS, ElementKind.UNION), severities="W/E/E")
def union_member_removed(change: Altered, context: Context) -> Verdict | None:
    """Objects with the member have no member of the union."""
    found = union_change(change, context)
    if found is None or not found.removed:
        return None
    names = quoted(found.removed)
    text = f"an object with {names} is left without a member of the union"
    hits = {Direction.STORED: breaks(text), **found.hits, Direction.OLD_CLIENT: breaks(text)}
    unknown = depends(f"a new client cannot read the member {names} of objects at a server of before")
    hits.setdefault(Direction.NEW_CLIENT, unknown)
    return Verdict(f"the union of `{change.element.type}` lost the member {names}", hits, examples=found.examples)


@change_rule(
    "discriminator-changed",
    altered(Trait.DISCRIMINATOR, ElementKind.UNION),
    altered(Trait.MEMBERS, ElementKind.UNION),
    added(ElementKind.UNION),
    severities="W/E/E",
)
def discriminator_changed(change: Added | Altered, context: Context) -> Verdict | None:
    """The field of the discriminator changed, or the values that select members."""
    found = union_change(change, context)
    if found is None or found.old is None or found.new is None:
        return None
    union, old, new = f"the union of `{change.element.type}`", found.old, found.new
    if old.discriminator != new.discriminator:
        names = value_words(new.discriminator), value_words(old.discriminator)
        message = f"the discriminator of {union} is {names[0]}, and was {names[1]}"
    elif not isinstance(change, Altered):
        return None
    elif dict(old.members) == dict(new.members):
        return silent(f"the members of {union} stand in another order")
    else:
        values = value_words(change.after), value_words(change.before)
        message = f"the values that stand for members of {union} are {values[0]}, and were {values[1]}"
    text = "who goes by the discriminator of one side takes another member for the one that is set"
    return Verdict(message, {**everywhere(depends(text)), **found.hits}, examples=found.examples)


@change_rule("union-empty-values-changed", altered(Trait.EMPTY, ElementKind.UNION), severities="I/I/W")
def union_empty_values_changed(change: Altered, context: Context) -> Verdict:
    """Servers do not validate these values; clients may."""
    words = f"the union of `{change.element.type}` has no member for {value_words(change.after)}, and had none for {value_words(change.before)}"
    text = "a client of before may look for a member, or for none, where it is the other way round"
    return Verdict(words, {Direction.OLD_CLIENT: depends(text)})


@change_rule(
    "union-tightened", altered(Trait.OPTIONAL, ElementKind.UNION), severities="W/E/E", mitigated_by=(Ratcheting(),)
)
def union_tightened(change: Altered, context: Context) -> Verdict | None:
    """From at most one to exactly one."""
    found = union_change(change, context)
    if found is None or change.after is True:
        return None
    message = f"exactly one member of the union of `{change.element.type}` must be set, and none could be"
    return Verdict(message, found.hits, examples=found.examples)


@change_rule("union-loosened", altered(Trait.OPTIONAL, ElementKind.UNION), severities="W/E/E")
def union_loosened(change: Altered, context: Context) -> Verdict | None:
    """From exactly one to at most one."""
    found = union_change(change, context)
    if found is None or change.after is not True:
        return None
    message = f"no member of the union of `{change.element.type}` need be set, and exactly one had to be"
    return Verdict(message, found.hits, examples=found.examples)


@change_rule("union-added", added(ElementKind.UNION), severities="W/E/E", mitigated_by=(Ratcheting(),))
def union_added(change: Added, context: Context) -> Verdict | None:
    """A union of new fields affects no client; a union of older fields rejects objects that were valid."""
    found = union_change(change, context)
    if found is None or found.new is None:
        return None
    names = quoted(found.new.members)
    if found.effect.refused is not None or found.effect.accepted is not None:
        how = "" if found.old is None else f", instead of {quoted(found.old.members)}"
        message = f"{names} of `{change.element.type}` are members of a union{how}"
        return Verdict(message, found.hits, examples=found.examples)
    message = f"{names} of `{change.element.type}` are members of a union that refuses no object of before"
    hit = depends("a server of before does not judge whether members exclude each other")
    return Verdict(message, {Direction.NEW_CLIENT: hit}, severities=INFO)


@change_rule("union-removed", removed(ElementKind.UNION), severities="I/W/W")
def union_removed(change: Removed, context: Context) -> Verdict | None:
    """Objects that were rejected are accepted."""
    found = union_change(change, context)
    if found is None or found.old is None:
        return None
    names = quoted(found.old.members)
    if found.new is not None:
        return silent(f"the union of {names} in `{change.element.type}` has another name or other members")
    message = f"{names} of `{change.element.type}` are no longer members of a union"
    return Verdict(message, found.hits, examples=found.examples)
