"""The rest of the scheme's surface: encode, convert, copy, equal, what there is, gates, strategies."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.scheme.compiled import (
    FLOWCONTROL,
    JSON,
    NETWORKING,
    PROTOBUF,
    THINGS,
    YAML,
    Compiled,
    flow_schema,
    ingress,
)
from tests.this_project import config

FROBBER: dict[str, Any] = {"apiVersion": f"{THINGS}/v6", "kind": "Frobber", "height": 3, "knobs": [{"name": "a"}]}


# --- encode -----------------------------------------------------------------------------------------------------------


def test_json(compiled: Compiled) -> None:
    obj = compiled.read(FROBBER)
    data = compiled.scheme.encode(obj)
    assert data == compiled.scheme.encode(obj, JSON)
    assert data == (
        b'{"kind":"Frobber","apiVersion":"things.example.com/v6","metadata":{},"height":3,"param":"",'
        b'"restartPolicy":"Always","status":{},"knobs":[{"name":"a"}]}'
    )
    indented = compiled.scheme.encode(obj, JSON, indent=2)
    assert json.loads(indented) == json.loads(data) and b'\n  "kind": "Frobber"' in indented


def test_yaml(compiled: Compiled) -> None:
    assert compiled.scheme.encode(compiled.read(FROBBER), YAML).decode() == (
        "apiVersion: things.example.com/v6\nheight: 3\nkind: Frobber\nknobs:\n- name: a\nmetadata: {}\n"
        'param: ""\nrestartPolicy: Always\nstatus: {}\n'
    )


def test_protobuf(compiled: Compiled) -> None:
    data = compiled.scheme.encode(compiled.read(FROBBER), PROTOBUF)
    assert data.startswith(b"k8s\0\x0a\x20\x0a\x15things.example.com/v6\x12\x07Frobber\x12")
    assert data.endswith(b"\x1a\x00\x22\x00")


def test_encoding_changes_nothing(compiled: Compiled) -> None:
    obj = compiled.read(FROBBER, default=False)
    before = compiled.scheme.copy(obj)
    for media_type in (JSON, YAML, PROTOBUF):
        compiled.scheme.encode(obj, media_type)
    assert obj == before, "defaults run on decode, never on encode"


def test_only_versions_are_encoded(compiled: Compiled) -> None:
    hub = compiled.scheme.convert(compiled.read(FROBBER), "hub")
    for thing in (hub, object(), None, {"kind": "Frobber"}):
        with pytest.raises(compiled.SchemeError, match=r"expected an object of a (version|kind), found "):
            compiled.scheme.encode(thing)
        with pytest.raises(compiled.SchemeError, match=r"expected an object of a (version|kind), found "):
            compiled.scheme.default(thing)


@pytest.mark.parametrize("media_type", [JSON, YAML, PROTOBUF])
@pytest.mark.parametrize("height", [2**31, -(2**31) - 1])
def test_numbers_out_of_range_are_not_written(compiled: Compiled, media_type: str, height: int) -> None:
    """Or, where they are, they are rejected when read."""
    obj = compiled.read(FROBBER)
    obj.height = height
    with pytest.raises((compiled.errors.EncodeError, compiled.errors.DecodeError)):
        compiled.scheme.decode(compiled.scheme.encode(obj, media_type), media_type)


# --- convert, copy, equal ---------------------------------------------------------------------------------------------


def test_hub_round_trip(compiled: Compiled) -> None:
    scheme, obj = compiled.scheme, compiled.read(flow_schema("v1beta2"))
    hub = scheme.convert(obj, "hub")
    assert type(hub).__module__ == f"{compiled.name}.flowcontrol_apiserver_k8s_io.hub.types"
    assert scheme.convert(hub, f"{FLOWCONTROL}/v1beta2") == obj
    again = scheme.convert(hub, "hub")
    assert again == hub and again is not hub and again.metadata is not hub.metadata
    assert scheme.convert(hub, "hub", share=True) is hub


def test_the_same_version_is_a_new_object(compiled: Compiled) -> None:
    obj = compiled.read(flow_schema("v1"))
    same = compiled.scheme.convert(obj, f"{FLOWCONTROL}/v1")
    assert same == obj and same is not obj
    same.spec.rules[0].resource_rules[0].verbs.append("get")
    same.metadata.annotations["c"] = "3"
    assert obj == compiled.read(flow_schema("v1"))


@pytest.mark.parametrize("to", ["hub", f"{FLOWCONTROL}/v1", f"{FLOWCONTROL}/v1beta1"])
def test_converted_values_are_not_shared(compiled: Compiled, to: str) -> None:
    obj = compiled.read(flow_schema("v1beta2"))
    new = compiled.scheme.convert(obj, to)
    for place in (mutable_parts(obj), mutable_parts(new)):
        assert len(place) > 10
    assert not mutable_parts(obj).keys() & mutable_parts(new).keys()


def test_sharing_produces_the_same_values(compiled: Compiled) -> None:
    scheme, obj = compiled.scheme, compiled.read(flow_schema("v1beta2"))
    shared = scheme.convert(obj, f"{FLOWCONTROL}/v1", share=True)
    assert shared == scheme.convert(obj, f"{FLOWCONTROL}/v1")
    assert shared.metadata is obj.metadata
    assert obj == compiled.read(flow_schema("v1beta2"))


def mutable_parts(value: Any) -> dict[int, Any]:
    """Everything below a value that can change, by identity."""
    if isinstance(value, list | tuple):
        inner = list(value)
    elif isinstance(value, dict):
        inner = list(value.values())
    elif hasattr(value, "__dataclass_fields__"):
        if value.__dataclass_params__.frozen:
            return {}
        inner = [getattr(value, name) for name in value.__dataclass_fields__]
    else:
        return {}
    found = {id(value): value}
    for item in inner:
        found |= mutable_parts(item)
    return found


@pytest.mark.parametrize("to", [f"{FLOWCONTROL}/v2", f"{NETWORKING}/v1", "v1", "", "Hub", f"{FLOWCONTROL}/hub"])
def test_unknown_versions_of_a_kind(compiled: Compiled, to: str) -> None:
    with pytest.raises(compiled.SchemeError) as raised:
        compiled.scheme.convert(compiled.read(flow_schema()), to)
    versions = ", ".join(f"{FLOWCONTROL}/{v}" for v in ("v1beta1", "v1beta2", "v1beta3", "v1"))
    assert str(raised.value) == f"FlowSchema has no version {to!r}; it has {versions}"


def test_non_object_is_not_converted(compiled: Compiled) -> None:
    with pytest.raises(compiled.SchemeError, match=r"expected an object of a kind, found an object \(0 members\)"):
        compiled.scheme.convert({}, "hub")


def test_copy(compiled: Compiled) -> None:
    scheme = compiled.scheme
    for obj in (compiled.read(flow_schema()), scheme.convert(compiled.read(flow_schema()), "hub")):
        copy = scheme.copy(obj)
        assert copy == obj and type(copy) is type(obj)
        assert not mutable_parts(obj).keys() & mutable_parts(copy).keys()
    with pytest.raises(compiled.SchemeError):
        scheme.copy("text")


def test_equal_is_semantic(compiled: Compiled) -> None:
    equal, types = compiled.scheme.equal, compiled.module("things_example_com.v6.types")
    assert equal(types.Frobber(knobs=[]), types.Frobber(knobs=None))
    assert equal(types.FrobTemplate(labels={}), types.FrobTemplate(labels=None))
    assert not equal(types.Frobber(template=None), types.Frobber(template=types.FrobTemplate()))
    assert not equal(types.Frobber(width=0), types.Frobber(width=None))
    assert not equal(types.Frobber(), compiled.module("things_example_com.v7alpha1.types").Frobber())
    quantity = compiled.module("runtime").Quantity
    assert equal(quantity("1"), quantity("1000m")) and not equal(quantity("1"), quantity("1001m"))


# --- what there is ----------------------------------------------------------------------------------------------------


def test_kinds(compiled: Compiled) -> None:
    kinds = compiled.scheme.kinds()
    assert {"FlowSchema", "PriorityLevelConfiguration", "HorizontalPodAutoscaler", "ConfigMap", "Frobber"} <= set(kinds)
    assert {"Ingress.extensions", "Ingress.networking.k8s.io", "Scale.apps", "Scale.autoscaling"} <= set(kinds)
    assert not {"Ingress", "Scale"} & set(kinds), "a name that groups share is written with its group"
    assert not any(kind.partition(".")[0].endswith("List") for kind in kinds)
    assert len(kinds) == len(set(kinds))


def test_versions(compiled: Compiled) -> None:
    versions = compiled.scheme.versions
    assert versions("FlowSchema") == tuple(f"{FLOWCONTROL}/{v}" for v in ("v1beta1", "v1beta2", "v1beta3", "v1"))
    assert versions("Frobber") == (f"{THINGS}/v6", f"{THINGS}/v7alpha1")
    assert versions("ConfigMap") == ("v1",)
    assert versions("Ingress.networking.k8s.io") == (f"{NETWORKING}/v1beta1", f"{NETWORKING}/v1")
    assert versions("Ingress.extensions") == ("extensions/v1beta1",)
    for kind in compiled.scheme.kinds():
        assert versions(kind)


def test_storage_versions(compiled: Compiled) -> None:
    storage = compiled.scheme.storage_version
    assert storage("Frobber") == f"{THINGS}/v6"
    assert storage("ConfigMap") == "v1"
    assert storage("Ingress.networking.k8s.io") == f"{NETWORKING}/v1"
    assert storage("Ingress.extensions") is None and storage("Scale.apps") is None


KNOWN = (
    "Scale.apps, HorizontalPodAutoscaler, Scale.autoscaling, ConfigMap, Scale.extensions, Ingress.extensions, "
    "FlowSchema, PriorityLevelConfiguration and 3 more"
)


@pytest.mark.parametrize("function", ["versions", "storage_version", "strategy"])
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("Frob", "there is no kind 'Frob'; did you mean Frobber?"),
        ("", f"there is no kind ''; the kinds are {KNOWN}"),
        ("FrobberList", "there is no kind 'FrobberList'; did you mean Frobber?"),
        ("Ingress", "several groups have a kind 'Ingress': Ingress.extensions or Ingress.networking.k8s.io"),
        ("Frobber.things.example.org", "there is no kind 'Frobber.things.example.org'; did you mean Frobber?"),
    ],
)
def test_unknown_kinds(compiled: Compiled, function: str, kind: str, words: str) -> None:
    with pytest.raises(compiled.SchemeError) as raised:
        getattr(compiled.scheme, function)(kind)
    assert str(raised.value) == words


def test_objects_that_are_not_deprecated(compiled: Compiled) -> None:
    assert compiled.scheme.deprecation_warning(compiled.read(FROBBER)) is None
    assert compiled.scheme.deprecation_warning(compiled.read(ingress("v1")), release="1.36") is None
    with pytest.raises(ValueError, match="a release is written like"):
        compiled.scheme.deprecation_warning(compiled.read(flow_schema()), release="new")
    with pytest.raises(compiled.SchemeError):
        compiled.scheme.deprecation_warning(object())


def test_replacement_in_another_group(compiled: Compiled) -> None:
    obj = compiled.read({"apiVersion": "apps/v1beta1", "kind": "Scale"})
    assert compiled.scheme.deprecation_warning(obj) == (
        "apps/v1beta1 Scale is deprecated in v1.8+, unavailable in v1.16+; use autoscaling/v1 Scale"
    )


# --- gates and strategies ---------------------------------------------------------------------------------------------


def test_features(compiled: Compiled) -> None:
    features = compiled.scheme.features(release="1.11")
    assert features.release == "1.11" and not features.enabled("Frobber2D")
    features.set("Frobber2D", True)
    assert features.enabled("Frobber2D")
    assert not compiled.scheme.features(release="1.11").enabled("Frobber2D"), "each has gates of its own"
    newest = compiled.scheme.features(release="1.36")
    assert newest.release == "1.36" and newest.enabled("Frobber2D")
    assert compiled.scheme.features().release == config().release
    with pytest.raises(ValueError, match="unrecognized feature gate: Frobber3D, did you mean Frobber2D"):
        newest.set("Frobber3D", True)
    with pytest.raises(ValueError, match=r"release 1\.10 does not have it yet"):
        compiled.scheme.features(release="1.10").set("Frobber2D", True)
    with pytest.raises(ValueError, match="a release is written like"):
        compiled.scheme.features(release="v1.11")


def test_strategies(compiled: Compiled) -> None:
    scheme = compiled.scheme
    strategy = scheme.strategy("Frobber")
    assert (strategy.kind, strategy.subresource) == ("Frobber", "")
    status = scheme.strategy("Frobber", "status")
    assert (status.kind, status.subresource) == ("Frobber", "status")
    assert scheme.strategy("Frobber") is strategy, "hooks that a server registers stay"
    assert scheme.strategy("Ingress.networking.k8s.io").kind == "Ingress"
    for kind in scheme.kinds():
        assert scheme.strategy(kind) is not None


@pytest.mark.parametrize(
    ("kind", "subresource", "words"),
    [
        ("Frobber", "scale", "Frobber has no subresource 'scale'; it has status"),
        ("ConfigMap", "status", "ConfigMap has no subresource 'status'; it has none"),
    ],
)
def test_unknown_subresources(compiled: Compiled, kind: str, subresource: str, words: str) -> None:
    with pytest.raises(compiled.SchemeError) as raised:
        compiled.scheme.strategy(kind, subresource)
    assert str(raised.value) == words


def test_a_subresource_is_not_created(compiled: Compiled) -> None:
    hub = compiled.scheme.convert(compiled.read(FROBBER), "hub")
    with pytest.raises(ValueError, match="Frobber/status cannot be created, only updated"):
        compiled.scheme.strategy("Frobber", "status").prepare_for_create(hub, features=compiled.scheme.features())


def test_validation_of_kubernetes(compiled: Compiled) -> None:
    """Types that our random specs do not have: unions and lists of Kubernetes, with its tags."""
    document = flow_schema("v1")
    document["spec"]["rules"][0]["subjects"][0] = {"kind": "User", "group": {"name": "a"}}
    hub = compiled.scheme.convert(compiled.read(document), "hub")
    errors = compiled.scheme.strategy("FlowSchema").validate(hub, features=compiled.scheme.features())
    assert errors and all(error.path.startswith("spec.rules[0].subjects[0]") for error in errors)


def test_every_kind_supports_all_operations(compiled: Compiled) -> None:
    """Every kind in every version: an empty object goes all the way."""
    scheme = compiled.scheme
    features = scheme.features()
    for kind in scheme.kinds():
        if kind == "HorizontalPodAutoscaler":
            continue  # its hand-written functions import the project's own output
        for version in scheme.versions(kind):
            obj = compiled.read({"apiVersion": version, "kind": kind.partition(".")[0]})
            for media_type in (JSON, YAML, PROTOBUF):
                assert scheme.decode(scheme.encode(obj, media_type), media_type, default=False) == obj
            hub = scheme.convert(obj, "hub")
            strategy = scheme.strategy(kind)
            assert strategy.prepare_for_create(hub, features=features) == []
            assert isinstance(strategy.validate(hub, features=features), list)
            assert strategy.validate_update(scheme.copy(hub), hub, features=features) == []
            for target in scheme.versions(kind):
                assert scheme.convert(hub, target).api_version == target
