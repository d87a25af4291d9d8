"""Constraints on fields: forbidden values, updates, access, dependent fields, and hand-written validation."""

from __future__ import annotations

from apigen.compat.changes.change import Added, Altered, AnyChange, Removed, Trait
from apigen.compat.context import Context
from apigen.compat.inclusion.enforced import by_hand, refuses_no_more
from apigen.compat.inclusion.restrictions import restrictions
from apigen.compat.inclusion.samples import samples
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.mitigations.ratcheting_before import RatchetingBefore
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.constraints.comparing import (
    UPDATES,
    VALUES,
    change_in_words,
    compared,
    constraint_change,
    loosened_hits,
    tightened_hits,
    verdict_of,
)
from apigen.compat.rules.fields import is_excluded, unknown_in
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import INFO, note, silent
from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Field, Slot, Struct, UnknownFields
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.dataclass import dataclass

_VALUE = "a member of this name"


def came_excluded(change: AnyChange, context: Context) -> Verdict | None:
    """The verdict on a member that is excluded now; None for all else."""
    if not isinstance(change, Added) or not isinstance(change.part, Field) or not is_excluded(change.part):
        return None
    if unknown_in(context.old, change, context) == (UnknownFields.REFUSED,):
        return note(f"{change.element} is excluded by name, and was refused with all that is not named")
    return Verdict(f"{change.element} is excluded by name", tightened_hits(_VALUE))


def was_excluded(change: AnyChange, context: Context) -> Verdict | None:
    """The verdict on a member that is no longer excluded by name; None for all else."""
    if not isinstance(change, Removed) or not isinstance(change.part, Field) or not is_excluded(change.part):
        return None
    if unknown_in(context.new, change, context) == (UnknownFields.REFUSED,):
        return note(f"{change.element} is no longer excluded by name, and is refused with all that is not named")
    return Verdict(f"{change.element} is no longer excluded by name", loosened_hits(_VALUE))


WORDS = (Keyword.REQUIRES, Keyword.FORBIDS)


@dataclass(frozen=True, slots=True)
class Dependents:
    """The names that came and went; of what came, `came` has those that an object of before can break."""

    came: tuple[str, ...]
    went: tuple[str, ...]


def dependents(change: Altered, context: Context) -> Dependents:
    """What changed of what a field asks of those beside it."""
    before, after = restrictions(change.before), restrictions(change.after)
    came, went = after - before, before - after
    if change.keyword is Keyword.FORBIDS:
        came = frozenset(name for name in came if _has(context.old, change, name))
        went = frozenset(name for name in went if _has(context.new, change, name))
    return Dependents(tuple(sorted(came)), tuple(sorted(went)))


def broken_by(change: Altered, names: tuple[str, ...], side: Side, context: Context) -> tuple[Example, ...]:
    """A value of the field with its sibling set, or without: what one side accepts and the other refuses."""
    surface, slot = (context.old, change.old) if side is Side.OLD else (context.new, change.new)
    found = samples(slot, surface, 1) if isinstance(slot, Slot) else None
    if not found or not names:
        return ()
    if change.keyword is Keyword.REQUIRES:
        return (Example(side, found[0]),)
    struct = surface.type(change.element.type_name)
    sibling = struct.fields.get(names[0]) if isinstance(struct, Struct) else None
    other = samples(sibling.slot, surface, 1) if sibling is not None else None
    return (Example(side, found[0], ((names[0], other[0]),)),) if other else ()


def in_words(change: Altered, names: tuple[str, ...]) -> str:
    """What an object has that is judged differently."""
    how = "without" if change.keyword is Keyword.REQUIRES else "beside"
    return f"`{change.element.path}` {how} {' or '.join(f'`{name}`' for name in names)}"


def _has(surface: Surface, change: Altered, name: str) -> bool:
    struct = surface.type(change.element.type_name)
    return not isinstance(struct, Struct) or name in struct.fields


@change_rule(
    "value-refused",
    altered(Trait.CONSTRAINT),
    added(ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(Ratcheting(), RatchetingBefore()),
)
def value_refused(change: Added | Altered, context: Context) -> Verdict | None:
    """`not`, `const` or `forbidden` refuse what was accepted."""
    found = constraint_change(change, *VALUES)
    if found is None:
        return came_excluded(change, context)
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.tightens else None


@change_rule(
    "value-accepted",
    altered(Trait.CONSTRAINT),
    removed(ElementKind.FIELD),
    severities="I/W/W",
    mitigated_by=(RatchetingBefore(),),
)
def value_accepted(change: Removed | Altered, context: Context) -> Verdict | None:
    """`not`, `const` or `forbidden` refuse less."""
    found = constraint_change(change, *VALUES)
    if found is None:
        return was_excluded(change, context)
    both = compared(found, context)
    return verdict_of(change_in_words(found), both) if both.loosens else None


@change_rule("enforcement-by-hand-changed", altered(Trait.CONSTRAINT), severities="I/W/W")
def enforcement_by_hand_changed(change: Altered, context: Context) -> Verdict | None:
    """`enforcedByHand` says something else. Whether the code does, too, cannot be seen here."""
    found = constraint_change(change, Keyword.ENFORCED_BY_HAND)
    if found is None:
        return None
    old, new = found.old, found.new
    assert isinstance(old, Slot) and isinstance(new, Slot)
    gone = _more(old, new, context.new)
    added = _more(new, old, context.old)
    if not gone and not added:
        return silent(f"what code by hand enforces of {found.element} is said otherwise, and enforced as before")
    hits: dict[Direction, Hit] = {}
    if gone:
        names = _listing(gone)
        hits[Direction.NEW_CLIENT] = depends(f"on whether a new client sends what {names} refused by hand before")
        hits[Direction.ROLLBACK] = depends(f"on whether objects have what {names} refused by hand before")
    if added:
        hits[Direction.OLD_CLIENT] = depends(f"on whether {_listing(added)} was enforced before it was said")
    return Verdict(_message(found, gone, added), hits, severities=None if gone else INFO)


def _more(one: Slot, other: Slot, other_surface: Surface) -> tuple[Keyword, ...]:
    """What code by hand enforces on one side that the other side does not, be it generated or not."""
    return tuple(word for word in by_hand(one.constraints) if not refuses_no_more(other, other_surface, one, word))


def _message(found: Altered, gone: tuple[Keyword, ...], added: tuple[Keyword, ...]) -> str:
    parts = [f"no longer enforces {_listing(gone)}"] if gone else []
    parts += [f"enforces {_listing(added)}"] if added else []
    return f"code by hand {' and '.join(parts)} of {found.element}"


def _listing(words: tuple[Keyword, ...]) -> str:
    return " and ".join(f"`{word}`" for word in words)


@change_rule("update-restricted", altered(Trait.CONSTRAINT), severities="W/E/E")
def update_restricted(change: Altered, context: Context) -> Verdict | None:
    """`immutable`, `monotonic` or `update` refuse updates that went through. Nothing ratchets there: an update is the point."""
    found = constraint_change(change, *UPDATES)
    if found is None or not restrictions(found.after) - restrictions(found.before):
        return None
    hits = {Direction.OLD_CLIENT: breaks("a client of before that changes the value of an existing object is refused")}
    if restrictions(found.before) - restrictions(found.after):
        hits[Direction.NEW_CLIENT] = breaks("a new client that changes the value at a server of before is refused")
    return Verdict(change_in_words(found), hits)


@change_rule("update-freed", altered(Trait.CONSTRAINT), severities="I/I/W")
def update_freed(change: Altered, context: Context) -> Verdict | None:
    """`immutable`, `monotonic` or `update` refuse fewer updates."""
    found = constraint_change(change, *UPDATES)
    if found is None or not restrictions(found.before) - restrictions(found.after):
        return None
    return Verdict(
        change_in_words(found),
        {
            Direction.OLD_CLIENT: depends("a client of before that read the value once does not see that it changed"),
            Direction.NEW_CLIENT: breaks("a new client that changes the value at a server of before is refused"),
            Direction.ROLLBACK: depends("the release before may have relied on a value that changed meanwhile"),
        },
    )


@change_rule("access-restricted", altered(Trait.CONSTRAINT), severities="W/E/E")
def access_restricted(change: Altered, context: Context) -> Verdict | None:
    """`readOnly` or `writeOnly` came."""
    found = constraint_change(change, Keyword.READ_ONLY, Keyword.WRITE_ONLY)
    if found is None or not restrictions(found.after):
        return None
    if found.keyword is Keyword.READ_ONLY:
        text = "a client of before that sets the value finds it dropped or refused"
    else:
        text = "a client of before that reads the value no longer finds it"
    stored = depends("a stored value may be dropped when its object is written, or never be shown again")
    return Verdict(change_in_words(found), {Direction.OLD_CLIENT: breaks(text), Direction.STORED: stored})


@change_rule("access-freed", altered(Trait.CONSTRAINT), severities="I/W/W")
def access_freed(change: Altered, context: Context) -> Verdict | None:
    """`readOnly` or `writeOnly` went."""
    found = constraint_change(change, Keyword.READ_ONLY, Keyword.WRITE_ONLY)
    if found is None or restrictions(found.after):
        return None
    return Verdict(
        change_in_words(found),
        {
            Direction.OLD_CLIENT: depends("a client of before that sends back what it read sets the value"),
            Direction.NEW_CLIENT: breaks(
                "a new client finds the value dropped, refused or missing at a server of before"
            ),
            Direction.ROLLBACK: depends("the release before does not expect the value to be set by clients"),
        },
    )


@change_rule(
    "dependents-tightened",
    altered(Trait.CONSTRAINT),
    severities="W/E/E",
    mitigated_by=(Ratcheting(), RatchetingBefore()),
)
def dependents_tightened(change: Altered, context: Context) -> Verdict | None:
    """`requires` or `forbids` name fields that they did not."""
    found = constraint_change(change, *WORDS)
    named = None if found is None else dependents(found, context)
    if found is None or named is None or not named.came:
        return None
    hits = dict(tightened_hits(in_words(found, named.came)))
    if named.went:
        hits = {**loosened_hits(in_words(found, named.went)), **hits}
    examples = (*broken_by(found, named.came, Side.OLD, context), *broken_by(found, named.went, Side.NEW, context))
    return Verdict(change_in_words(found), hits, examples=examples, beside=(*named.came, *named.went))


@change_rule("dependents-loosened", altered(Trait.CONSTRAINT), severities="I/W/W", mitigated_by=(RatchetingBefore(),))
def dependents_loosened(change: Altered, context: Context) -> Verdict | None:
    """`requires` or `forbids` name fewer fields, or only fields that are new."""
    found = constraint_change(change, *WORDS)
    if found is None:
        return None
    named = dependents(found, context)
    if not named.went:
        return Verdict(f"{change_in_words(found)}, which no object of before can break", {}, severities=_HARMLESS)
    hits = loosened_hits(in_words(found, named.went))
    examples = broken_by(found, named.went, Side.NEW, context)
    return Verdict(change_in_words(found), hits, examples=examples, beside=named.went)


_HARMLESS = Severities.of("I/I/I")
