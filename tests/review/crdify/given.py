"""The cases of crdify, as pairs of whole definitions with what that tool says of them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(os.environ.get("APIGEN_SHARED", Path(__file__).resolve().parents[4] / "shared")) / "compat-cases/crdify"
VALUE = "^.spec.value"


@dataclass(frozen=True)
class Said:
    """What crdify says at a place: `^` is the root. `rule` is its own name of it."""

    path: str
    rule: str

    def __str__(self) -> str:
        return f"{self.rule} at {self.path}" if self.path else self.rule


@dataclass(frozen=True)
class Case:
    """Two definitions, and what crdify says: each is an error, or a warning. `rule` is the one that is run; empty: all of them."""

    name: str
    part: str
    old: str
    new: str
    said: tuple[Said, ...]
    rule: str = ""
    options: str = ""


def cases() -> list[Case]:
    """All 118 of them."""
    return [*_whole(), *_unit(), *_served()]


def _whole() -> Iterator[Case]:
    """Whole definitions. Their version is called v1, as crdify has no idea of stability."""
    for folder in sorted((ROOT / "e2e").iterdir()):
        old, new = ((folder / f"{side}.yaml").read_text(encoding="utf-8") for side in ("old", "new"))
        found = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["findings"]
        said = tuple(Said(each.get("path", ""), each["rule"]) for each in found)
        yield Case(folder.name, "e2e", _stable(old), _stable(new), said)


def _stable(text: str) -> str:
    return text.replace("v1alpha1", "v1").replace("v1alpha2", "v2")


def _unit() -> Iterator[Case]:
    for case in json.loads((ROOT / "unit.json").read_text(encoding="utf-8"))["cases"]:
        is_schema = case["input"] == "schema"
        old, new = (_property(case[side]) if is_schema else _definition(case[side]) for side in ("old", "new"))
        said = (Said(VALUE if is_schema else "", case["rule"]),) if case["flagged"] else ()
        options = ", ".join(f"{name}: {value}" for name, value in case.get("options", {}).items())
        yield Case(case["id"], "unit", old, new, said, case["rule"], options)


def _property(schema: dict[str, Any]) -> str:
    """A definition with a schema as that of one property."""
    spec = {"type": "object", "properties": {"value": schema}}
    root = {"type": "object", "properties": {"spec": spec}}
    return _definition({"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": root}}]}})


def _definition(partial: dict[str, Any]) -> str:
    """A whole definition of a part of one; what is omitted is the same on both sides. Objects are converted as they are, as crdify takes it."""
    spec = {
        "group": "things.example.com",
        "scope": "Namespaced",
        "names": {"kind": "Thing", "plural": "things"},
        "conversion": {"strategy": "None"},
        **partial.get("spec", {}),
    }
    versions = spec.get("versions") or [{"name": "v1alpha1"}]
    empty = {"openAPIV3Schema": {"type": "object"}}
    spec["versions"] = [
        {"served": True, "storage": index == 0, "schema": empty, **version} for index, version in enumerate(versions)
    ]
    head = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    whole = {**head, "metadata": {"name": "things.things.example.com"}, "spec": spec}
    return _stable(yaml.safe_dump({**whole, **({"status": partial["status"]} if "status" in partial else {})}))


def _served() -> Iterator[Case]:
    for case in json.loads((ROOT / "served.json").read_text(encoding="utf-8"))["cases"]:
        old, new = (_several(case[side]) for side in ("old", "new"))
        options = ", ".join(f"{name}: {value}" for name, value in case.get("options", {}).items())
        yield Case(case["id"], "served", old, new, tuple(_told(case["expected"])), "served", options)


def _several(side: dict[str, Any]) -> str:
    """A definition of several versions. Where they have no schema, they take any object."""
    versions = []
    for name, version in side["versions"].items():
        schema = {"openAPIV3Schema": version["schema"]} if version["schema"] is not None else {}
        versions.append({"name": name, "served": version["served"], "schema": schema})
    spec: dict[str, Any] = {"versions": versions}
    if "conversion" in side:
        spec["conversion"] = {"strategy": side["conversion"]}
    return _definition({"spec": spec})


def _told(expected: dict[str, Any]) -> Iterator[Said]:
    if expected.get("findings") == "some" or sum(expected.get("perComparison", {}).values()):
        yield Said("^.field1", "type")
    for pair, paths in expected.get("comparisons", {}).items():
        for path, rules in paths.items():
            yield from (Said(path, f"{rule} of {pair}") for rule, counts in rules.items() if sum(counts.values()))
