"""Classes that a hub borrows from the version it follows, and what conversions may share because of that."""

from __future__ import annotations

import copy
import importlib
from textwrap import dedent
from typing import Any

import pytest

from tests.generating import generate_package

GROUP = """
    group: a.example.com
    versions:
      v1beta1: {introduced: "1.1", deprecated: "1.3", removed: "1.6"}
      v1: {introduced: "1.2", storage: true}
    hub: v1
    kinds:
      Thing: {scope: Namespaced, plural: things, list: false}
"""
V1 = """
    types:
      Thing:
        fields:
          spec: {type: Spec, required: false}
          parts: {type: "[]Part", optional: true}
          users: {type: Users, optional: true}
        lenses:
          spec.limits.grace: {clamp: {below: 0, to: 1}}
      Spec:
        fields:
          limits: {type: Limits, required: false}
          mode: {type: Mode, required: false}
          parts: {type: "[]Part", optional: true}
          names: {type: "[]string", optional: true}
          byName: {type: "map[string]Part", optional: true}
      Limits:
        fields:
          grace: {type: int64, optional: true}
          part: {type: Part, optional: true}
      Part:
        fields:
          name: {type: string}
          labels: {type: "map[string]string", optional: true}
          within: {type: Part, optional: true}
      Other:
        fields:
          mode: {type: Wider, required: false}
          size: {type: int32}
      Users:
        fields:
          other: {type: Other, optional: true}
      Mode: {enum: {Fast: {}, Slow: {}}}
      Wider: {enum: {On: {}}}
"""
V1BETA1 = V1.replace("{On: {}}", "{On: {}, Off: {}}")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("borrowed")
    for name, text in {"group": GROUP, "v1": V1, "v1beta1": V1BETA1}.items():
        path = folder / "specs" / "a.example.com" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    pytest.MonkeyPatch().syspath_prepend(folder)
    return generate_package(folder / "specs", folder)


def module(package: str, name: str) -> Any:
    return importlib.import_module(f"{package}.a_example_com.{name}")


def thing(types: Any) -> Any:
    within = types.Part(name="b", labels={"c": "d"})
    part = types.Part(name="a", within=within)
    spec = types.Spec(limits=types.Limits(grace=-5, part=part), parts=[part], names=["e"], by_name={"f": part})
    return types.Thing(spec=spec, parts=[copy.deepcopy(part)])


def test_identical_types_share_one_class(package: str) -> None:
    hub, v1, v1beta1 = (module(package, f"{version}.types") for version in ("hub", "v1", "v1beta1"))
    for name in ("Limits", "Part", "Spec", "Mode"):
        assert getattr(hub, name) is getattr(v1, name)
    for name in ("Thing", "Other", "Users", "Wider"):  # a kind; another enum; what holds that, at any distance
        assert getattr(hub, name) is not getattr(v1, name)
    assert hub.Part is not v1beta1.Part
    assert set(hub.__all__) == {"Limits", "Mode", "Other", "Part", "Spec", "Thing", "Users", "Wider"}
    assert module(package, "hub.copying").copy_part is module(package, "v1.copying").copy_part


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_values_are_shared_only_if_allowed(package: str, version: str) -> None:
    scheme, types = importlib.import_module(f"{package}.scheme"), module(package, f"{version}.types")
    obj = thing(types)
    hub = scheme.convert(obj, "hub")
    hub.spec.parts[0].labels = hub.spec.limits.part.within.labels = {"changed": ""}
    hub.spec.parts.clear()
    hub.spec.names.clear()
    hub.spec.by_name.clear()
    hub.parts[0].within.name = "changed"
    assert obj == thing(types)


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_sharing_changes_neither_result_nor_source(package: str, version: str) -> None:
    scheme, types = importlib.import_module(f"{package}.scheme"), module(package, f"{version}.types")
    obj = thing(types)
    hub = scheme.convert(obj, "hub", share=True)
    assert hub == scheme.convert(obj, "hub")
    assert hub.spec.limits.grace == 1, "a lens of the type above"
    assert obj == thing(types), "which writes below what could have been shared"
    back = scheme.convert(hub, f"a.example.com/{version}", share=True)
    assert back == scheme.convert(hub, f"a.example.com/{version}")
    assert (hub.parts is obj.parts) == (version == "v1"), "taken over as it is, with all that is below"


def test_functions_reuse_identical_values(package: str) -> None:
    types, conversions = module(package, "v1.types"), module(package, "v1.conversions")
    part = types.Part(name="a", labels={"b": "c"})
    assert conversions.part_to_hub(part, share=True) is part
    copied = conversions.part_from_hub(part)
    assert copied == part and copied is not part and copied.labels is not part.labels
