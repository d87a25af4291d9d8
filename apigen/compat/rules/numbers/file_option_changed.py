"""An option of a file has another value."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import NOTHING, option_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.verdict import Verdict


@change_rule("file-option-changed", altered(Trait.OPTIONS, ElementKind.FILE), severities="I/W/E", presets=SOURCE)
def file_option_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Packages and classes of generated code are called otherwise."""
    option = option_of(change)
    if option is None or option[0].startswith("("):
        return None
    name, before, after = option
    return Verdict(f"option {name} of {change.element} is {after or 'gone'} instead of {before or 'nothing'}", NOTHING)
