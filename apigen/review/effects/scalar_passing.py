"""What happens to values between two scalars: each probe that one side writes is read by the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apigen.review.effects.effects import everywhere, joined
from apigen.review.effects.scalars import PROBES, Refused, outcome, same
from apigen.review.effects.text import shown
from apigen.review.effects.transfer import Passed
from apigen.review.effects.wire import is_whole_number, lost_numbers, wire_form
from apigen.review.surface import Scalars
from apigen.review.verdict.example import Example, JsonValue, Side
from apigen.review.verdict.impact import Direction, Effects, breaks, depends

_MOST_EXAMPLES = 3


def passed_scalars(old: Scalars, new: Scalars, *, has_wire: bool) -> Passed:
    """What each direction does to values of a place that holds `old` before and `new` after."""
    before, after = list(_losses(old, new)), list(_losses(new, old))
    hits = [_of_clients(before, after), _of_stored(before, after)]
    if has_wire and {old, new} == {Scalars.STRING, Scalars.BYTES}:
        hits.append(_of_bytes_on_wire(new is Scalars.BYTES))
    elif has_wire and wire_form(old) != wire_form(new):
        hits.insert(0, everywhere(breaks(_unlike(old, new))))
    examples = [Example(Side.OLD, value) for value, _ in before[:_MOST_EXAMPLES]]
    examples += [Example(Side.NEW, value) for value, _ in after[:_MOST_EXAMPLES]]
    return Passed(joined(hits), tuple(examples), {})


def passed_in_bytes(old: Scalars, new: Scalars) -> Passed:
    """The same, where bytes of protobuf are all that there is. No example shows it: those are JSON."""
    if {old, new} == {Scalars.STRING, Scalars.BYTES}:
        return Passed(_of_bytes_on_wire(new is Scalars.BYTES), (), {})
    if wire_form(old) != wire_form(new):
        return Passed(everywhere(breaks(_unlike(old, new))), (), {})
    if not (is_whole_number(old) and is_whole_number(new)):
        return Passed(passed_scalars(old, new, has_wire=True).hits, (), {})
    before, after = (
        [(each, "arrives as another number") for each in lost_numbers(*of)] for of in ((old, new), (new, old))
    )
    return Passed(joined((_of_clients(before, after), _of_stored(before, after))), (), {})


def _unlike(old: Scalars, new: Scalars) -> str:
    return f"protobuf has {wire_form(old)} before and {wire_form(new)} after: neither reads the other"


def _losses(writer: Scalars, reader: Scalars) -> Iterator[tuple[JsonValue, str]]:
    """The values that one scalar writes and the other does not decode as they are, with what happens to them."""
    for probe in PROBES:
        value = outcome(writer, probe)
        if isinstance(value, Refused):
            continue
        read = outcome(reader, value)
        if isinstance(read, Refused):
            yield value, "is refused"
        elif not same(read, value):
            yield value, f"is taken for {shown(read)}"


def _of_bytes_on_wire(are_new: bool) -> Effects:
    """What becomes of bytes in protobuf where they are read as text, which JSON does not show: it writes base64 for them.

    Text is read as bytes as it is.
    """
    writers = {
        Direction.OLD_CLIENT: "a client of before that sends the byte 0xff in protobuf",
        Direction.STORED: "the byte 0xff in a stored object",
    }
    if are_new:
        writers = {
            Direction.NEW_CLIENT: "a new client that sends the byte 0xff in protobuf to a server of before",
            Direction.ROLLBACK: "the byte 0xff in an object that the new release stored",
        }
    refused = "is refused as text, and bytes that are UTF-8 stand otherwise in JSON"
    return {direction: breaks(f"{writer} {refused}") for direction, writer in writers.items()}


def _of_clients(before: Sequence[tuple[JsonValue, str]], after: Sequence[tuple[JsonValue, str]]) -> Effects:
    found: list[Effects] = []
    for value, outcome_words in before[:1]:
        found.append({Direction.OLD_CLIENT: breaks(f"a client of before that sends {shown(value)} {outcome_words}")})
        text = f"a new client cannot read {shown(value)}, which clients of before have set"
        found.append({Direction.NEW_CLIENT: depends(text)})
    for value, outcome_words in after[:1]:
        text = f"a client of before cannot read {shown(value)}, which new clients may set"
        found.append({Direction.OLD_CLIENT: depends(text)})
        text = f"a new client that sends {shown(value)} to a server of before {outcome_words}"
        found.append({Direction.NEW_CLIENT: breaks(text)})
    return joined(found)


def _of_stored(before: Sequence[tuple[JsonValue, str]], after: Sequence[tuple[JsonValue, str]]) -> Effects:
    found: list[Effects] = []
    for value, outcome_words in before[:1]:
        found.append({Direction.STORED: breaks(f"{shown(value)} in a stored object {outcome_words}")})
    for value, outcome_words in after[:1]:
        text = f"{shown(value)} in an object that the new release stored {outcome_words} by the one before"
        found.append({Direction.ROLLBACK: breaks(text)})
    return joined(found)
