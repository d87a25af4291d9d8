"""Numbers for extensions were taken back."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.ranges import uncovered
from apigen.compat.rules.numbers.words import hits_in, option_of, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, Impact
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ExtensionRangeNarrowed(ChangeRule):
    """Extensions with these numbers cannot be declared any more."""

    id = "extension-range-narrowed"
    title = "fewer numbers for extensions"
    severities = Severities.of("W/E/E")
    explanation = (
        "Whoever has declared an extension with one of these numbers cannot compile it any more, and messages"
        " that hold it have an unknown field instead."
    )
    fix = "declare the range again"
    no_witness = "extensions are declared by others"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the ranges of a message."""
        option = option_of(change, "extensions")
        if option is None:
            return None
        _, before, after = option
        gone = uncovered(before or "", after or "")
        if not gone:
            return silent(f"{change.element} has more numbers for extensions")
        message = f"{change.element} has no extensions {', '.join(gone)} any more"
        whom = (Direction.OLD_CLIENT, Direction.STORED)
        return Verdict(message, hits_in(whom, "has an unknown field where it holds such an extension", Impact.DEPENDS))
