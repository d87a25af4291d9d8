"""What the search for objects does not do: look at all values of a huge enum."""

from __future__ import annotations

from apigen.compat.surface.types import EnumValue
from apigen.compat.verdict.example import ABSENT
from apigen.compat.witnesses.filling import value_of
from apigen.diagnostics import Place


def test_of_an_enum_no_more_values_are_looked_at_than_must_be() -> None:
    values = iter([EnumValue(name, Place("a.yaml")) for name in ("", "A", "B", "C")])
    assert value_of(values) == "A"
    assert [each.value for each in values] == ["B", "C"]
    assert value_of([]) is ABSENT
