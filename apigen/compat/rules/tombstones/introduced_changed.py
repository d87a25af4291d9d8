"""Something is said to have come in another release."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule, altered
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.surface.types import EnumValue
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Release


class IntroducedChanged(ChangeRule):
    """When something came is a fact once the release is out."""

    id = "introduced-changed"
    title = "the release that introduced something is another one"
    severities = Severities.of("I/I/I")
    explanation = (
        "What is said of releases that are out is what removals are judged by: it does not change. What has not come yet may come"
        " later, or earlier."
    )
    fix = "say the release again that the old side says"
    claims = (altered(Trait.INTRODUCED),)
    no_witness = "it is about what is said of releases, and changes no object"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        if not isinstance(change, Altered) or isinstance(change.new, EnumValue):
            return None
        before, after = value_words(change.before), value_words(change.after)
        message = f"{change.element} came in {after}, and came in {before} before"
        if is_echo(change, context):
            return silent(message)
        if change.before is None or not _is_out(change.before, context):
            return note(message, "nothing")
        hit = depends(f"what {context.old.label} shipped is said to have come in {after}")
        return Verdict(message, {Direction.STORED: hit}, self.fix, severities=Severities.of("W/W/W"))


def _is_out(release: object, context: Context) -> bool:
    return isinstance(release, Release) and context.old.release is not None and release <= context.old.release
