"""A type is declared in another file."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import NOTHING, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class TypeMovedToAnotherFile(ChangeRule):
    """Nothing on the wire changes; includes and imports do."""

    id = "type-moved-to-another-file"
    title = "a type in another file"
    severities = Severities.of("I/W/E")
    explanation = (
        "Generated code is made file by file: a type in another file is in another header or module, and imports"
        " of `.proto` files lead to the old one. Its full name, and all that is on the wire, stays."
    )
    fix = "leave the type where it was, or import the new file publicly in the old one"
    no_witness = "it is about generated code"
    presets = SOURCE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every one."""
        if not isinstance(change, Altered) or not change.before or not change.after:
            return silent(f"{change.element} stands in a file on one side only")
        return Verdict(f"{change.element} is in {change.after} instead of {change.before}", NOTHING)
