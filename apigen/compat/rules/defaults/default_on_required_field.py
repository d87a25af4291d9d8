"""A field that is required and has a default."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.defaults.slots import defaulted_fields
from apigen.compat.rules.guards import has_defaults
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.verdict import Verdict


@state_rule("default-on-required-field", has_defaults, severities="W/W/W")
def default_on_required_field(surface: Surface, context: Context) -> Iterator[Issue]:
    """The two contradict each other: a field that may not be left out needs no value for those who leave it out."""
    for place, field in defaulted_fields(surface):
        if field.required:
            words = f"{place.element} is required, and is {place.default.text} by default"
            yield Issue(
                place.element,
                place.default.place,
                Verdict(
                    words,
                    {},
                ),
            )
