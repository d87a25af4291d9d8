"""Decoding of a scalar's values by another scalar: sample values that one side writes are decoded by the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apigen.review.effects.effects import everywhere, joined
from apigen.review.effects.scalars import PROBES, Rejected, outcome, same
from apigen.review.effects.text import shown
from apigen.review.effects.transfer import Passed
from apigen.review.effects.wire import is_whole_number, lost_numbers, wire_form
from apigen.review.json_values import JsonValue
from apigen.review.results import Direction, Effects, Example, Side, breaks, depends
from apigen.review.surface import Scalars

_MOST_EXAMPLES = 3


def passed_scalars(old: Scalars, new: Scalars, *, has_wire: bool) -> Passed:
    """Return the effects if a type changes from `old` to `new`."""
    before, after = list(_losses(old, new)), list(_losses(new, old))
    effects = [_of_clients(before, after), _of_stored(before, after)]
    if has_wire and {old, new} == {Scalars.STRING, Scalars.BYTES}:
        effects.append(_of_bytes_on_wire(new is Scalars.BYTES))
    elif has_wire and wire_form(old) != wire_form(new):
        effects.insert(0, everywhere(breaks(_unlike(old, new))))
    examples = [Example(Side.OLD, value) for value, _ in before[:_MOST_EXAMPLES]]
    examples += [Example(Side.NEW, value) for value, _ in after[:_MOST_EXAMPLES]]
    return Passed(joined(effects), tuple(examples), {})


def passed_in_bytes(old: Scalars, new: Scalars) -> Passed:
    """Return the same for protobuf only. It has no examples, because those are JSON."""
    if {old, new} == {Scalars.STRING, Scalars.BYTES}:
        return Passed(_of_bytes_on_wire(new is Scalars.BYTES), (), {})
    if wire_form(old) != wire_form(new):
        return Passed(everywhere(breaks(_unlike(old, new))), (), {})
    if not (is_whole_number(old) and is_whole_number(new)):
        return Passed(passed_scalars(old, new, has_wire=True).effects, (), {})
    before, after = (
        [(each, "is read as another number") for each in lost_numbers(*of)] for of in ((old, new), (new, old))
    )
    return Passed(joined((_of_clients(before, after), _of_stored(before, after))), (), {})


def _unlike(old: Scalars, new: Scalars) -> str:
    return f"protobuf encodes it as {wire_form(old)} on one side and {wire_form(new)} on the other, and neither side reads both"


def _losses(writer: Scalars, reader: Scalars) -> Iterator[tuple[JsonValue, str]]:
    """Yield the values that one scalar writes and the other does not decode as they are, with the result."""
    for probe in PROBES:
        value = outcome(writer, probe)
        if isinstance(value, Rejected):
            continue
        read = outcome(reader, value)
        if isinstance(read, Rejected):
            yield value, "is rejected"
        elif not same(read, value):
            yield value, f"is read as {shown(read)}"


def _of_bytes_on_wire(are_new: bool) -> Effects:
    """Return the effects in protobuf of bytes that are read as a string; JSON encodes bytes as base64.

    Strings are read as bytes unchanged.
    """
    writers = {
        Direction.OLD_CLIENT: "the byte 0xff that older clients send in protobuf",
        Direction.STORED: "the byte 0xff in stored objects",
    }
    if are_new:
        writers = {
            Direction.NEW_CLIENT: "the byte 0xff that newer clients send in protobuf to an older server",
            Direction.ROLLBACK: "the byte 0xff in objects that the newer release stored",
        }
    rejected = "is rejected as a string, and UTF-8 bytes have another JSON form"
    return {direction: breaks(f"{writer} {rejected}") for direction, writer in writers.items()}


def _of_clients(before: Sequence[tuple[JsonValue, str]], after: Sequence[tuple[JsonValue, str]]) -> Effects:
    found: list[Effects] = []
    for value, outcome_words in before[:1]:
        found.append({Direction.OLD_CLIENT: breaks(f"{shown(value)} of older clients {outcome_words}")})
        text = f"newer clients cannot read {shown(value)} of older clients"
        found.append({Direction.NEW_CLIENT: depends(text)})
    for value, outcome_words in after[:1]:
        text = f"older clients cannot read {shown(value)} of newer clients"
        found.append({Direction.OLD_CLIENT: depends(text)})
        text = f"{shown(value)} of newer clients {outcome_words} by an older server"
        found.append({Direction.NEW_CLIENT: breaks(text)})
    return joined(found)


def _of_stored(before: Sequence[tuple[JsonValue, str]], after: Sequence[tuple[JsonValue, str]]) -> Effects:
    found: list[Effects] = []
    for value, outcome_words in before[:1]:
        found.append({Direction.STORED: breaks(f"{shown(value)} in stored objects {outcome_words}")})
    for value, outcome_words in after[:1]:
        text = f"{shown(value)} in objects that the newer release stored {outcome_words} by the previous release"
        found.append({Direction.ROLLBACK: breaks(text)})
    return joined(found)
