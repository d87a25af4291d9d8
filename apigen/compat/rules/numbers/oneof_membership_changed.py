"""A field joined a oneof, left it, or went to another."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.oneofs import examples, partners
from apigen.compat.rules.numbers.words import NOTHING, hits_in
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Field
from apigen.compat.values.hits import joined
from apigen.compat.verdict.impact import Direction, Hits, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("oneof-membership-changed", altered(Trait.ONEOF, ElementKind.FIELD), severities="W/E/E", presets=WIRE)
def oneof_membership_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Of a oneof only the member that was written last survives."""
    if not isinstance(change, Altered) or not isinstance(change.old, Field) or not isinstance(change.new, Field):
        return None
    mine, theirs = partners(change.element, change.old, change.new, context)
    gained, lost = theirs - mine, mine - theirs
    hits = joined((_lost(lost), _gained(gained)))
    message = f"{change.element} {_words(str(change.before), str(change.after))}"
    if not hits:
        return Verdict(f"{message}, where no field of before is beside it", hits, severities=Severities.of("I/I/W"))
    return Verdict(message, hits, examples=examples(change.old, change.new, gained, lost, context, change.element))


def _words(before: str, after: str) -> str:
    if before and after:
        return f"went from oneof {before} to oneof {after}"
    return f"joined oneof {after}" if after else f"left oneof {before}"


def _gained(fields: frozenset[str]) -> Hits:
    """The new side clears what the old one may hold together."""
    if not fields:
        return NOTHING
    text = f"with {' or '.join(sorted(fields))} beside it loses all but one"
    broken = hits_in((Direction.OLD_CLIENT, Direction.STORED), text)
    return {**broken, Direction.NEW_CLIENT: depends(f"a new client that reads answers of before {text}")}


def _lost(fields: frozenset[str]) -> Hits:
    """The old side clears what the new one may hold together."""
    if not fields:
        return NOTHING
    text = f"with {' or '.join(sorted(fields))} beside it loses all but one"
    broken = hits_in((Direction.NEW_CLIENT, Direction.ROLLBACK), text)
    return {Direction.OLD_CLIENT: depends(f"a client of before that reads new answers {text}"), **broken}
