"""A file is gone."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import NOTHING, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class FileRemoved(ChangeRule):
    """Imports of it lead nowhere."""

    id = "file-removed"
    title = "a file that is gone"
    severities = Severities.of("I/W/E")
    explanation = (
        "Files that import it do not compile any more, and the header or module that was generated from it is"
        " gone. What was in it is told by itself."
    )
    fix = "keep the file, and let it import publicly what took its place"
    no_witness = "it is about generated code"
    presets = SOURCE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every one; a new file changes nothing but what it holds."""
        if isinstance(change, Added):
            return silent(f"{change.element} is new")
        return Verdict(f"{change.element} is gone, and imports of it lead nowhere", NOTHING)
