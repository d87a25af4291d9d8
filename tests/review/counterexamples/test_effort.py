"""What the search for objects does not do: look at all values of a huge enum."""

from __future__ import annotations

from apigen.diagnostics import Place
from apigen.ir.surface import EnumValue
from apigen.review.counterexamples.candidates import value_of
from apigen.review.results import ABSENT


def test_only_needed_enum_values_are_tried() -> None:
    values = iter([EnumValue(name, Place("a.yaml")) for name in ("", "A", "B", "C")])
    assert value_of(values) == "A"
    assert [each.value for each in values] == ["B", "C"]
    assert value_of([]) is ABSENT
