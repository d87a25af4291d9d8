"""Effects on a field: of two sides that handle it differently, checked for unset, zero, and another value; of a field that only
one side has; and of its default on structs that an object omits, which are then no longer zero, and are validated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product

from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence
from apigen.language.json_values import JsonValue
from apigen.review.effects.member import (
    ALWAYS_WRITTEN,
    DEEPEST,
    FORBIDDEN,
    Computed,
    Form,
    Member,
    Rejection,
    State,
    blocks_by_gate,
    filled,
    has_defaults,
    is_certainly_defaulted,
    is_filled,
    is_set,
    is_zero,
    member_of,
    members_in,
    mode_of,
    names_in,
    omitted_structs,
    on_wire,
    parts_of,
    possible_rejection,
    read,
    rejection,
    rejection_when_cleared,
    rejections_by,
    rejections_inside,
    shown,
    slot_violation,
    state_in_words,
    unreadable,
    written,
)
from apigen.review.effects.nested_defaults import OuterDefaults
from apigen.review.gating import is_disabled
from apigen.review.results import (
    ABSENT,
    CLIENTS,
    Direction,
    Effect,
    Effects,
    Example,
    Impact,
    Missing,
    Side,
    alike,
    breaks,
    depends,
    joined,
)
from apigen.review.surface import (
    Default,
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
    nested_in,
    without_aliases,
)

_ALWAYS_WRITTEN = (Presence.PLAIN, Presence.NULLABLE)


@dataclass(frozen=True, slots=True)
class Passed:
    """The effects, and example values. `rejections`: the effects of rejected values; the others change the meaning."""

    effects: Effects
    examples: tuple[Example, ...]
    rejections: Effects


@dataclass(frozen=True, slots=True)
class _Leg:
    """The writer and the reader, with their names. `in_status`: the writer may have an initial value that was not
    validated.
    """

    direction: Direction
    writer: Member
    reader: Member
    side: Side
    subject: str
    in_status: bool

    def writer_state(self, raw: State) -> State:
        """Return the meaning of a JSON value for the writer."""
        return filled(self.writer, read(self.writer, raw))

    def reader_state(self, raw: State) -> State:
        """Return the meaning of a JSON value for the reader."""
        return filled(self.reader, read(self.reader, raw))


@dataclass(frozen=True, slots=True)
class _Found:
    """An effect that one check found, with the value. `is_rejection`: it is rejected; others only change the meaning."""

    effect: Effect
    sent: State
    is_rejection: bool = False


def passed(old: Member, new: Member, *, has_wire: bool, in_status: tuple[bool, bool] = (False, False)) -> Passed:
    """Return the effects in each direction for a field that is handled as `old` before and as `new` after.

    `in_status`: the sides on which the field is in a part of status that is always present, and not validated while zero.
    A computed default may give no value, or a zero that is not written, so these are tried as well.
    """
    found = [_passed(*pair, has_wire=has_wire, in_status=in_status) for pair in _with_and_without(old, new)]
    return Passed(
        joined(each.effects for each in found),
        tuple(_unique(example for each in found for example in each.examples)),
        joined(each.rejections for each in found),
    )


def _with_and_without(old: Member, new: Member) -> Iterable[tuple[Member, Member]]:
    """Return both sides with their computed defaults, and with their possible unset or zero results; equal defaults have
    equal results.
    """
    ways = _ways(old), _ways(new)
    return zip(ways[0], ways[1], strict=True) if old.default == new.default else product(ways[0], ways[1])


def _ways(member: Member) -> tuple[Member, ...]:
    default = member.default
    if not isinstance(default, Computed):
        return (member,)
    starts: list[State] = [Missing()] if default.may_be_nothing else []
    values = default.values
    if values is None or member.zero in values or any(isinstance(each, Computed) and not each.into for each in values):
        starts.append(member.zero)
    return (member, *(replace(member, default=each) for each in starts))


def _passed(old: Member, new: Member, *, has_wire: bool, in_status: tuple[bool, bool]) -> Passed:
    before, after = in_status
    legs = (
        (_as_client, _Leg(Direction.OLD_CLIENT, old, new, Side.OLD, "an older client", before)),
        (_as_client, _Leg(Direction.NEW_CLIENT, new, old, Side.NEW, "a newer client", after)),
        (_as_stored, _Leg(Direction.STORED, old, new, Side.OLD, "a stored object", before)),
        (_as_stored, _Leg(Direction.ROLLBACK, new, old, Side.NEW, "an object stored by the newer release", after)),
    )
    outcomes = [(leg, each) for check, leg in legs for each in check(leg, has_wire=has_wire)]
    effects = joined({leg.direction: each.effect} for leg, each in outcomes)
    rejections = joined({leg.direction: each.effect} for leg, each in outcomes if each.is_rejection)
    sent = ((leg.side, ABSENT if isinstance(each.sent, Computed) else each.sent) for leg, each in outcomes)
    examples = tuple(_unique(Example(*each) for each in sent))
    return Passed(effects, examples, rejections)


def _as_client(leg: _Leg, *, has_wire: bool) -> Iterator[_Found]:
    for sent in _sendable(leg.writer):
        state = leg.writer_state(sent)
        if rejection(leg.writer, state):
            yield from _null_let_through(leg, sent, state)
            yield from _overlooked(leg, sent, state)
            if _is_cleared(leg.writer, state):
                yield from _possibly(_exchanged(leg, sent))
        else:
            yield from _exchanged(leg, sent)
    yield from _explicit_zero(leg)
    yield from _missing(leg)
    yield from _cleared(leg)
    yield from _schema_rejections(leg)
    yield from _read_back(leg)


def _compared(leg: _Leg, sent: State, state: State, other: State) -> Iterator[_Found]:
    # an empty struct that both sides validate is rejected for a difference inside, which is reported there
    is_inside = state == {} == other and leg.writer.presence is leg.reader.presence
    reason = unreadable(leg.reader, sent) or rejection(leg.reader, other, DEEPEST if is_inside else 0)
    if reason:
        yield _Found(breaks(f"{leg.subject} with {_words(sent)} is rejected: {reason}"), sent, is_rejection=True)
    elif not _same(state, other):
        text = _EXPECTED[leg.direction].format(_sent(leg, sent), _words(state), _words(other))
        yield _Found((breaks(text) if _is_changed(leg, state, other) else depends(text)), sent)


def _exchanged(leg: _Leg, sent: State) -> Iterator[_Found]:
    """Check how the reader treats a value that the writer accepts, and how the writer treats the response."""
    state, other = leg.writer_state(sent), leg.reader_state(sent)
    yield from _compared(leg, sent, state, other)
    yield from _response(leg, sent, state, other)


def _explicit_zero(leg: _Leg) -> Iterator[_Found]:
    """Check a zero that generated code omits in JSON, but protobuf and hand-written JSON contain."""
    sent = on_wire(leg.writer, leg.writer.zero)
    if any(_same(sent, other) for other in _sendable(leg.writer)) or rejection(leg.writer, leg.writer_state(sent)):
        return
    yield from _possibly(_exchanged(leg, sent))


def _possibly(found: Iterator[_Found]) -> Iterator[_Found]:
    """Yield what a check found, as effects that depend on the client or the operator."""
    yield from (replace(each, effect=depends(each.effect.text)) for each in found)


def _is_cleared(member: Member, state: State) -> bool:
    """Return whether a disabled gate clears a default before it is validated; readers set the default again."""
    is_default = state != member.start and _same(state, member.initial)
    return is_default and is_disabled(member.gate, member.surface)


def _missing(leg: _Leg) -> Iterator[_Found]:
    """Check a required field that is always written: generated code treats it as zero if it, or its struct, is omitted."""
    if not leg.writer.required or leg.writer.presence is not Presence.PLAIN:
        return
    state = leg.writer_state(ABSENT)
    if rejection(leg.writer, state):
        yield from _overlooked(leg, ABSENT, state)
        return
    yield from _possibly(_exchanged(leg, ABSENT))


def _cleared(leg: _Leg) -> Iterator[_Found]:
    """Check a server with the gate disabled, which clears the value and its default."""
    reason = rejection_when_cleared(leg.reader)
    if reason and not rejection_when_cleared(leg.writer):
        text = f"{leg.subject} is rejected by a server that clears the field while its gate is disabled: {reason}"
        yield _Found(depends(text), ABSENT, is_rejection=True)


def _overlooked(leg: _Leg, sent: State, state: State) -> Iterator[_Found]:
    """Check a status, which only has defaults after create; an update only validates what differs from them."""
    if not leg.in_status or state != leg.writer.initial:
        return
    other = leg.reader_state(sent)
    # stored values are not validated again
    is_validated = leg.direction in CLIENTS and other != leg.reader.initial
    reason = rejection(leg.reader, other) if is_validated else ""
    answer = read(leg.writer, written(leg.reader, other))
    if reason:
        yield _Found(
            depends(f"{leg.subject} with {_words(sent)} in a status is rejected: {reason}"), sent, is_rejection=True
        )
    elif not _same(state, answer) or not (_same(state, other) or _is_nothing(leg.writer, state, other)):
        text = f"{leg.subject} with {_words(sent)} in a status, which was not validated, then has {_words(other)}"
        yield _Found(depends(text), sent)


def _null_let_through(leg: _Leg, sent: State, state: State) -> Iterator[_Found]:
    """Check null in a field that is always written: it is rejected as missing, except in unchanged values and in a
    status.
    """
    if state is not None or leg.writer.presence not in _ALWAYS_WRITTEN:
        return
    other = leg.reader_state(sent)
    if not _same(state, other):
        yield _Found(depends(f"{leg.subject} with null, if it was accepted, then has {_words(other)}"), sent)
    elif leg.reader.presence not in _ALWAYS_WRITTEN and rejection(leg.reader, other):
        yield _Found(depends(f"{leg.subject} with null, if it was accepted, is not valid"), sent)


def _response(leg: _Leg, sent: State, state: State, other: State) -> Iterator[_Found]:
    """Check the response: a client may find another value than it sent."""
    expected = read(leg.writer, written(leg.writer, state))
    raw = written(leg.reader, other)
    answer = read(leg.writer, raw)
    reason = unreadable(leg.writer, raw)
    if reason:
        yield _Found(breaks(f"{leg.subject} cannot read the response to {_words(sent)}: {reason}"), sent)
        return
    if _same(state, other) and not _same(expected, answer):
        yield _Found(depends(f"{leg.subject} with {_words(sent)} gets {_words(answer)} back"), sent)


def _is_changed(leg: _Leg, state: State, other: State) -> bool:
    """Return whether the meaning certainly changed. A client that leaves the value to the other side accepts its
    choice.
    """
    is_forward = leg.direction in (Direction.OLD_CLIENT, Direction.STORED)
    return is_forward and state is not None and not _is_nothing(leg.writer, state, other)


def _schema_rejections(leg: _Leg) -> Iterator[_Found]:
    """Check a field that is always written: generated code accepts an omitted one, but validation with the schema does
    not.
    """
    if leg.reader.required and not leg.writer.required and leg.reader.presence is Presence.PLAIN:
        text = f"{leg.subject} that omits it violates the schema of the other side"
        yield _Found(depends(text), ABSENT, is_rejection=True)


def _read_back(leg: _Leg) -> Iterator[_Found]:
    """Check a client that reads the value of another one, and sends it back unchanged."""
    for sent in _sendable(leg.reader):
        state = leg.reader_state(sent)
        if rejection(leg.reader, state):
            continue
        answer = written(leg.reader, state)
        after = leg.reader_state(written(leg.writer, read(leg.writer, answer)))
        if not _same(after, state):
            text = f"{leg.subject} that reads {_words(answer)} and sends the object back sets {_words(after)}"
            yield _Found(depends(text), answer)


def _as_stored(leg: _Leg, *, has_wire: bool) -> Iterator[_Found]:
    forms: tuple[Callable[[Member, State], State], ...] = (written, on_wire) if has_wire else (written,)
    for start in (leg.writer.start, leg.writer.zero, leg.writer.sample):
        state = filled(leg.writer, start)
        if rejection(leg.writer, state):
            yield from _null_let_through(leg, written(leg.writer, state), state)
            for form in forms:
                yield from _overlooked(leg, form(leg.writer, state), state)
            if _is_cleared(leg.writer, state):
                yield from _possibly(_compared(leg, ABSENT, state, leg.reader_state(ABSENT)))
            continue
        for form in forms:
            raw = form(leg.writer, state)
            before, after = leg.writer_state(raw), leg.reader_state(raw)
            yield from _compared(leg, raw, before, after)
            yield from _rewritten(leg, raw, (before, after), form)
            yield from _returned(leg, raw, before, after)
    yield from _stored_before(leg)


def _rewritten(
    leg: _Leg, raw: State, read_as: tuple[State, State], form: Callable[[Member, State], State]
) -> Iterator[_Found]:
    """Check a value that is read correctly, but written differently: an omitted empty list becomes unset."""
    before, after = read_as
    written_again, rewritten = leg.writer_state(form(leg.writer, before)), leg.reader_state(form(leg.reader, after))
    if _same(before, after) and _same(written_again, before) and not _same(rewritten, after):
        yield _Found(depends(f"{leg.subject} with {_words(raw)} is rewritten with {_words(rewritten)}"), raw)


def _returned(leg: _Leg, raw: State, before: State, after: State) -> Iterator[_Found]:
    """Check a value that is read correctly, but returned differently to clients of the writer: an omitted zero is
    unset.
    """
    expected, returned = (read(leg.writer, written(*each)) for each in ((leg.writer, before), (leg.reader, after)))
    if _same(before, after) and not _same(expected, returned):
        text = f"{leg.subject} with {_words(raw)} is returned as {_words(returned)} to clients of the same release"
        yield _Found(depends(text), raw)


def _stored_before(leg: _Leg) -> Iterator[_Found]:
    """Check objects that were stored before the field had its old default, which they got when they were read."""
    if leg.direction is not Direction.STORED or isinstance(leg.writer.default, Missing):
        return
    raw = ABSENT if leg.writer.can_be_none else leg.writer.zero
    before, after = leg.writer_state(raw), leg.reader_state(raw)
    if not _same(before, after):
        text = f"stored objects without the field were read as {_words(before)}, and are now read as {_words(after)}"
        yield _Found(depends(text), raw)


def _sendable(member: Member) -> Iterator[State]:
    """Yield the JSON values that clients send: omitted, zero, and another."""
    states: list[State] = [member.start, member.zero, member.sample]
    if not member.required:
        states.insert(0, ABSENT)
    sent: list[State] = []
    for state in states:
        raw = state if isinstance(state, Missing) else written(member, state)
        if not any(_same(raw, other) for other in sent):
            sent.append(raw)
    yield from sent


def _same(one: State, other: State) -> bool:
    if isinstance(one, Missing) or isinstance(other, Missing):
        return isinstance(one, Missing) and isinstance(other, Missing)
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _is_nothing(member: Member, one: State, other: State) -> bool:
    """Return whether both mean unset: None, and zero or empty."""
    return all(state is None or is_zero(member, state) for state in (one, other))


_EXPECTED = {
    Direction.OLD_CLIENT: "older clients that {} expect {}; the server now uses {}",
    Direction.NEW_CLIENT: "newer clients that {} expect {}; an older server uses {}",
    Direction.STORED: "stored objects {} mean {}; the newer release reads {}",
    Direction.ROLLBACK: "objects that the newer release stored {} mean {}; the previous release reads {}",
}
"""The effect of a value that the two sides read differently: how it is sent, and its meaning on both sides."""


def _sent(leg: _Leg, state: State) -> str:
    is_client = leg.direction in (Direction.OLD_CLIENT, Direction.NEW_CLIENT)
    if isinstance(state, Missing):
        return "omit the field" if is_client else "without the field"
    return f"{'send' if is_client else 'with'} {_words(state)}"


def _words(state: State) -> str:
    if isinstance(state, Missing):
        return "the field omitted"
    return "null" if state is None else state_in_words(state)


def _unique(examples: Iterator[Example]) -> Iterator[Example]:
    seen: list[Example] = []
    for example in examples:
        if not any(_same(example.value, each.value) and example.written_by is each.written_by for each in seen):
            seen.append(example)
            yield example


def _of_defaulted_structs(default: Surface, other: Surface, name: TypeName) -> Iterator[Rejection]:
    """Yield the rejections of structs that contain a type and that the other side omits."""
    for holder, member, inner in omitted_structs(default):
        if not any(each.name == name for each in parts_of(default, inner)):
            continue
        before = other.type(inner.name)
        if isinstance(before, Struct) and any(
            is_filled(each) and not is_disabled(each.gate, other) for each in members_in(other, before)
        ):
            continue
        for each in rejections_inside(member, {}):
            yield Rejection(f"`{holder}` is no longer zero, and {each.reason}", each.is_certain)


def defaults_at(surface: Surface, element: Element, outer: OuterDefaults) -> Iterator[Default]:
    """Yield the defaults that set an omitted field, or something in its struct; some only at some places of the field."""
    field = field_at(surface, element)
    if field is None:
        return
    struct = definition(surface, field.slot.type) if field.presence in ALWAYS_WRITTEN else None
    parts = parts_of(surface, struct) if isinstance(struct, Struct) else []
    inside = ((part.name, each) for part in parts for each in part.fields.values())
    for holder, each in ((element.type_name, field), *inside):
        member = member_of(surface, each)
        if member.slot.default is not None and is_filled(member):
            yield member.slot.default
        yield from outer.setting((holder, each.name))


_OF_DEFAULTED_STRUCTS = {
    Side.NEW: {
        Direction.OLD_CLIENT: "older clients that omit a struct with it are rejected",
        Direction.STORED: "stored objects that omit a struct with it are not valid",
    },
    Side.OLD: {
        Direction.NEW_CLIENT: "an older server rejects objects that omit a struct with it",
        Direction.ROLLBACK: "the previous release rejects objects that omit a struct with it",
    },
}


def effects_of_defaulted_struct(knows: Surface, other: Surface, element: Element, side: Side) -> Effects:
    """Return the effects of the default of a field on structs that an object omits, and that the default creates.

    A struct that is zero is omitted and not validated (`omitEmpty`); with a default in it, it is neither. `side` is the one
    that has the field or its default, `knows`; if it ratchets, it does not validate unchanged values again. There are no effects
    if the struct is not rejected, if the other side validates it, too, or for other elements than fields.
    """
    field = field_at(knows, element)
    filling = None if field is None else member_of(knows, field)
    if filling is None or not is_filled(filling):
        return {}
    found = [*_of_defaulted_structs(knows, other, element.type_name)]
    is_sure = not isinstance(filling.default, Computed) and not is_disabled(filling.gate, knows)
    certain = next((each for each in found if is_sure and each.is_certain), None)
    return {
        each: (breaks if each in CLIENTS and certain else depends)(f"{text}: {(certain or found[0]).reason}")
        for each, text in _OF_DEFAULTED_STRUCTS[side].items()
        if found and (each in CLIENTS or not knows.ratchets)
    }


def rejection_of_default(member: Member, holder: Struct, other: Struct | None) -> str:
    """Return the first reason for which the default of a field is rejected in some object; empty if it never is.

    It is a field of `holder`; `other` is that struct on the side without the field. Rejections of all objects, or under a
    condition, are not included.
    """
    by_siblings = _by_siblings(member, holder, other) if is_set(member, member.initial) else iter(())
    return possible_rejection(member, member.initial) or next(by_siblings, "")


def _by_siblings(member: Member, holder: Struct, other: Struct | None) -> Iterator[str]:
    for name in names_in(member, Keyword.REQUIRES):
        if name in holder.fields and not _is_always_set(member_of(member.surface, holder.fields[name])):
            yield f"it requires `{name}`"
    for name in names_in(member, Keyword.FORBIDS):
        field = holder.fields.get(name)
        sibling = None if field is None else member_of(member.surface, field)
        is_known = other is None or name in other.fields
        if sibling is not None and (is_known or is_set(sibling, sibling.initial)):
            yield f"it forbids `{name}`"


def _is_always_set(member: Member) -> bool:
    state = member.initial
    return not state.may_be_nothing if isinstance(state, Computed) else is_set(member, state)


def effects_under_conditions(
    member: Member, holder: Struct, other: Surface, rejected: Mapping[Direction, str]
) -> Effects:
    """Return the effects of conditions of `ifMode`, `ifEnabled` or `ifDisabled` that reject an object without the field, in
    each direction of `rejected`, which has the start of the text. `holder` has the field, and the `other` side does not.

    Clients choose modes, and operators choose gates. The gate of the field itself does not matter: validation also requires
    disabled fields, but a default is cleared before it is forbidden.
    """
    found = [*_in_blocks(member), *_in_other_modes(member, holder, other)]
    return joined(
        {each: Effect(impact, f"{subject}: {text}") for each, subject in rejected.items()} for impact, text in found
    )


def _in_blocks(member: Member) -> Iterator[tuple[Impact, str]]:
    state = member.initial
    for is_sure, condition, words in _blocks(member):
        for each in rejections_by(member, state, words):
            is_certain = (
                is_sure and each.is_certain and not (is_set(member, state) and is_disabled(member.gate, member.surface))
            )
            yield Impact.BREAKS if is_certain else Impact.DEPENDS, f"{each.reason} if {condition}"


def _blocks(member: Member) -> Iterator[tuple[bool, str, Mapping[str, JsonValue]]]:
    """Yield the blocks of constraints; a client can choose each mode, but a gate depends on the operator."""
    for name, modes in nested_in(member.constraints, Keyword.IF_MODE).items():
        for mode, words in modes.items() if isinstance(modes, dict) else ():
            if isinstance(words, dict):
                yield True, f"`{name}` is {mode}", words
    yield from ((False, *block) for block in blocks_by_gate(member))


def _in_other_modes(member: Member, holder: Struct, other: Surface) -> Iterator[tuple[Impact, str]]:
    """Check modes that are not listed: the field must not be set, but a default sets it."""
    state, other_holder = member.initial, other.type(holder.name)
    # a computed default may give no value, and a disabled gate clears it
    is_given = not isinstance(state, Computed) and not is_disabled(member.gate, member.surface)
    known = other_holder.fields if isinstance(other_holder, Struct) else {}
    for name, modes in nested_in(member.constraints, Keyword.IF_MODE).items() if is_set(member, state) else ():
        if name in holder.fields:
            chooser = member_of(member.surface, holder.fields[name])
            for impact, mode in _other_modes(chooser, modes if isinstance(modes, dict) else {}, other, known.get(name)):
                yield impact if is_given else Impact.DEPENDS, f"{FORBIDDEN} if `{name}` is {mode}"


def _other_modes(
    chooser: Member, modes: Mapping[str, JsonValue], other: Surface, known: Field | None
) -> Iterator[tuple[Impact, str]]:
    """Yield the unlisted modes that an object of the other side may have; without the mode field, `known`, it omits it."""
    start = chooser.initial
    if isinstance(start, Computed):
        yield Impact.DEPENDS, "the result of its default"
    elif mode_of(chooser, start) not in modes and not rejection(chooser, start):
        yield Impact.BREAKS, mode_of(chooser, start) or "omitted"
    for impact, mode in _modes_of(other, known) if known is not None else ():
        if mode not in modes:
            yield impact, mode


def _modes_of(surface: Surface, field: Field) -> Iterator[tuple[Impact, str]]:
    """Yield the modes that a client may choose; for an arbitrary string, the mode "another"."""
    behind = definition(surface, field.slot.type)
    if isinstance(behind, Enum):
        for value in behind.values.values():
            yield Impact.DEPENDS if is_disabled(value.gate, surface) else Impact.BREAKS, value.value
    elif without_aliases(surface, field.slot).type == Scalar(Scalars.BOOL):
        yield from ((Impact.BREAKS, word) for word in ("true", "false"))
        return
    if not isinstance(behind, Enum) or behind.open:
        yield Impact.BREAKS, "another value"


_BACKWARD = (Direction.NEW_CLIENT, Direction.ROLLBACK)
_STATUS = "status"


@dataclass(frozen=True, slots=True)
class NotValidated:
    """The structs of a surface that may be zero in an accepted object, although validation would reject that.

    A struct that is always written is validated even if it is omitted, as if it had been sent empty. Two are not:

    - a struct that is omitted if it is zero (`omitEmpty`), unless a default creates it: `omitted`, with the structs that
      are always present in it. `defaulted` are those that a default creates: they are validated. A struct with a computed
      default is in both.
    - a status that is a subresource: create resets it, and an update only validates what differs from that, and from
      defaults. `in_status`: the structs that are always present in one.
    """

    omitted: frozenset[TypeName]
    defaulted: frozenset[TypeName]
    in_status: frozenset[TypeName]

    @classmethod
    def of(cls, surface: Surface, outer: OuterDefaults) -> NotValidated:
        """Return those of a surface; `outer` are its defaults."""
        omitted: set[TypeName] = set()
        defaulted: set[TypeName] = set()
        for _, _, struct in omitted_structs(surface):
            parts = parts_of(surface, struct)
            if not is_certainly_defaulted(surface, struct):
                omitted |= {part.name for part in parts}
            above = ((part.name, field) in outer.by_path for part in parts for field in part.fields)
            if has_defaults(surface, struct) or any(above):
                defaulted |= {part.name for part in parts_of(surface, struct, frozenset({Presence.PLAIN}))}
        in_status = {part.name for status in _statuses(surface) for part in parts_of(surface, status)}
        return cls(frozenset(omitted), frozenset(defaulted), frozenset(in_status))


def effects_of_omission(
    old: Member, new: Member, name: TypeName, sides: tuple[NotValidated, NotValidated], *, has_wire: bool
) -> Effects:
    """Return the effects on the field of a struct that is omitted if it is zero; `sides` are the base and the revision.

    `has_wire`: the field has a protobuf number, and protobuf writes such a struct.
    """
    before, after = sides
    effects: dict[Direction, Effect] = {}
    for direction in Direction:
        is_backward = direction in _BACKWARD
        writer, reader = (new, old) if is_backward else (old, new)
        sender, receiver = (after, before) if is_backward else (before, after)
        is_validated_when_written = has_wire and (direction in CLIENTS or not reader.surface.ratchets)
        text = ""
        if name in sender.omitted:
            text = _arrival(
                writer,
                reader,
                is_validated=name in receiver.defaulted,
                is_validated_when_written=is_validated_when_written,
            )
        lost = _departure(writer, reader) if name in receiver.omitted else ""
        if text:
            effects[direction] = depends(f"objects that omit a struct with it: {text}")
        elif lost:
            effects[direction] = depends(f"a struct that contains only {lost} is dropped")
    return effects


def rejection_of_update(member: Member) -> str:
    """Return why an update of a client that does not know the field is rejected; empty if it is not.

    A computed default may have another result after the update.
    """
    words = [keyword.value for keyword in (Keyword.IMMUTABLE, Keyword.UPDATE) if keyword in member.constraints]
    is_computed = isinstance(member.initial, Computed)
    return f"`{words[0]}` rejects another result of its default" if words and is_computed else ""


def _arrival(writer: Member, reader: Member, *, is_validated: bool, is_validated_when_written: bool) -> str:
    """Return the effect on the zero of the writer; empty without one, or if another rule reports it.

    `is_validated`: it is validated even if the struct is omitted; `is_validated_when_written`: at least if protobuf writes it.
    """
    state = writer.initial
    if state != writer.start:
        return ""  # then the struct is not omitted there
    arrived = reader.initial
    reason = rejection(reader, arrived) if is_validated else ""
    if reason:
        return f"they are rejected: {reason}"
    if arrived not in (reader.start, state):
        return f"they get {state_in_words(arrived)}"
    reason = _rejection_on_wire(writer, reader) if is_validated_when_written else ""
    return f"they are rejected in protobuf, which writes the zero: {reason}" if reason else ""


def _rejection_on_wire(writer: Member, reader: Member) -> str:
    """Return why the zero that protobuf writes is rejected: a reader with explicit presence validates a struct that is not zero."""
    sent = on_wire(writer, writer.start)
    if isinstance(sent, Missing):
        return ""
    arrived = filled(reader, read(reader, sent))
    return "" if arrived == reader.start else rejection(reader, arrived)


def _departure(writer: Member, reader: Member) -> str:
    """Return a value that is distinct from unset only for the writer: for the reader, a struct with only it is zero, and omitted."""
    for state in (writer.initial, writer.zero):
        if isinstance(state, Computed | Missing) or state == writer.start or rejection(writer, state):
            continue
        sent = written(writer, state)
        if not isinstance(sent, Missing) and filled(reader, read(reader, sent)) == reader.start:
            return shown(state)
    return ""


def _statuses(surface: Surface) -> Iterator[Struct]:
    """Yield the structs of statuses that are always present, of kinds that have status as a subresource."""
    for version in surface.versions():
        for kind in version.kinds.values():
            root = surface.type(kind.root) if _STATUS in kind.subresources else None
            field = root.fields.get(_STATUS) if isinstance(root, Struct) else None
            if field is None:
                continue
            member, status = member_of(surface, field), definition(surface, field.slot.type)
            if isinstance(status, Struct) and member.initial is not None:
                yield status


def added_effects(member: Member, unknown: UnknownFields) -> dict[Direction, Effect]:
    """Return the effects of a field that the base does not know; `unknown`: how it treats unknown fields."""
    effects: dict[Direction, Effect] = {}
    state = member.initial
    reason = _reason(member, state)
    if reason:
        effects[Direction.OLD_CLIENT] = breaks(f"older clients, which do not send it, are rejected: {reason}")
        effects[Direction.STORED] = breaks(f"updates of stored objects without it are rejected: {reason}")
    else:
        cleared = rejection_when_cleared(member)
        if cleared:
            text = f"older clients are rejected by a server that clears the field while its gate is disabled: {cleared}"
            effects[Direction.OLD_CLIENT] = depends(text)
        if _is_rewritten(member, state):
            text = f"stored objects, which do not have it, are rewritten with {state_in_words(state)}"
            effects[Direction.STORED] = depends(text)
    if unknown is UnknownFields.KEPT:
        sent = "older clients may send an undeclared field of this name, which was not validated like this field"
        stored = "stored objects may have an undeclared field of this name, which was not validated like this field"
        return joined((effects, {Direction.OLD_CLIENT: depends(sent), Direction.STORED: depends(stored)}))
    if unknown is UnknownFields.REJECTED:
        effects[Direction.NEW_CLIENT] = breaks("an older server rejects objects with unknown fields")
        effects[Direction.ROLLBACK] = breaks("the previous release rejects objects with unknown fields")
        return effects
    text = "an older server drops the value of newer clients, or rejects it if it is strict"
    effects[Direction.NEW_CLIENT] = depends(text)
    effects[Direction.ROLLBACK] = depends("the previous release drops it when it writes the object")
    return effects


def is_always_present(member: Member) -> bool:
    """Return whether objects without the field are written with it, although it has no default."""
    return isinstance(member.default, Missing) and not isinstance(written(member, member.start), Missing | None)


def removed_effects(member: Member, unknown: UnknownFields) -> dict[Direction, Effect]:
    """Return the effects of a field that the revision does not know; `unknown`: how it treats unknown fields."""
    effects = _lost(unknown)
    state = member.initial
    reason = _reason(member, state)
    if reason:
        effects[Direction.NEW_CLIENT] = breaks(f"an older server rejects objects without it: {reason}")
        effects[Direction.ROLLBACK] = breaks(f"the previous release rejects objects without it: {reason}")
    else:
        words = "the field unset" if state is None else state_in_words(state)
        unvalidated = ", or a value that was not validated like the field" if unknown is UnknownFields.KEPT else ""
        effects[Direction.ROLLBACK] = depends(
            f"the previous release finds {words} in objects that the newer one wrote{unvalidated}"
        )
        cleared = rejection_when_cleared(member)
        if cleared:
            text = f"an older server rejects objects, because it clears the field while its gate is disabled: {cleared}"
            effects[Direction.NEW_CLIENT] = depends(text)
    text = "newer clients may set an undeclared field of this name to a value that an older server rejects"
    return joined((effects, {Direction.NEW_CLIENT: depends(text)} if unknown is UnknownFields.KEPT else {}))


def example_of(member: Member, side: Side) -> tuple[Example, ...]:
    """Return a value of the field, written by the side that knows it; empty if a random one might be rejected."""
    if member.form is Form.STRUCT or slot_violation(member.slot, member.sample):
        return ()
    return (Example(side, member.sample),)


def _lost(unknown: UnknownFields) -> dict[Direction, Effect]:
    if unknown is UnknownFields.KEPT:
        kept = depends("it remains in objects as an undeclared field that is no longer validated")
        return alike(kept, Direction.OLD_CLIENT, Direction.STORED)
    if unknown is UnknownFields.REJECTED:
        rejected = breaks("objects with unknown fields are rejected")
        return alike(rejected, Direction.OLD_CLIENT, Direction.STORED)
    return {
        Direction.OLD_CLIENT: breaks("the server drops the value of older clients, or rejects it if it is strict"),
        Direction.STORED: breaks("the value in stored objects is dropped when they are read"),
    }


def _reason(member: Member, state: State) -> str:
    """Return why an object without the field is rejected; a schema that requires it may reject what generated code accepts."""
    reason = rejection(member, state)
    is_filled = state is not None and not isinstance(member.default, Missing)
    return reason or ("its schema requires it" if member.required and state is None and not is_filled else "")


def _is_rewritten(member: Member, state: State) -> bool:
    """Return whether an object without the field is rewritten with it; zero may be omitted, and defaults of readers are."""
    of_readers = member.slot.default is not None and member.slot.default.of_readers
    return not of_readers and not isinstance(written(member, state), Missing | None)
