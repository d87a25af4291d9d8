"""What a default does to structs that an object omits: they are not zero any more, and are judged."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence
from apigen.review.effects.effects import alike, joined
from apigen.review.effects.handling import (
    canonical,
    filled,
    is_zero,
    on_wire,
    read,
    refusal,
    refusal_by_unions,
    refusal_when_cleared,
    violation,
    written,
)
from apigen.review.effects.member import Computed, Form, Member, State, filled_from_above, member_of
from apigen.review.effects.text import shown, state_in_words
from apigen.review.gating import is_off
from apigen.review.surface import (
    Constraint,
    Constraints,
    Element,
    Enum,
    Field,
    Keyword,
    Scalar,
    Scalars,
    Struct,
    Surface,
    TypeName,
    UnknownFields,
    definition,
    field_at,
    unfolded,
)
from apigen.review.verdict.example import ABSENT, Example, JsonValue, Missing, Side
from apigen.review.verdict.impact import CLIENTS, Direction, Effects, Hit, Impact, breaks, depends

HELD = frozenset({Presence.PLAIN, Presence.OMIT_EMPTY})
"""How fields hold a struct that is there whether an object has it or not."""


def woken(default: Surface, other: Surface, name: TypeName, field: Field) -> str:
    """Why objects that omit a struct with a field are rejected by the side on which its default fills it in.

    Empty where they are not, or where the other side judges the struct as well. A struct that is zero is omitted and
    not judged (`omitEmpty`); with a default in it, it is neither.
    """
    if not _is_filled(member_of(default, field)):
        return ""
    for holder, inner in left_out_structs(default):
        if not any(each.name == name for each in parts_of(default, inner)):
            continue
        before = other.type(inner.name)
        if isinstance(before, Struct) and any(
            _is_filled(each) and not _is_cleared(each) for each in _members(other, before)
        ):
            continue
        reason = _refusal(default, inner)
        if reason:
            return f"{holder} is no longer zero, and {reason}"
    return ""


def refusal_when_woken(member: Member) -> str:
    """Why a struct that the client omits is rejected after defaults of its fields create it; empty if it is accepted."""
    held = member.struct if member.presence in HELD else None
    if held is None or not has_defaults(member.surface, held):
        return ""
    return _refusal(member.surface, held)


def woken_at(default: Surface, other: Surface, element: Element) -> str:
    """The same of an element, which is a field or something else, of which this says nothing."""
    field = field_at(default, element)
    return "" if field is None else woken(default, other, element.type_name, field)


def is_filled_at(surface: Surface, element: Element) -> bool:
    """Whether defaults make something of a field, or of the struct in it, that is omitted."""
    field = field_at(surface, element)
    if field is None:
        return False
    member = member_of(surface, field)
    is_held = member.struct is not None and member.presence in HELD
    return _is_filled(member) or (is_held and _wakes(surface, member))


def of_added(hits: Effects, reason: str, *, ratchets: bool) -> dict[Direction, Hit]:
    """The effects of a new field or default, with those of the structs that its default wakes.

    `ratchets`: the side with the default does not validate unchanged values again.
    """
    sent = f"a client of before that leaves out a struct with it is refused: {reason}"
    stored = f"a stored object that leaves out a struct with it is not valid: {reason}"
    more = {Direction.OLD_CLIENT: breaks(sent)} | ({} if ratchets else {Direction.STORED: depends(stored)})
    return joined((more, hits)) if reason else dict(hits)


def of_removed(hits: Effects, reason: str, *, ratchets: bool) -> dict[Direction, Hit]:
    """The effects of a removed field or default, likewise: there the previous release rejects objects."""
    sent = f"a server of before refuses objects that leave out a struct with it: {reason}"
    stored = f"the release before finds objects that leave out a struct with it wrong: {reason}"
    more = {Direction.NEW_CLIENT: breaks(sent)} | ({} if ratchets else {Direction.ROLLBACK: depends(stored)})
    return joined((more, hits)) if reason else dict(hits)


def left_out_structs(surface: Surface) -> Iterator[tuple[str, Struct]]:
    """The fields that are omitted where the struct in them is zero, with that struct."""
    for struct in surface.structs():
        for field in struct.fields.values():
            inner = definition(surface, field.slot.type) if field.presence is Presence.OMIT_EMPTY else None
            if isinstance(inner, Struct):
                yield f"{struct.name.name}.{field.name}", inner


def parts_of(surface: Surface, struct: Struct, presences: frozenset[Presence] = HELD) -> list[Struct]:
    """A struct and those that are there with it, whatever an object says; `presences` are those of fields that hold them."""
    found = {struct.name: struct}
    waiting = [struct]
    while waiting:
        for field in waiting.pop().fields.values():
            inner = definition(surface, field.slot.type) if field.presence in presences else None
            if isinstance(inner, Struct) and inner.name not in found:
                found[inner.name] = inner
                waiting.append(inner)
    return list(found.values())


def has_defaults(surface: Surface, struct: Struct) -> bool:
    """Whether a default fills in something of the struct, or of what is there with it."""
    return any(_is_filled(member) for member in _members(surface, struct))


def is_surely_woken(surface: Surface, struct: Struct) -> bool:
    """Whether one does so for certain: what is computed may come to nothing."""
    return any(_is_filled(each) and not isinstance(each.default, Computed) for each in _members(surface, struct))


def _members(surface: Surface, struct: Struct) -> Iterator[Member]:
    for part in parts_of(surface, struct):
        yield from (member_of(surface, field) for field in part.fields.values())


def _is_filled(member: Member) -> bool:
    """Whether a default makes something of nothing."""
    return not isinstance(member.default, Missing) and filled(member, member.start) != member.start


def _is_cleared(member: Member) -> bool:
    """Whether the gate of a field is off, so that a server clears what its default filled in."""
    return is_off(member.gate, member.surface)


def _refusal(surface: Surface, struct: Struct) -> str:
    """Why the struct with nothing but defaults is rejected; a part that stays zero, and may, is not judged."""
    for part in parts_of(surface, struct):
        if part is not struct and not has_defaults(surface, part):
            continue
        for field in part.fields.values():
            member = member_of(surface, field)
            is_woken = member.form is Form.STRUCT and field.presence in HELD
            reason = "" if is_woken and _wakes(surface, member) else refusal(member, filled(member, member.start))
            if reason:
                return f"{field.name} in it is refused: {reason}"
        reason = refusal_by_unions(surface, part)
        if reason:
            return f"{part.name.name} is refused: {reason}"
    return ""


def _wakes(surface: Surface, member: Member) -> bool:
    return member.struct is not None and has_defaults(surface, member.struct)


_OTHERS = frozenset(
    {Keyword.IMMUTABLE, Keyword.MONOTONIC, Keyword.UPDATE, Keyword.REQUIRES, Keyword.FORBIDS}
    | {Keyword.IF_ENABLED, Keyword.IF_DISABLED, Keyword.IF_MODE, Keyword.SUBFIELDS}
)
"""Keywords that are about updates, about other fields, or hold under a condition."""


def refusal_of_default(member: Member, holder: Struct, other: Struct | None) -> str:
    """The first reason for which the default of a field is rejected in some object; empty where there is none.

    It is a field of `holder`; `other` is that struct on the side without the field. What is rejected in all objects, or
    under a condition, is not told here.
    """
    state = filled(member, member.start)
    return next(_reasons(member, state, holder, other), "") if may_be_set(member, state) else ""


def _reasons(member: Member, state: State, holder: Struct, other: Struct | None) -> Iterator[str]:
    if isinstance(state, Computed) and state.values is None and (asked := _asked_of_values(member)):
        yield f"what its default computes need not meet `{asked}`"
    if isinstance(state, Computed) and state.may_be_nothing and (refused := refusal(member, member.start)):
        yield f"its default may give nothing, and {refused}"
    for name in _names(member, Keyword.REQUIRES):
        if name in holder.fields and not _is_always_set(member_of(member.surface, holder.fields[name])):
            yield f"it asks for {name} beside it"
    for name in _names(member, Keyword.FORBIDS):
        field = holder.fields.get(name)
        is_known = other is None or name in other.fields
        if field is not None and (is_known or _may_start_set(member_of(member.surface, field))):
            yield f"it may not stand beside {name}"


def _names(member: Member, keyword: Keyword) -> tuple[str, ...]:
    said = member.constraints.get(keyword)
    return said.value if said is not None and isinstance(said.value, tuple) else ()


def may_be_set(member: Member, state: State) -> bool:
    """Whether a state is one that counts as set; what is computed may be."""
    if isinstance(state, Computed):
        return True
    is_empty = is_zero(member, state) and (not member.can_be_none or member.form is Form.CONTAINER)
    return state is not None and not isinstance(state, Missing) and not is_empty


def _may_start_set(member: Member) -> bool:
    return may_be_set(member, filled(member, member.start))


def _is_always_set(member: Member) -> bool:
    state = filled(member, member.start)
    return not state.may_be_nothing if isinstance(state, Computed) else may_be_set(member, state)


def _asked_of_values(member: Member) -> str:
    """A constraint of the field that is about values, or a rule; empty where there is none."""
    words = (keyword.value for keyword in member.constraints if keyword not in _OTHERS)
    rules = (rule.name for rule in member.slot.rules if rule.optional_old_self or not rule.is_transition)
    return next(words, "") or next(rules, "")


_OF_VALUES = (
    *(Keyword.MINIMUM, Keyword.MAXIMUM, Keyword.EXCLUSIVE_MINIMUM, Keyword.EXCLUSIVE_MAXIMUM, Keyword.MULTIPLE_OF),
    *(Keyword.MIN_LENGTH, Keyword.MAX_LENGTH, Keyword.MAX_BYTES, Keyword.PATTERN, Keyword.FORMAT),
    *(Keyword.MIN_ITEMS, Keyword.MAX_ITEMS, Keyword.UNIQUE_ITEMS, Keyword.MIN_PROPERTIES, Keyword.MAX_PROPERTIES),
)
"""Those that a zero value, or what a default fills in, may violate; others are about updates."""

_FORBIDDEN = "its default sets it, which is forbidden"


@dataclass(frozen=True, slots=True)
class Beside:
    """The struct of a field on the side that knows it, and as the other side has it (None: not at all)."""

    surface: Surface
    holder: Struct
    other: Surface
    other_holder: Struct | None


def hits_under_conditions(member: Member, beside: Beside, refused: Mapping[Direction, str]) -> Effects:
    """What rejects an object without the field where a condition of `ifMode`, `ifEnabled` or `ifDisabled` holds: a hit in each
    direction of `refused`, which says who is; none where nobody is.

    Modes are in the hands of clients, gates in those of who runs the server. The gate of the field itself asks nothing:
    what validation demands, it demands of fields that are off; but what a default gave is cleared before it is forbidden.
    """
    found = [*_in_blocks(member), *_in_other_modes(member, beside)]
    return joined({each: Hit(impact, f"{who}: {text}") for each, who in refused.items()} for impact, text in found)


def _in_blocks(member: Member) -> Iterator[tuple[Impact, str]]:
    for impact, condition, words in _blocks(member):
        for of_block, reason in _refusals(member, words):
            is_sure = Impact.BREAKS is impact is of_block
            yield Impact.BREAKS if is_sure else Impact.DEPENDS, f"{reason} where {condition}"


def _refusals(member: Member, words: Mapping[str, JsonValue]) -> Iterator[tuple[Impact, str]]:
    """What a block of constraints rejects of an unset field."""
    asked = _with(member, words)
    state = filled(asked, asked.start)
    for value, impact in _values(state):
        reason = refusal(asked, value)
        if reason:
            yield impact, reason
    if isinstance(state, Computed) and state.values is None and (said := _about_values(words)):
        yield Impact.DEPENDS, f"what its default computes need not meet `{said}`"
    if words.get(Keyword.FORBIDDEN.value) is True and may_be_set(member, state):
        yield _of_what_is_given(member, state), _FORBIDDEN


def _values(state: State) -> list[tuple[State, Impact]]:
    """The values that a field has which nobody sets, with how sure that is."""
    if isinstance(state, Computed):
        return [(value, Impact.DEPENDS) for value in state.values or ()]
    return [(state, Impact.BREAKS)]


def _of_what_is_given(member: Member, state: State) -> Impact:
    """How sure it is that a default sets the field: it may come to nothing, and a gate that is off clears it."""
    is_sure = not isinstance(state, Computed) and not is_off(member.gate, member.surface)
    return Impact.BREAKS if is_sure else Impact.DEPENDS


def _in_other_modes(member: Member, beside: Beside) -> Iterator[tuple[Impact, str]]:
    """In a mode that is not listed the field must not be set, and a default sets it."""
    state = filled(member, member.start)
    if not may_be_set(member, state):
        return
    for name, modes in nested_in(member.constraints, Keyword.IF_MODE).items():
        for impact, mode in _other_mode(name, modes if isinstance(modes, dict) else {}, beside):
            is_sure = Impact.BREAKS is impact is _of_what_is_given(member, state)
            words = f"{_FORBIDDEN} where {name} is {mode}"
            yield Impact.BREAKS if is_sure else Impact.DEPENDS, words


def _other_mode(name: str, modes: Mapping[str, JsonValue], beside: Beside) -> Iterator[tuple[Impact, str]]:
    """The modes that are not listed and that an object may have which the other side wrote; a side that does not know the
    field next to leaves it out.
    """
    field = beside.holder.fields.get(name)
    if field is None:
        return
    known = None if beside.other_holder is None else beside.other_holder.fields.get(name)
    chooser = member_of(beside.surface, field)
    start = filled(chooser, chooser.start)
    if isinstance(start, Computed):
        yield Impact.DEPENDS, "what its default computes"
    elif _mode(chooser, start) not in modes and not refusal(chooser, start):
        yield Impact.BREAKS, _mode(chooser, start) or "left out"
    for impact, mode in _sendable(beside.other, known) if known is not None else ():
        if mode not in modes:
            yield impact, mode


def _mode(chooser: Member, state: State) -> str | None:
    """What a block for a value would be called; None where there can be none. A flag that is omitted is false."""
    if chooser.slot.type == Scalar(Scalars.BOOL):
        return "true" if state is True else "false"
    return state if isinstance(state, str) else None


def _sendable(surface: Surface, field: Field) -> Iterator[tuple[Impact, str]]:
    """The modes that a client may ask for; of a text that may be anything, one that is called so."""
    behind = definition(surface, field.slot.type)
    if isinstance(behind, Enum):
        for value in behind.values.values():
            yield Impact.DEPENDS if is_off(value.gate, surface) else Impact.BREAKS, value.value
    elif unfolded(surface, field.slot).type == Scalar(Scalars.BOOL):
        yield from ((Impact.BREAKS, word) for word in ("true", "false"))
        return
    if not isinstance(behind, Enum) or behind.open:
        yield Impact.BREAKS, "another"


def _blocks(member: Member) -> Iterator[tuple[Impact, str, Mapping[str, JsonValue]]]:
    for name, modes in nested_in(member.constraints, Keyword.IF_MODE).items():
        for mode, words in modes.items() if isinstance(modes, dict) else ():
            if isinstance(words, dict):
                yield Impact.BREAKS, f"{name} is {mode}", words
    for keyword, state in ((Keyword.IF_ENABLED, "on"), (Keyword.IF_DISABLED, "off")):
        for gate, words in nested_in(member.constraints, keyword).items():
            if isinstance(words, dict):
                yield Impact.DEPENDS, f"{gate} is {state}", words


def nested_in(constraints: Constraints, keyword: Keyword) -> Mapping[str, JsonValue]:
    """What a keyword nests by gate, by field or by member, in the words of the spec language; empty where it is not there."""
    said = constraints.get(keyword)
    found: JsonValue = json.loads(said.value) if said is not None and isinstance(said.value, str) else {}
    return found if isinstance(found, dict) else {}


def _with(member: Member, words: Mapping[str, JsonValue]) -> Member:
    """The member as it is where a condition holds."""
    added = {
        keyword: Constraint(value, member.slot.place)
        for keyword in _OF_VALUES
        if isinstance(value := words.get(keyword.value), int | float | str)
    }
    if Keyword.NOT_VALUE.value in words:
        excluded = canonical(words[Keyword.NOT_VALUE.value])
        added[Keyword.NOT_VALUE] = Constraint(excluded, member.slot.place)
    slot = replace(member.slot, constraints={**member.constraints, **added})
    return replace(member, slot=slot, required=member.required or words.get("required") is True)


def _about_values(words: Mapping[str, JsonValue]) -> str:
    """A keyword of a block that is about values; empty where it has none."""
    about = (*_OF_VALUES, Keyword.NOT_VALUE)
    return next((keyword.value for keyword in about if words.get(keyword.value)), "")


_BACKWARD = (Direction.NEW_CLIENT, Direction.ROLLBACK)
_STATUS = "status"


@dataclass(frozen=True, slots=True)
class Unjudged:
    """The structs of a surface that are zero in some object that it accepts, though it might reject that if it looked.

    A struct that is always written is judged when it is omitted, as if it had been sent empty. Two are not:

    - one that is omitted when zero (`omitEmpty`), unless a default in it wakes it: `left_out`, with what is always there in
      it. `woken` are those that a default wakes: they are judged like others. One whose default is computed is both.
    - a status that is a subresource: create resets it, and an update judges only what differs from that, and from what
      defaults fill in when it is read back. `in_status`: those that are always there in one.
    """

    left_out: frozenset[TypeName]
    woken: frozenset[TypeName]
    in_status: frozenset[TypeName]

    @classmethod
    def of(cls, surface: Surface) -> Unjudged:
        """Those of a surface."""
        left_out: set[TypeName] = set()
        woken: set[TypeName] = set()
        above = filled_from_above(surface)
        for _, struct in left_out_structs(surface):
            parts = parts_of(surface, struct)
            if not is_surely_woken(surface, struct):
                left_out |= {part.name for part in parts}
            if has_defaults(surface, struct) or any(above & part.fields.keys() for part in parts):
                woken |= {part.name for part in parts_of(surface, struct, frozenset({Presence.PLAIN}))}
        in_status = {part.name for status in _statuses(surface) for part in parts_of(surface, status)}
        return cls(frozenset(left_out), frozenset(woken), frozenset(in_status))


def hits_left_out(
    old: Member, new: Member, name: TypeName, sides: tuple[Unjudged, Unjudged], *, has_wire: bool
) -> Effects:
    """What each direction does to the field of a struct that is omitted when zero; `sides` are the old one and the new.

    `has_wire`: it has a number in protobuf, where such a struct is written all the same.
    """
    before, after = sides
    hits: dict[Direction, Hit] = {}
    for direction in Direction:
        is_backward = direction in _BACKWARD
        writer, reader = (new, old) if is_backward else (old, new)
        there, here = (after, before) if is_backward else (before, after)
        is_judged_when_written = has_wire and (direction in CLIENTS or not reader.surface.ratchets)
        text = ""
        if name in there.left_out:
            text = _arrival(writer, reader, is_judged=name in here.woken, is_judged_when_written=is_judged_when_written)
        lost = _departure(writer, reader) if name in here.left_out else ""
        if text:
            hits[direction] = depends(f"an object that leaves out a struct with it {text}")
        elif lost:
            hits[direction] = depends(f"an object that has a struct with nothing but {lost} in it has none after")
    return hits


def refusal_of_update(member: Member) -> str:
    """Why an update by who does not know the field is rejected; empty where it is not.

    What a default computes may be something else after the update.
    """
    words = [keyword.value for keyword in (Keyword.IMMUTABLE, Keyword.UPDATE) if keyword in member.constraints]
    is_computed = isinstance(filled(member, member.start), Computed)
    return f"{words[0]} does not let its default become another" if words and is_computed else ""


def _arrival(writer: Member, reader: Member, *, is_judged: bool, is_judged_when_written: bool) -> str:
    """What becomes of the zero of the writer; empty where nothing does, or where another rule says it.

    `is_judged`: also where the struct is omitted; `is_judged_when_written`: at least where protobuf writes it.
    """
    state = filled(writer, writer.start)
    if state != writer.start:
        return ""  # then the struct is not omitted there
    arrived = filled(reader, reader.start)
    reason = refusal(reader, arrived) if is_judged else ""
    if reason:
        return f"is refused: {reason}"
    if arrived not in (reader.start, state):
        return f"has {state_in_words(arrived)} in it after"
    reason = _refusal_on_wire(writer, reader) if is_judged_when_written else ""
    return f"is refused where it is sent in protobuf, which writes the zero in it: {reason}" if reason else ""


def _refusal_on_wire(writer: Member, reader: Member) -> str:
    """Why the zero that protobuf keeps is rejected: who tells zero from nothing finds a struct that is not zero, and judges it."""
    sent = on_wire(writer, writer.start)
    if isinstance(sent, Missing):
        return ""
    arrived = filled(reader, read(reader, sent))
    return "" if arrived == reader.start else refusal(reader, arrived)


def _departure(writer: Member, reader: Member) -> str:
    """What the writer tells from nothing, and the reader does not: a struct with that alone is zero there, and omitted."""
    for state in (filled(writer, writer.start), writer.zero):
        if isinstance(state, Computed | Missing) or state == writer.start or refusal(writer, state):
            continue
        sent = written(writer, state)
        if not isinstance(sent, Missing) and filled(reader, read(reader, sent)) == reader.start:
            return shown(state)
    return ""


def _statuses(surface: Surface) -> Iterator[Struct]:
    """The structs of statuses that are there in every object, by default or always, of kinds that have them as a subresource."""
    for version in surface.versions():
        for kind in version.kinds.values():
            root = surface.type(kind.root) if _STATUS in kind.subresources else None
            field = root.fields.get(_STATUS) if isinstance(root, Struct) else None
            if field is None:
                continue
            member, status = member_of(surface, field), definition(surface, field.slot.type)
            if isinstance(status, Struct) and filled(member, member.start) is not None:
                yield status


def added_hits(member: Member, unknown: UnknownFields) -> dict[Direction, Hit]:
    """A field that the old side does not know; `unknown`: what that does with such members."""
    hits: dict[Direction, Hit] = {}
    state = filled(member, read(member, ABSENT))
    reason = _reason(member, state)
    if reason:
        hits[Direction.OLD_CLIENT] = breaks(f"a client of before, which does not send it, is refused: {reason}")
        hits[Direction.STORED] = breaks(f"a stored object without it is refused: {reason}")
    else:
        cleared = refusal_when_cleared(member)
        if cleared:
            text = f"a client of before is refused by a server that clears the field while its gate is off: {cleared}"
            hits[Direction.OLD_CLIENT] = depends(text)
        if _is_rewritten(member, state):
            text = f"stored objects, which do not have it, are rewritten with {state_in_words(state)}"
            hits[Direction.STORED] = depends(text)
    if unknown is UnknownFields.KEPT:
        sent = "a client of before may send a member of this name, which was not judged as this field is"
        stored = "stored objects may hold a member of this name already, which was not judged as this field is"
        return joined((hits, {Direction.OLD_CLIENT: depends(sent), Direction.STORED: depends(stored)}))
    if unknown is UnknownFields.REFUSED:
        hits[Direction.NEW_CLIENT] = breaks("a server of before refuses objects with a member that it does not know")
        hits[Direction.ROLLBACK] = breaks("the release before refuses objects with a member that it does not know")
        return hits
    text = "a server of before drops what a new client sets, or refuses it where it is strict"
    hits[Direction.NEW_CLIENT] = depends(text)
    hits[Direction.ROLLBACK] = depends("the release before drops it when it writes the object again")
    return hits


def is_always_there(member: Member) -> bool:
    """Whether objects without the field are written with it, although no default fills it in."""
    return isinstance(member.default, Missing) and not isinstance(written(member, member.start), Missing | None)


def removed_hits(member: Member, unknown: UnknownFields) -> dict[Direction, Hit]:
    """A field that the new side does not know any more; `unknown`: what that does with such members."""
    hits = _lost(unknown)
    state = filled(member, read(member, ABSENT))
    reason = _reason(member, state)
    if reason:
        hits[Direction.NEW_CLIENT] = breaks(f"a server of before refuses objects without it: {reason}")
        hits[Direction.ROLLBACK] = breaks(f"the release before refuses objects without it: {reason}")
    else:
        taken = "nothing" if state is None else state_in_words(state)
        kept = ", or what was not judged as the field was" if unknown is UnknownFields.KEPT else ""
        hits[Direction.ROLLBACK] = depends(f"the release before finds {taken} in objects that the new one wrote{kept}")
        cleared = refusal_when_cleared(member)
        if cleared:
            text = f"a server of before refuses objects, as it clears the field while its gate is off: {cleared}"
            hits[Direction.NEW_CLIENT] = depends(text)
    text = "a new client may set a member of this name to what a server of before refuses"
    return joined((hits, {Direction.NEW_CLIENT: depends(text)} if unknown is UnknownFields.KEPT else {}))


def example_of(member: Member, side: Side) -> tuple[Example, ...]:
    """A value of the field, written by the side that knows it; none where a random one might be rejected."""
    if member.form is Form.STRUCT or violation(member, member.sample):
        return ()
    return (Example(side, member.sample),)


def _lost(unknown: UnknownFields) -> dict[Direction, Hit]:
    if unknown is UnknownFields.KEPT:
        kept = depends("it stays in objects as a member that is judged no longer as the field was")
        return alike(kept, Direction.OLD_CLIENT, Direction.STORED)
    if unknown is UnknownFields.REFUSED:
        refused = breaks("objects with a member that is not known are refused")
        return alike(refused, Direction.OLD_CLIENT, Direction.STORED)
    return {
        Direction.OLD_CLIENT: breaks("what a client of before sets is dropped, or refused where the server is strict"),
        Direction.STORED: breaks("the value in stored objects is dropped when they are read"),
    }


def _reason(member: Member, state: State) -> str:
    """Why an object without the field is rejected; a schema that requires it rejects where generated code may not."""
    reason = refusal(member, state) or refusal_when_woken(member)
    is_filled = state is not None and not isinstance(member.default, Missing)
    return reason or ("its schema requires it" if member.required and state is None and not is_filled else "")


def _is_rewritten(member: Member, state: State) -> bool:
    """Whether an object that comes without the field is written with it; zero may be omitted, and what readers fill in is."""
    of_readers = member.slot.default is not None and member.slot.default.of_readers
    return not of_readers and not isinstance(written(member, state), Missing | None)
