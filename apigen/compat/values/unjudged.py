"""Structs that an accepted object may hold as zero without anybody having judged them, and what becomes of a field in one that is left out."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.resolving import definition
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Struct
from apigen.compat.values.handling import filled, on_wire, read, refusal, written
from apigen.compat.values.member import Computed, Member, filled_from_above, member_of
from apigen.compat.values.text import shown, state_in_words
from apigen.compat.values.waking import has_defaults, is_surely_woken, left_out_structs, parts_of
from apigen.compat.verdict.example import Missing
from apigen.compat.verdict.impact import CLIENTS, Direction, Hit, Hits, depends
from apigen.dataclass import dataclass
from apigen.ir.model import Presence

_BACKWARD = (Direction.NEW_CLIENT, Direction.ROLLBACK)
_STATUS = "status"


@dataclass(frozen=True, slots=True)
class Unjudged:
    """The structs of a surface that are zero in some object that it accepts, though it might refuse that if it looked.

    A struct that is always written is judged when it is left out, as if it had been sent empty. Two are not:

    - one that is left out when zero (`omitEmpty`), unless a default in it wakes it: `left_out`, with what is always there in
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
) -> Hits:
    """What each direction does to the field of a struct that is left out when zero; `sides` are the old one and the new.

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
    """Why an update by who does not know the field is refused; empty where it is not.

    What a default computes may be something else after the update.
    """
    words = [keyword.value for keyword in (Keyword.IMMUTABLE, Keyword.UPDATE) if keyword in member.constraints]
    is_computed = isinstance(filled(member, member.start), Computed)
    return f"{words[0]} does not let its default become another" if words and is_computed else ""


def _arrival(writer: Member, reader: Member, *, is_judged: bool, is_judged_when_written: bool) -> str:
    """What becomes of the zero of the writer; empty where nothing does, or where another rule says it.

    `is_judged`: also where the struct is left out; `is_judged_when_written`: at least where protobuf writes it.
    """
    state = filled(writer, writer.start)
    if state != writer.start:
        return ""  # then the struct is not left out there
    arrived = filled(reader, reader.start)
    reason = refusal(reader, arrived) if is_judged else ""
    if reason:
        return f"is refused: {reason}"
    if arrived not in (reader.start, state):
        return f"has {state_in_words(arrived)} in it after"
    reason = _refusal_on_wire(writer, reader) if is_judged_when_written else ""
    return f"is refused where it is sent in protobuf, which writes the zero in it: {reason}" if reason else ""


def _refusal_on_wire(writer: Member, reader: Member) -> str:
    """Why the zero that protobuf keeps is refused: who tells zero from nothing finds a struct that is not zero, and judges it."""
    sent = on_wire(writer, writer.start)
    if isinstance(sent, Missing):
        return ""
    arrived = filled(reader, read(reader, sent))
    return "" if arrived == reader.start else refusal(reader, arrived)


def _departure(writer: Member, reader: Member) -> str:
    """What the writer tells from nothing, and the reader does not: a struct with that alone is zero there, and left out."""
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
