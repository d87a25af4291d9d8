"""The merge strategies of apply and patches for lists and maps."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.ir.model import Presence
from apigen.ir.surface import (
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
from apigen.language.json_values import JsonValue
from apigen.review.changes.change import Altered, Trait
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.effects.member import shape
from apigen.review.results import Direction, Effect, Example, RuleResult, Side, alike, breaks, depends, everywhere
from apigen.review.rules.rule import altered, change_rule, silent


def enforces(slot: Slot) -> bool:
    """Return whether two elements of the same identity are rejected, unless a hand-written function checks uniqueness."""
    unique = slot.constraints.get(Keyword.UNIQUE_ITEMS)
    return unique is None or unique.value is not False


def duplicates(slot: Slot, side: Side, surface: Surface) -> tuple[Example, ...]:
    """Return a list with the same element twice, by value or by keys; empty if a generated element might be rejected."""
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
    """Return the lists of either side, in the version of a field, that contain its struct and have it as a key."""
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


@change_rule(
    "merge-key-presence-changed",
    altered(Trait.PRESENCE, ElementKind.FIELD),
    altered(Trait.REQUIRED, ElementKind.FIELD),
    altered(Trait.DEFAULT, ElementKind.FIELD),
    severities="W/E/E",
)
def merge_key_presence_changed(change: Altered, context: Context) -> RuleResult | None:
    """Clients with different defaults of a key, or none, see different identities of an element without it."""
    lists = lists_keyed_by(change.element, context) if _matters(change) else ()
    if not lists:
        return None
    text = f"it is a key of `{lists[0]}`; an element without it has a different identity than before"
    effects = everywhere(breaks(text))
    aspect = "default" if change.trait is Trait.DEFAULT else "presence"
    keyed = ", ".join(f"`{each}`" for each in lists)
    return RuleResult(f"{aspect} of {change.element.words}, a list map key of {keyed}, changed", effects)


def _matters(change: Altered) -> bool:
    match change.trait:
        case Trait.REQUIRED:
            return not change.after and isinstance(change.new, Field) and change.new.presence is not Presence.PLAIN
        case Trait.PRESENCE:
            return change.after != Presence.PLAIN.value
        case _:
            return True


@change_rule("list-type-atomic", altered(Trait.LIST_TYPE), severities="W/E/E")
def list_type_atomic(change: Altered, context: Context) -> RuleResult | None:
    """A client that applies a part of the list removes elements of other appliers."""
    if not isinstance(change.old, Slot) or not isinstance(change.new, Slot) or not change.new.merge.is_atomic_list:
        return None
    if change.old.merge.is_atomic_list:
        return silent(f"{change.element.words} is still atomic")
    effects = {
        Direction.OLD_CLIENT: breaks("clients that apply a part of the list remove the elements of other appliers"),
        Direction.NEW_CLIENT: depends("an older server merges the list, and newer clients expect it to be replaced"),
        Direction.ROLLBACK: depends("the ownership of single elements is lost in the previous release"),
    }
    examples: tuple[Example, ...] = ()
    if enforces(change.old):
        effects[Direction.NEW_CLIENT] = breaks("an older server rejects lists with duplicate elements")
        effects[Direction.ROLLBACK] = breaks("the previous release rejects lists with duplicate elements")
        examples = duplicates(change.old, Side.NEW, context.old)
    return RuleResult(
        f"list type of {change.element.words} changed from {change.before} to atomic", effects, examples=examples
    )


@change_rule("list-type-associative", altered(Trait.LIST_TYPE), altered(Trait.LIST_MAP_KEYS), severities="I/W/E")
def list_type_associative(change: Altered, context: Context) -> RuleResult | None:
    """Apply merges the list by element, and duplicate elements are rejected. The reverse is `list-type-atomic`."""
    old, new = change.both(Slot)
    if change.trait is Trait.LIST_MAP_KEYS:
        is_of_type = not (change.before and change.after)
        return silent(f"list map keys of {change.element.words} changed with its list type") if is_of_type else None
    now = "by value" if change.after == "set" else f"by {', '.join(new.merge.list_map_keys) or 'keys'}"
    before = "atomic" if old.merge.is_atomic_list else str(change.before)
    after = "set" if change.after == "set" else f"map (keyed {now})"
    words = f"list type of {change.element.words} changed from {before} to {after}"
    examples = duplicates(new, Side.OLD, context.new) if enforces(new) else ()
    return RuleResult(words, _effects(old, new, now, context), examples=examples)


def _effects(old: Slot, new: Slot, now: str, context: Context) -> dict[Direction, Effect]:
    effects = {
        Direction.OLD_CLIENT: depends("clients no longer remove elements of other appliers by omitting them"),
        Direction.NEW_CLIENT: depends("an older server replaces the list, and newer clients expect it to be merged"),
    }
    if enforces(new):
        text = f"lists with duplicate elements ({now}) are rejected"
        effects[Direction.OLD_CLIENT] = breaks(text)
        effects[Direction.STORED] = breaks(f"stored objects are no longer valid: {text}")
        if context.new.ratchets:
            effects[Direction.STORED] = depends(f"a stored list stays valid until it is changed; then {text}")
    if not old.merge.is_atomic_list:
        effects[Direction.NEW_CLIENT] = breaks(
            "an older server identifies elements differently, and rejects other lists"
        )
        effects[Direction.ROLLBACK] = breaks(
            "the previous release identifies elements differently, and rejects other lists"
        )
    return effects


@change_rule("merge-keys-changed", altered(Trait.LIST_MAP_KEYS), severities="W/E/E")
def merge_keys_changed(change: Altered, context: Context) -> RuleResult:
    """One element becomes two, or the reverse. Keys that only one side has changed with `list-type-associative`."""
    before, after = value_words(change.before), value_words(change.after)
    effects = everywhere(breaks(f"appliers that own an element by {before} do not own it by {after}"))
    rejected = f"elements that differ in {before} may be duplicates in {after}, and are rejected"
    effects[Direction.STORED] = breaks(f"in stored objects, {rejected}")
    return RuleResult(f"list map keys of {change.element.words} changed from {before} to {after}", effects)


@change_rule(
    "patch-strategy-changed", altered(Trait.PATCH_STRATEGY), altered(Trait.PATCH_MERGE_KEY), severities="W/E/E"
)
def patch_strategy_changed(change: Altered, context: Context) -> RuleResult:
    """Clients compute patches with the strategy that they know, and servers apply them with their own."""
    before, after = value_words(change.before), value_words(change.after)
    text = f"a patch for {before} is applied with {after}, or the reverse"
    effects = alike(breaks(text), Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.ROLLBACK)
    return RuleResult(f"{change.trait.value} of {change.element.words} changed from {before} to {after}", effects)


_GRANULAR = (None, "granular")


@change_rule("map-type-changed", altered(Trait.MAP_TYPE), altered(Trait.STRUCT_TYPE), severities="I/W/E")
def map_type_changed(change: Altered, context: Context) -> RuleResult:
    """Field managers own single keys instead of the whole map, or the reverse."""
    if change.before in _GRANULAR and change.after in _GRANULAR:
        return silent(f"{change.element.words} is still granular")
    before, after = ("granular" if each in _GRANULAR else str(each) for each in (change.before, change.after))
    text = f"apply treats it as {after}, and the other side expects {before}"
    effects = alike(depends(text), Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.ROLLBACK)
    return RuleResult(f"{change.element.words} changed from {before} to {after}", effects)
