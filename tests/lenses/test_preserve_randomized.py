"""Random definitions with `preserve:`: a round trip of the hub through any version is lossless, and edits through a version take precedence."""

from __future__ import annotations

import copy
import importlib
import itertools
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.generating import generate_package
from tests.yaml_files import read_yaml

GROUP = "lens.example.com"
KEY = "example.com/data"
_NUMBERS = itertools.count()

SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "int32": st.integers(1, 3),
    "string": st.sampled_from(["a", "b", "c"]),
    "[]string": st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=2),
    "map[string]int32": st.dictionaries(st.sampled_from(["a", "b"]), st.integers(1, 3), min_size=1, max_size=2),
}
NAMES = ("one", "two", "three", "four")


@st.composite
def structs(draw: st.DrawFn, depth: int) -> dict[str, Any]:
    """The fields of a struct by name: a type, whether the version has the field, and what is below."""
    fields: dict[str, Any] = {}
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True)):
        forms = ["scalar", "struct", "list", "keyed", "map"] if depth else ["scalar"]
        form = draw(st.sampled_from(forms))
        below = draw(structs(depth - 1)) if form != "scalar" else None
        scalar = draw(st.sampled_from(sorted(SCALARS)))
        fields[name] = (form, scalar, draw(st.booleans()), below)
    return fields


def types_of(fields: dict[str, Any], name: str, held: bool, types: dict[str, Any]) -> None:
    """Write the struct `name` and those below it, as the hub's version has them, or (`held`) the other one."""
    written: dict[str, Any] = {"id": {"type": "string", "omitEmpty": True}}
    for field, (form, scalar, is_held, below) in fields.items():
        if held and not is_held:
            continue
        inner = f"{name}{field.capitalize()}"
        match form:
            case "scalar":
                written[field] = {"type": scalar, "omitEmpty": True}
            case "struct":
                written[field] = {"type": inner, "optional": True}
            case "list":
                written[field] = {"type": f"[]{inner}", "omitEmpty": True}
            case "keyed":
                written[field] = {"type": f"[]{inner}", "omitEmpty": True, "listType": "map", "listMapKeys": ["id"]}
            case "map":
                written[field] = {"type": f"map[string]{inner}", "omitEmpty": True}
        if below is not None:
            types_of(below, inner, held, types)
    types[name] = {"fields": written}


@st.composite
def values(draw: st.DrawFn, fields: dict[str, Any], held: bool) -> dict[str, Any]:
    """A value of a struct, as the hub's version has it, or (`held`) the other one. Nothing in it is empty."""
    value: dict[str, Any] = {"id": draw(st.sampled_from(["u", "v", "w"]))}
    for field, (form, scalar, is_held, below) in fields.items():
        if (held and not is_held) or not draw(st.booleans()):
            continue
        inner = values(below, held) if below is not None else SCALARS[scalar]
        if form == "map":
            inner = st.dictionaries(st.sampled_from(["k", "l"]), inner, min_size=1, max_size=2)
        if form in ("list", "keyed"):
            unique = (lambda item: item["id"]) if form == "keyed" else None
            inner = st.lists(inner, min_size=1, max_size=3, unique_by=unique)
        value[field] = draw(inner)
    return value


def load(fields: dict[str, Any], folder: Path) -> Any:
    group = folder / "specs" / GROUP
    group.mkdir(parents=True)
    kind = {"scope": "Namespaced", "plural": "things", "list": False, "preserve": {"annotation": KEY}}
    versions = {"v1beta1": {}, "v1": {"storage": True}}
    texts = {"group": {"group": GROUP, "versions": versions, "hub": "v1", "kinds": {"Thing": kind}}}
    for version, held in (("v1", False), ("v1beta1", True)):
        types: dict[str, Any] = {}
        types_of(fields, "Spec", held, types)
        metadata = {"type": "meta/v1.ObjectMeta", "required": False}
        types["Thing"] = {"fields": {"metadata": metadata, "spec": {"type": "Spec", "required": False}}}
        texts[version] = {"types": types}
    for name, text in texts.items():
        (group / f"{name}.yaml").write_text(yaml.safe_dump(text), encoding="utf-8")
    package = generate_package(folder / "specs", folder)
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(f"{package}.scheme")
    finally:
        sys.path.remove(str(folder))


def converted(scheme: Any, document: dict[str, Any], version: str) -> dict[str, Any]:
    made = scheme.convert(scheme.decode(yaml.safe_dump(document), "application/yaml"), f"{GROUP}/{version}")
    found: dict[str, Any] = read_yaml(scheme.encode(made, "application/yaml"))
    return found


@pytest.mark.slow(one_in=16)
@settings(max_examples=12, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(fields=structs(2), data=st.data())
def test_hub_round_trips_and_edits_take_precedence(
    fields: dict[str, Any], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    scheme = load(fields, tmp_path_factory.mktemp(f"preserve{next(_NUMBERS)}_"))
    head: dict[str, Any] = {"kind": "Thing", "metadata": {"name": "a"}}
    for _ in range(8):
        hub: dict[str, Any] = {"apiVersion": f"{GROUP}/v1", **head, "spec": data.draw(values(fields, held=False))}
        old = converted(scheme, hub, "v1beta1")
        assert converted(scheme, old, "v1")["spec"] == hub["spec"], "nothing was changed through v1beta1"
        edited = copy.deepcopy(old)
        edited["spec"] = data.draw(values(fields, held=True))
        back = converted(scheme, converted(scheme, edited, "v1"), "v1beta1")
        assert back["spec"] == edited["spec"], "an edit through v1beta1 wins"
        touched = copy.deepcopy(old)
        touched["spec"]["id"] = "edited"
        wanted = {**hub["spec"], "id": "edited"}
        assert converted(scheme, touched, "v1")["spec"] == wanted, "one edit leaves the rest as it was"
