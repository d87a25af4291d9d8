"""What happens where only one side knows a field."""

from __future__ import annotations

from apigen.compat.surface.types import UnknownFields
from apigen.compat.values.handling import filled, read, refusal, refusal_when_cleared, violation, written
from apigen.compat.values.hits import alike, joined
from apigen.compat.values.member import Form, Member, State
from apigen.compat.values.text import state_in_words
from apigen.compat.values.waking import refusal_when_woken
from apigen.compat.verdict.example import ABSENT, Example, Missing, Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends


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
    """A value of the field, written by the side that knows it; none where a made-up one might be refused."""
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
    """Why an object without the field is refused; a schema that requires it refuses where generated code may not."""
    reason = refusal(member, state) or refusal_when_woken(member)
    is_filled = state is not None and not isinstance(member.default, Missing)
    return reason or ("its schema requires it" if member.required and state is None and not is_filled else "")


def _is_rewritten(member: Member, state: State) -> bool:
    """Whether an object that comes without the field is written with it; zero may be left out, and what readers fill in is."""
    of_readers = member.slot.default is not None and member.slot.default.of_readers
    return not of_readers and not isinstance(written(member, state), Missing | None)
