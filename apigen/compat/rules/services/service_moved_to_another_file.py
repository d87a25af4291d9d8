"""A service is declared in another file."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import NOTHING
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ServiceMovedToAnotherFile(ChangeRule):
    """Nothing on the wire changes; includes and imports do."""

    id = "service-moved-to-another-file"
    title = "a service in another file"
    severities = Severities.of("I/W/E")
    explanation = (
        "Generated clients and servers are made file by file: in another file they are in another header or"
        " module. The paths of the methods stay."
    )
    fix = "leave the service where it was"
    no_witness = "it is about generated code"
    presets = SOURCE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every one."""
        if not isinstance(change, Altered):
            return None
        return Verdict(f"service {change.element} is in {change.after} instead of {change.before}", NOTHING)
