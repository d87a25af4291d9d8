"""What the rules of protobuf have in common: who reads whose bytes, in words, and single options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.verdict.impact import Direction, Hit, Hits, Impact
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

EVERYWHERE = tuple(Direction)
NOTHING: Hits = {}
_SILENT = Severities.of("-/-/-")

_WRITTEN: Mapping[Direction, str] = {
    Direction.OLD_CLIENT: "what a client of before sends",
    Direction.NEW_CLIENT: "what a new client sends to a server of before",
    Direction.STORED: "what is stored",
    Direction.ROLLBACK: "what the new release stored, once the one before reads it,",
}


def hits_in(directions: Iterable[Direction], text: str, impact: Impact = Impact.BREAKS) -> Hits:
    """The same thing in several directions; the text goes on from "what a client of before sends"."""
    return {direction: Hit(impact, f"{_WRITTEN[direction]} {text}") for direction in directions}


def silent(message: str) -> Verdict:
    """A change that hurts nobody, and that nobody has to be told."""
    return Verdict(message, NOTHING, severities=_SILENT)


def option_of(change: AnyChange, *names: str) -> tuple[str, str | None, str | None] | None:
    """The name of the option that changed, and its values on both sides; None if it is none of `names` (none: any)."""
    if not isinstance(change, Altered) or change.trait is not Trait.OPTIONS:
        return None
    before, after = (_pair(value) for value in (change.before, change.after))
    known = before or after
    if known is None or (names and known[0] not in names):
        return None
    return known[0], before and before[1], after and after[1]


def _pair(value: object) -> tuple[str, str] | None:
    if isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], tuple) and len(value[0]) == 2:
        return str(value[0][0]), str(value[0][1])
    return None
