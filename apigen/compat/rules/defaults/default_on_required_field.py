"""A field that is required and has a default."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.defaults.slots import defaulted_fields
from apigen.compat.rules.rule import Issue, StateRule
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DefaultOnRequiredField(StateRule):
    """The two contradict each other: a field that may not be left out needs no value for those who leave it out."""

    id = "default-on-required-field"
    title = "a required field with a default"
    severities = Severities.of("W/W/W")
    explanation = (
        "Required says that everybody sends the field, a default what it is when nobody does. Clients that read the schema"
        " send what they need not, and servers differ in whether they fill in first or refuse first."
    )
    fix = "make the field optional, or drop the default"
    no_witness = (
        "the contract contradicts itself; objects with and without the field are both good where it is filled in"
    )

    def check(self, surface: Surface, context: Context) -> Iterator[Issue]:
        """The fields of a side that are both."""
        for place, field in defaulted_fields(surface):
            if field.required:
                words = f"{place.element} is required, and is {place.default.text} by default"
                yield Issue(place.element, place.default.place, Verdict(words, {}, self.fix))
