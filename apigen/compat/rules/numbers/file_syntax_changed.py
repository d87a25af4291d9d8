"""A file has another syntax or edition."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import NOTHING
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.verdict import Verdict


@change_rule("file-syntax-changed", altered(Trait.SYNTAX, ElementKind.FILE), severities="I/I/W", presets=SOURCE)
def file_syntax_changed(change: AnyChange, context: Context) -> Verdict | None:
    """What follows for its elements is told at each."""
    if not isinstance(change, Altered):
        return None
    return Verdict(f"{change.element} is {change.after} instead of {change.before}", NOTHING)
