"""What an object leaves out goes on to mean the same."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.ir.model import Presence
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.shipped_fields import ShippedField, shipped_fields, spelled
from apigen.lint.rule import finding


class PresenceStays(EvolutionRule):
    """Servers and clients of both releases agree on what is absent and what is zero. (api_changes.md, "On compatibility":
    the interpretation of existing fields does not change)
    """

    code = "AG1380"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for step in shipped_fields(evolution):
            if step.before.presence is not step.now.presence:
                yield finding(step.now.place, _message(step), _hint(step), step.shipped)


def _message(step: ShippedField) -> str:
    was, now = spelled(step.before.presence), spelled(step.now.presence)
    return (
        f"`{step.name}` was {was} in {step.release}, and is {now} now: {_harm(step.before.presence, step.now.presence)}"
    )


def _harm(before: Presence, now: Presence) -> str:
    if now is Presence.PLAIN:
        return "what nobody has set becomes zero, and is stored as that"
    if before is Presence.PLAIN:
        return "who relies on finding it in every object does not find it any more"
    if now is Presence.OMIT_EMPTY:
        return "a zero that somebody has set is lost"
    return "a zero that somebody sets is lost where the release before stores the object"


def _hint(step: ShippedField) -> str:
    if step.before.presence is Presence.PLAIN:
        return f"take `{step.now.presence.value}: true` away"
    put_back = f"put `{step.before.presence.value}: true` back"
    return put_back if step.now.presence is Presence.PLAIN else f"{put_back} for `{step.now.presence.value}: true`"
