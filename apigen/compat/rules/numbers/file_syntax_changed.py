"""A file has another syntax or edition."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import NOTHING
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class FileSyntaxChanged(ChangeRule):
    """What follows for its elements is told at each."""

    id = "file-syntax-changed"
    title = "another syntax"
    severities = Severities.of("I/I/W")
    explanation = (
        "The syntax decides what holds where nothing is said: presence, open enums, packed lists, UTF-8, JSON."
        " Each of these that changed is told at its element. Code that is generated may differ besides."
    )
    fix = "use features of editions to keep what held before"
    no_witness = "it is about generated code"
    presets = SOURCE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every one."""
        if not isinstance(change, Altered):
            return None
        return Verdict(f"{change.element} is {change.after} instead of {change.before}", NOTHING)
