"""An option that somebody declared has another value."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import hits_in, option_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.impact import CLIENTS, Impact
from apigen.compat.verdict.verdict import Verdict


@change_rule("custom-option-changed", altered(Trait.OPTIONS), severities="I/W/W")
def custom_option_changed(change: AnyChange, context: Context) -> Verdict | None:
    """What it means is known to the code that reads it."""
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
