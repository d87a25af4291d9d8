"""Decoding of a scalar's values by another scalar: sample values that one side writes are decoded by the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from apigen.ir.surface import Scalars
from apigen.language.json_values import JsonValue
from apigen.review.effects.member import shown
from apigen.review.effects.scalars import PROBES, Rejected, outcome, same
from apigen.review.effects.transfer import Passed
from apigen.review.results import Direction, Effects, Example, Side, breaks, depends, everywhere, joined

_VARINT, _ZIGZAG, _FOUR, _EIGHT = "a varint", "a zigzag varint", "four bytes", "eight bytes"
_FORMS: Mapping[Scalars, str] = {
    Scalars.BOOL: _VARINT,
    Scalars.INT32: _VARINT,
    Scalars.INT64: _VARINT,
    Scalars.UINT32: _VARINT,
    Scalars.UINT64: _VARINT,
    Scalars.SINT32: _ZIGZAG,
    Scalars.SINT64: _ZIGZAG,
    Scalars.FIXED32: _FOUR,
    Scalars.SFIXED32: _FOUR,
    Scalars.FIXED64: _EIGHT,
    Scalars.SFIXED64: _EIGHT,
    Scalars.STRING: "a string",
    Scalars.BYTES: "bytes",
    Scalars.TIME: "a timestamp",
    Scalars.MICRO_TIME: "a timestamp",
    **dict.fromkeys((Scalars.RAW_EXTENSION, Scalars.ANYTHING), "raw JSON"),
}
_SIGNED = {Scalars.INT32: 32, Scalars.SINT32: 32, Scalars.SFIXED32: 32}
_SIGNED |= {Scalars.INT64: 64, Scalars.SINT64: 64, Scalars.SFIXED64: 64}
_UNSIGNED = {Scalars.BOOL: 1, Scalars.UINT32: 32, Scalars.FIXED32: 32, Scalars.UINT64: 64, Scalars.FIXED64: 64}


def wire_form(scalar: Scalars) -> str:
    """Return how protobuf encodes a scalar. Two scalars of one encoding are read as each other."""
    return _FORMS.get(scalar, f"the encoding of {scalar.value}")


def is_integer(scalar: Scalars) -> bool:
    """Return whether protobuf encodes a scalar as an integer."""
    return scalar in _SIGNED or scalar in _UNSIGNED


def lost_numbers(writer: Scalars, reader: Scalars) -> list[int]:
    """Return numbers that another scalar of the same encoding reads as other numbers: the first beyond each end of its range."""
    written_range, read_range = _range(writer), _range(reader)
    return [each for each in (read_range.start - 1, read_range.stop) if each in written_range]


def _range(scalar: Scalars) -> range:
    if scalar in _SIGNED:
        end = 2 ** (_SIGNED[scalar] - 1)
        return range(-end, end)
    return range(2 ** _UNSIGNED[scalar])


_MOST_EXAMPLES = 3


def passed_scalars(old: Scalars, new: Scalars, *, has_wire: bool) -> Passed:
    """Return the effects if a type changes from `old` to `new`."""
    before, after = list(_losses(old, new)), list(_losses(new, old))
    effects = [_of_losses(before, after)]
    if has_wire and {old, new} == {Scalars.STRING, Scalars.BYTES}:
        effects.append(_of_bytes_on_wire(new is Scalars.BYTES))
    elif has_wire and wire_form(old) != wire_form(new):
        effects.insert(0, everywhere(breaks(_unlike(old, new))))
    examples = [Example(Side.OLD, value) for value, _ in before[:_MOST_EXAMPLES]]
    examples += [Example(Side.NEW, value) for value, _ in after[:_MOST_EXAMPLES]]
    return Passed(joined(effects), tuple(examples), {})


def passed_in_bytes(old: Scalars, new: Scalars) -> Passed:
    """Return the effects in protobuf if a type changes from `old` to `new`, without examples, which are JSON."""
    if {old, new} == {Scalars.STRING, Scalars.BYTES}:
        return Passed(_of_bytes_on_wire(new is Scalars.BYTES), (), {})
    if wire_form(old) != wire_form(new):
        return Passed(everywhere(breaks(_unlike(old, new))), (), {})
    if not (is_integer(old) and is_integer(new)):
        return Passed(passed_scalars(old, new, has_wire=True).effects, (), {})
    before, after = (
        [(each, "is read as another number") for each in lost_numbers(*of)] for of in ((old, new), (new, old))
    )
    return Passed(_of_losses(before, after), (), {})


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


def _of_losses(before: Sequence[tuple[JsonValue, str]], after: Sequence[tuple[JsonValue, str]]) -> Effects:
    """Return the effects of values that the other side does not decode as they are, of the base and of the revision."""
    found: list[Effects] = []
    for value, outcome_words in before[:1]:
        found.append(
            {
                Direction.OLD_CLIENT: breaks(f"{shown(value)} of older clients {outcome_words}"),
                Direction.NEW_CLIENT: depends(f"newer clients cannot read {shown(value)} of older clients"),
                Direction.STORED: breaks(f"{shown(value)} in stored objects {outcome_words}"),
            }
        )
    for value, outcome_words in after[:1]:
        stored = f"{shown(value)} in objects that the newer release stored"
        found.append(
            {
                Direction.OLD_CLIENT: depends(f"older clients cannot read {shown(value)} of newer clients"),
                Direction.NEW_CLIENT: breaks(f"{shown(value)} of newer clients {outcome_words} by an older server"),
                Direction.ROLLBACK: breaks(f"{stored} {outcome_words} by the previous release"),
            }
        )
    return joined(found)
