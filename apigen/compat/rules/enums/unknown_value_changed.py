"""Clients take what they do not know for something else."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Part, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Enum
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("unknown-value-changed", altered(Trait.UNKNOWN_VALUE, ElementKind.ENUM), severities="I/W/W")
def unknown_value_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Clients of two releases read the same object in two ways."""
    if not isinstance(change, Altered):
        return None
    before, after = _treatment(change.old), _treatment(change.new)
    message = f"a client takes an unknown value of `{change.element.type}` for {after}, and took it for {before}"
    text = f"a client of before takes a value that it does not know for {before}, a new one for {after}"
    hits = {Direction.OLD_CLIENT: depends(text), Direction.ROLLBACK: depends(text)}
    return Verdict(message, hits, severities=Severities.of("I/I/I") if change.before is None else None)


def _treatment(enum: Part) -> str:
    """What an unknown value is to clients, as an enum says it."""
    if not isinstance(enum, Enum) or (enum.unknown is None and not enum.open):
        return "what each of them likes"
    return "what it is" if enum.open else f"`{enum.unknown}`"
