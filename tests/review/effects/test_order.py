"""The order of fields is seen where nothing else differs."""

from __future__ import annotations

from dataclasses import replace

from apigen.review.changes.change import Altered, Trait
from apigen.review.changes.comparing import compare
from tests.review.effects.test_renames import NUMBER, TEXT, struct, surface


def test_changed_field_order_is_one_change() -> None:
    thing = struct("Thing", size=NUMBER, colour=TEXT)
    turned = replace(thing, fields={key: thing.fields[key] for key in reversed([*thing.fields])})
    assert thing == turned
    changes = list(compare(surface(thing), surface(turned)))
    assert [change.trait for change in changes if isinstance(change, Altered)] == [Trait.ORDER] and len(changes) == 1


def test_equal_types_have_no_change() -> None:
    thing = struct("Thing", size=NUMBER, colour=TEXT)
    assert not list(compare(surface(thing), surface(replace(thing))))
