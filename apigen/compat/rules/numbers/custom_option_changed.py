"""An option that somebody declared has another value."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import hits_in, option_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import CLIENTS, Impact
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class CustomOptionChanged(ChangeRule):
    """What it means is known to the code that reads it."""

    id = "custom-option-changed"
    title = "a custom option"
    severities = Severities.of("I/W/W")
    explanation = (
        "Options in brackets are extensions: rules of validation, paths of HTTP, names for a gateway. apigen does"
        " not know what code makes of them, so it says that they changed and no more."
    )
    fix = "ask whoever reads the option"
    no_witness = "only the code that reads the option knows what it does"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims the options in brackets, of whatever they are."""
        option = option_of(change)
        if option is None or not option[0].startswith("("):
            return None
        name, before, after = option
        message = f"option {name} of {change.element} is {after or 'gone'} instead of {before or 'nothing'}; what it does is not known"
        return Verdict(
            message,
            hits_in(CLIENTS, "may be treated otherwise", Impact.DEPENDS),
            is_unproven=True,
        )
