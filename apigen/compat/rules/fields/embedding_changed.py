"""Fields moved into or out of a struct that stands inline."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait, Value
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.impact import breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "embedding-changed",
    altered(Trait.INLINED, ElementKind.FIELD),
    altered(Trait.INLINES, ElementKind.STRUCT),
    severities="W/E/E",
    presets=WIRE,
)
def embedding_changed(change: AnyChange, context: Context) -> Verdict | None:
    """JSON shows the fields in the same place; in protobuf they stand in another message."""
    if not isinstance(change, Altered):
        return None
    if change.trait is Trait.INLINES:
        return _of_messages(change)
    words = f"{change.element} stands {_way(change.after)} instead of {_way(change.before)}"
    return Verdict(words, everywhere(breaks("in protobuf it is in another message, where nobody looks for it")))


def _way(via: Value) -> str:
    return f"in the message {value_words(via)}" if via else "in the message of the struct itself"


def _of_messages(change: Altered) -> Verdict:
    """Messages that stay and got another number break; fields that come, go or move with one are told as such."""
    before, after = _numbers(change.before), _numbers(change.after)
    moved = [name for name, number in before.items() if after.get(name, number) != number]
    if not moved:
        words = f"other structs stand inline in {change.element}, whose fields are told one by one"
        return Verdict(words, {}, severities=Severities.of("-/-/-"))
    name = moved[0]
    words = f"what stands inline in {change.element} as {name} has the number {after[name]} instead of {before[name]}"
    return Verdict(words, everywhere(breaks("in protobuf its fields are in a message that nobody looks for there")))


def _numbers(inlines: Value) -> dict[str, str]:
    """Name -> number of the messages, which are pairs of a name and `Type = number`."""
    pairs = inlines if isinstance(inlines, tuple) else ()
    return {str(each[0]): str(each[1]).rpartition(" = ")[2] for each in pairs if isinstance(each, tuple)}
