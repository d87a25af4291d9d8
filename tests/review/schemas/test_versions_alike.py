"""Versions with equal schemas share them, and a review of them is as if each had its own."""

from __future__ import annotations

import copy
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from apigen.dataclass import replace
from apigen.inputs.crd import surface_of
from apigen.ir.surface import Surface
from apigen.review.review import review
from tests.review.schemas.randomized_definitions import StructuralMaker
from tests.review.schemas.reading import HEAD, Read, crd
from tests.yaml_files import read_yaml

SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "All that a schema can say.",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "pattern": "^a", "default": "a", "format": "uuid"},
        "mode": {"type": "string", "enum": ["A", "B"], "nullable": True},
        "either": {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
        "kept": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "deprecated": True},
        "inner": {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-map-type": "atomic"},
        "values": {"type": "object", "additionalProperties": {"type": "integer", "maximum": 3}},
        "items": {
            "type": "array",
            "maxItems": 3,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["key"],
            "items": {"type": "object", "properties": {"key": {"type": "string"}}, "oneOf": [{"required": ["key"]}]},
        },
        "odd": {"type": "strange", "minLength": -1, "$ref": "#/nowhere"},
    },
    "x-kubernetes-validations": [{"rule": "self.name != 'b'", "message": "not b"}, {"rule": "oldSelf == self"}, {}],
}


def definition(*schemas: dict[str, Any], group: str = "example.com") -> str:
    """A definition with a version for each schema."""
    made = read_yaml(HEAD)
    made["spec"]["group"] = group
    versions = []
    for number, schema in enumerate(schemas, 1):
        root = {"type": "object", "properties": {"spec": copy.deepcopy(schema)}}
        version: dict[str, Any] = {"name": f"v{number}", "served": True, "storage": number == 1}
        if number == 2:
            version["deprecationWarning"] = "a line more than v1 has"
        versions.append({**version, "schema": {"openAPIV3Schema": root}})
    made["spec"]["versions"] = versions
    return yaml.safe_dump(made, sort_keys=False)


def read_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no two schemas have the same text."""
    numbers = count()
    monkeypatch.setattr(surface_of, "json", SimpleNamespace(dumps=lambda _: str(next(numbers))))


def alike(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Return the surface, after comparing it with one that is read without the cache of equal texts."""
    with monkeypatch.context() as patched:
        read_apart(patched)
        each = crd(folder, text)
    together = crd(folder, text)
    one, other = each.surface, together.surface
    assert one is not None and other is not None, each.diagnostics
    assert repr(plain(other)) == repr(plain(one))
    assert one == other and other.schemas.keys() == one.schemas.keys()
    for version, written in one.schemas.items():
        for path in ("Thing", "Thing.spec", "Thing.spec.items[].key"):
            assert other.schemas[version].at(path) == written.at(path)
    return together


def plain(surface: Surface) -> Surface:
    """Return a surface without the marks of equal versions, and without the schemas, which are then those of the first."""
    groups = {
        name: replace(group, versions={each: replace(version, alike="") for each, version in group.versions.items()})
        for name, group in surface.groups.items()
    }
    return replace(surface, schemas={}, groups=groups)


def test_schema_with_all_keywords(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = alike(definition(SCHEMA, SCHEMA, SCHEMA), tmp_path, monkeypatch)
    assert len(read.unread) % 3 == 0 and len(set(read.unread)) >= 4
    assert read.surface is not None
    first, second, third = read.surface.schemas.values()
    assert first is second is third


def test_a_review_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tighter = copy.deepcopy(SCHEMA)
    tighter["properties"]["name"]["minLength"] = 2
    tighter["properties"]["added"] = {"type": "string"}
    texts = definition(SCHEMA, SCHEMA, SCHEMA), definition(tighter, tighter, SCHEMA)
    found = []
    for is_apart in (True, False):
        with monkeypatch.context() as patched:
            if is_apart:
                read_apart(patched)
            old, new = (
                crd(tmp_path, text, f"{side}.yaml").surface for side, text in zip(("old", "new"), texts, strict=True)
            )
        assert old is not None and new is not None
        found.append(repr(review(old, new).findings))
        assert len({version.alike for version in new.groups["example.com"].versions.values()}) == (3 if is_apart else 2)
    assert found[0] == found[1] and "minLength" in found[0] and "differs-between-versions" in found[0]


def test_version_that_differs_has_its_own_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = {**SCHEMA, "required": ["name", "mode"]}
    read = alike(definition(SCHEMA, other, other), tmp_path, monkeypatch)
    assert read.surface is not None
    first, second, third = read.surface.schemas.values()
    assert first is not second is third


def test_definitions_of_the_same_schema_in_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{definition(SCHEMA, SCHEMA)}---\n{definition(SCHEMA, SCHEMA, group='other.example.com')}"
    read = alike(text, tmp_path, monkeypatch)
    assert read.surface is not None and len(read.surface.schemas) == 4


def test_top_level_schema_of_v1beta1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = read_yaml(definition(SCHEMA, SCHEMA))
    made["apiVersion"] = "apiextensions.k8s.io/v1beta1"
    made["spec"]["validation"] = made["spec"]["versions"][0]["schema"]
    made["spec"]["preserveUnknownFields"] = False
    for version in made["spec"]["versions"]:
        del version["schema"]
    alike(yaml.safe_dump(made, sort_keys=False), tmp_path, monkeypatch)


@pytest.mark.parametrize("seed", range(40))
def test_generated_schemas(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = StructuralMaker(seed).document()
    alike(definition(schema, schema), tmp_path, monkeypatch)
