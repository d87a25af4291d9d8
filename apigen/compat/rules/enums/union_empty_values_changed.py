"""The values of a discriminator that go with no member changed."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("union-empty-values-changed", altered(Trait.EMPTY, ElementKind.UNION), severities="I/I/W")
def union_empty_values_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Validation does not judge them; clients may."""
    if not isinstance(change, Altered):
        return None
    words = f"the union of `{change.element.type}` has no member for {value_words(change.after)}, and had none for {value_words(change.before)}"
    text = "a client of before may look for a member, or for none, where it is the other way round"
    return Verdict(words, {Direction.OLD_CLIENT: depends(text)})
