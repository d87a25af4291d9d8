"""How apply and patches merge lists and maps."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.ir.model import Presence
from apigen.review.changes.change import Altered, Trait
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.effects.effects import alike, everywhere
from apigen.review.effects.member import shape
from apigen.review.rules.rule import change_rule
from apigen.review.rules.selecting import altered
from apigen.review.rules.verdicts import silent
from apigen.review.surface import (
    Element,
    ElementKind,
    Field,
    Keyword,
    ListOf,
    Named,
    Slot,
    Struct,
    Surface,
    behind,
    definition,
    slots_of,
)
from apigen.review.verdict.example import Example, JsonValue, Side
from apigen.review.verdict.impact import Direction, Hit, breaks, depends
from apigen.review.verdict.verdict import Verdict


def enforces(slot: Slot) -> bool:
    """Whether two elements of one identity are refused: unless uniqueness is left to a hand-written function."""
    unique = slot.constraints.get(Keyword.UNIQUE_ITEMS)
    return unique is None or unique.value is not False


def duplicates(slot: Slot, side: Side, surface: Surface) -> tuple[Example, ...]:
    """A list with the same element twice, by value or by keys; none where a made-up element might be refused."""
    if not isinstance(slot.type, ListOf):
        return ()
    item = definition(surface, slot.type.item.type)
    if not isinstance(item, Struct):
        sample = shape(slot.type.item.type)[2]
        return (Example(side, [sample, sample]),)
    keys = slot.merge.list_map_keys
    element: dict[str, JsonValue] = {key: shape(item.fields[key].slot.type)[2] for key in keys if key in item.fields}
    return (Example(side, [dict(element), dict(element)]),) if element else ()


def lists_keyed_by(element: Element, context: Context) -> tuple[str, ...]:
    """The lists of either side, in the version of a field, that hold its struct and have it as a key."""
    found = {name: None for side in (context.old, context.new) for name in _lists(side, element)}
    return tuple(found)


def _lists(side: Surface, element: Element) -> Iterator[str]:
    version = side.version(element.group, element.version)
    for type_ in () if version is None else version.types.values():
        for place, slot in slots_of(type_):
            if element.path in slot.merge.list_map_keys and isinstance(slot.type, ListOf):
                item = behind(side, slot.type.item.type)
                if isinstance(item, Named) and item.name == element.type_name:
                    yield place.name


WHOLE = (None, "atomic")
"""A list of which nothing is said is as good as an atomic one: saying so changes nothing, though most tools report it."""


@change_rule(
    "merge-key-presence-changed",
    altered(Trait.PRESENCE, ElementKind.FIELD),
    altered(Trait.REQUIRED, ElementKind.FIELD),
    altered(Trait.DEFAULT, ElementKind.FIELD),
    severities="W/E/E",
)
def merge_key_presence_changed(change: Altered, context: Context) -> Verdict | None:
    """An element without its key has another identity to those who know another default, or none."""
    lists = lists_keyed_by(change.element, context) if _matters(change) else ()
    if not lists:
        return None
    text = f"elements of {lists[0]} are told apart by it, and one without it is another element than before"
    hits = everywhere(breaks(text))
    what = "default" if change.trait is Trait.DEFAULT else "presence"
    return Verdict(f"{what} of {change.element} changed, by which elements of {', '.join(lists)} are told apart", hits)


def _matters(change: Altered) -> bool:
    match change.trait:
        case Trait.REQUIRED:
            return not change.after and isinstance(change.new, Field) and change.new.presence is not Presence.PLAIN
        case Trait.PRESENCE:
            return change.after != Presence.PLAIN.value
        case _:
            return True


@change_rule("list-type-atomic", altered(Trait.LIST_TYPE), severities="W/E/E")
def list_type_atomic(change: Altered, context: Context) -> Verdict | None:
    """Who applies a part of the list now throws out what others put in."""
    if not isinstance(change.old, Slot) or change.after not in WHOLE:
        return None
    if change.before in WHOLE:
        return silent(f"{change.element} is replaced as a whole, as it was")
    hits = {
        Direction.OLD_CLIENT: breaks("who applies a part of the list removes what others put into it"),
        Direction.NEW_CLIENT: depends("a server of before merges the list, where a new client expects to replace it"),
        Direction.ROLLBACK: depends("ownership of single elements is gone when the release before is back"),
    }
    examples: tuple[Example, ...] = ()
    if enforces(change.old):
        hits[Direction.NEW_CLIENT] = breaks("a server of before refuses two elements that are the same")
        hits[Direction.ROLLBACK] = breaks("the release before refuses two elements that are the same")
        examples = duplicates(change.old, Side.NEW, context.old)
    return Verdict(f"{change.element} is replaced as a whole, and was a {change.before}", hits, examples=examples)


@change_rule("list-type-associative", altered(Trait.LIST_TYPE), altered(Trait.LIST_MAP_KEYS), severities="I/W/E")
def list_type_associative(change: Altered, context: Context) -> Verdict | None:
    """Apply merges element by element from now on, and two elements of one identity are refused."""
    if not isinstance(change.old, Slot) or not isinstance(change.new, Slot):
        return None
    if change.trait is Trait.LIST_MAP_KEYS:
        is_of_type = not (change.before and change.after)
        return silent(f"keys of {change.element} come and go with the type of the list") if is_of_type else None
    if change.after in WHOLE:
        return None
    now = "by value" if change.after == "set" else f"by {', '.join(change.new.merge.list_map_keys) or 'keys'}"
    before = "atomic" if change.before in WHOLE else str(change.before)
    words = f"elements of {change.element} are told apart {now}, and the list was {before}"
    examples = duplicates(change.new, Side.OLD, context.new) if enforces(change.new) else ()
    return Verdict(words, _hits(change, change.new, now, context), examples=examples)


def _hits(change: Altered, new: Slot, now: str, context: Context) -> dict[Direction, Hit]:
    hits = {
        Direction.OLD_CLIENT: depends("who applies it no longer removes what others put in by leaving it out"),
        Direction.NEW_CLIENT: depends(
            "a server of before replaces the list, where a new client expects it to be merged"
        ),
    }
    if enforces(new):
        text = f"two elements that are the same {now} are refused"
        hits[Direction.OLD_CLIENT] = breaks(text)
        hits[Direction.STORED] = breaks(f"a stored object is not valid any more: {text}")
        if context.new.ratchets:
            hits[Direction.STORED] = depends(f"a stored list stays good until it is changed, then {text}")
    if change.before not in WHOLE:
        hits[Direction.NEW_CLIENT] = breaks("a server of before tells elements apart otherwise, and refuses others")
        hits[Direction.ROLLBACK] = breaks("the release before tells elements apart otherwise, and refuses others")
    return hits


@change_rule("merge-keys-changed", altered(Trait.LIST_MAP_KEYS), severities="W/E/E")
def merge_keys_changed(change: Altered, context: Context) -> Verdict | None:
    """What was one element is two, or two are one."""
    if not change.before or not change.after:
        return None
    before, after = value_words(change.before), value_words(change.after)
    hits = everywhere(breaks(f"who owns an element by {before} does not own it by {after}"))
    refused = f"two elements that differ in {before} may be the same in {after}, and are refused"
    hits[Direction.STORED] = breaks(f"in a stored object, {refused}")
    return Verdict(f"elements of {change.element} are told apart by {after}, and were by {before}", hits)


@change_rule(
    "patch-strategy-changed", altered(Trait.PATCH_STRATEGY), altered(Trait.PATCH_MERGE_KEY), severities="W/E/E"
)
def patch_strategy_changed(change: Altered, context: Context) -> Verdict:
    """Clients compute such patches by the strategy that they know, and servers apply them by theirs."""
    before, after = value_words(change.before), value_words(change.after)
    text = f"a patch that was made for {before} is applied by {after}, or the reverse"
    hits = alike(breaks(text), Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.ROLLBACK)
    return Verdict(f"{change.trait.value} of {change.element} is {after}, and was {before}", hits)


_GRANULAR = (None, "granular")


@change_rule("map-type-changed", altered(Trait.MAP_TYPE), altered(Trait.STRUCT_TYPE), severities="I/W/E")
def map_type_changed(change: Altered, context: Context) -> Verdict:
    """Field managers own single keys instead of the whole map, or the reverse."""
    if change.before in _GRANULAR and change.after in _GRANULAR:
        return silent(f"{change.element} is merged, as it was")
    now = "merged member by member" if change.after in _GRANULAR else "replaced as a whole"
    text = f"apply finds it {now}, where the other side expects the reverse"
    hits = alike(depends(text), Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.ROLLBACK)
    return Verdict(f"{change.element} is {now}, and was not", hits)
