"""What happens to a field of a struct that an object leaves out: it is zero and nobody judged it, until a default wakes the struct."""

from __future__ import annotations

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.values.handling import filled, refusal
from apigen.compat.values.member import Computed, Member
from apigen.compat.values.text import shown
from apigen.compat.values.waking import has_defaults, left_out_structs, parts_of
from apigen.compat.verdict.impact import Direction, Hit, Hits, depends
from apigen.dataclass import dataclass

_BACKWARD = (Direction.NEW_CLIENT, Direction.ROLLBACK)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The structs of a surface that an object may leave out whole because they are zero, with the structs in them.

    `woken` are those of them that are not zero any more once the side has filled in its defaults, and so are judged.
    """

    names: frozenset[TypeName]
    woken: frozenset[TypeName]

    @classmethod
    def of(cls, surface: Surface) -> LeftOut:
        """Those of a surface."""
        names: set[TypeName] = set()
        woken: set[TypeName] = set()
        for _, struct in left_out_structs(surface):
            found = {part.name for part in parts_of(surface, struct)}
            names |= found
            if has_defaults(surface, struct):
                woken |= found
        return cls(frozenset(names), frozenset(woken))


def unjudged(old: Member, new: Member, name: TypeName, left_out: tuple[LeftOut, LeftOut]) -> Hits:
    """What each direction does to the field of such a struct; `left_out` is of the old side and of the new."""
    before, after = left_out
    hits: dict[Direction, Hit] = {}
    for direction in Direction:
        is_backward = direction in _BACKWARD
        writer, reader = (new, old) if is_backward else (old, new)
        there, here = (after, before) if is_backward else (before, after)
        text = "" if name not in there.names else _arrival(writer, reader, name in there.woken, name in here.woken)
        if text:
            hits[direction] = depends(f"an object that leaves out a struct with it {text}")
    return hits


def _arrival(writer: Member, reader: Member, is_woken_there: bool, is_woken_here: bool) -> str:
    """What becomes of the zero of the writer; empty where nothing does, or where another rule says it."""
    state = filled(writer, writer.start)
    if state != writer.start or (is_woken_there and refusal(writer, state)):
        return ""  # it is not left out there, or never accepted
    arrived = filled(reader, reader.start)
    reason = refusal(reader, arrived) if is_woken_here else ""
    if reason:
        return f"is refused: {reason}"
    if arrived != reader.start and arrived != state:
        value = f"what its default computes ({arrived.text})" if isinstance(arrived, Computed) else shown(arrived)
        return f"has {value} in it after"
    return ""
