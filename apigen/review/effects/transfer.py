"""Effects on a field between two sides that handle it differently: checked for unset, zero, and another value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence
from apigen.review.effects.member import (
    Computed,
    Member,
    State,
    filled,
    is_zero,
    on_wire,
    read,
    state_in_words,
    unreadable,
    written,
)
from apigen.review.effects.rejections import DEEPEST, rejection, rejection_when_cleared
from apigen.review.gating import is_disabled
from apigen.review.results import (
    ABSENT,
    CLIENTS,
    Direction,
    Effect,
    Effects,
    Example,
    Missing,
    Side,
    breaks,
    depends,
    joined,
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
