"""The locations of elements, also of missing ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apigen.diagnostics import Place
from apigen.ir.surface import Element, ElementKind, Struct, Surface, nearest_place
from tests.review.reports.hand_made import GROUP, struct, surface


def placed() -> Surface:
    """A surface of which each part has a line of its own."""
    thing = struct("Thing", {"spec": "string"})
    fields = {"spec": replace(thing.fields["spec"], place=Place("v1.yaml", 30, 7))}
    thing = replace(thing, fields=fields, place=Place("v1.yaml", 20, 3))
    made = surface(types=[thing])
    group = made.groups[GROUP]
    version = replace(group.versions["v1"], place=Place("group.yaml", 3, 3))
    group = replace(group, versions={"v1": version}, place=Place("group.yaml", 1, 1))
    return replace(made, groups={GROUP: group})


@pytest.mark.parametrize(
    ("element", "place"),
    [
        (Element(ElementKind.FIELD, GROUP, "v1", "Thing", "spec"), "v1.yaml:30:7"),
        (Element(ElementKind.ITEM, GROUP, "v1", "Thing", "spec[]"), "v1.yaml:30:7"),
        (Element(ElementKind.FIELD, GROUP, "v1", "Thing", "gone"), "v1.yaml:20:3"),
        (Element(ElementKind.FIELD, GROUP, "v1", "Gone", "spec"), "group.yaml:3:3"),
        (Element(ElementKind.STRUCT, GROUP, "v1", "Thing"), "v1.yaml:20:3"),
        (Element(ElementKind.VERSION, GROUP, "v1"), "group.yaml:3:3"),
        (Element(ElementKind.VERSION, GROUP, "v2"), "group.yaml:1:1"),
        (Element(ElementKind.GROUP, "other"), "api-specs"),
        (Element(ElementKind.GATE, path="Gate"), "api-specs"),
    ],
)
def test_nearest_location(element: Element, place: str) -> None:
    found = placed()
    assert isinstance(found.groups[GROUP].versions["v1"].types["Thing"], Struct)
    assert str(nearest_place(found, element)) == place
