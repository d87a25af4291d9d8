"""A kind is named by `Kind`, `Kind.group`, a triple or a class; what is not a kind or not of a kind is a SchemeError."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from tests.scheme.compiled import (
    FLOWCONTROL,
    JSON,
    MEDIA_TYPES,
    NETWORKING,
    PROTOBUF,
    THINGS,
    YAML,
    Compiled,
    flow_schema,
)

FROBBER: dict[str, Any] = {"apiVersion": f"{THINGS}/v6", "kind": "Frobber", "height": 3}
VERSIONS = ("v1beta1", "v1beta2", "v1beta3", "v1")


def class_of(compiled: Compiled, package: str, name: str) -> Any:
    return getattr(compiled.module(f"{package}.types"), name)


def names(compiled: Compiled, folder: str, group: str, versions: tuple[str, ...], kind: str) -> list[Any]:
    """All names of a kind, other than its plain name."""
    classes = [class_of(compiled, f"{folder}.{version}", kind) for version in (*versions, "hub")]
    return [f"{kind}.{group}" if group else kind, *((group, version, kind) for version in versions), *classes]


KINDS = [
    ("flowcontrol_apiserver_k8s_io", FLOWCONTROL, VERSIONS, "FlowSchema", True),
    ("networking_k8s_io", NETWORKING, ("v1beta1", "v1"), "Ingress", False),
    ("things_example_com", THINGS, ("v6", "v7alpha1"), "Frobber", True),
    ("core", "", ("v1",), "ConfigMap", True),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[3])
def test_every_name_of_a_kind_is_accepted(
    compiled: Compiled, kind: tuple[str, str, tuple[str, ...], str, bool]
) -> None:
    scheme = compiled.scheme
    accepted = names(compiled, *kind[:4])
    if kind[4]:
        accepted.append(kind[3])
    expected = tuple(f"{kind[1]}/{version}" if kind[1] else version for version in kind[2])
    for name in accepted:
        assert sorted(scheme.versions(name)) == sorted(expected)
        assert sorted(scheme.served_versions(name)) == sorted(scheme.served_versions(accepted[0]))
        assert scheme.storage_version(name) == scheme.storage_version(accepted[0])
        assert scheme.strategy(name) is scheme.strategy(accepted[0])


def test_names_that_kinds_lists_are_accepted(compiled: Compiled) -> None:
    for name in compiled.scheme.kinds():
        assert compiled.scheme.versions(name)
        kind, _, group = name.partition(".")
        for version in compiled.scheme.versions(name):
            found, _, number = version.rpartition("/")
            assert compiled.scheme.versions((found, number, kind)) == compiled.scheme.versions(name)
            assert not group or group == found


def test_a_list_has_the_versions_of_its_kind(compiled: Compiled) -> None:
    scheme, frobbers = compiled.scheme, class_of(compiled, "things_example_com.v7alpha1", "FrobberList")
    for name in (frobbers, (THINGS, "v6", "FrobberList")):
        assert scheme.versions(name) == scheme.versions("Frobber")
        assert scheme.storage_version(name) == scheme.storage_version("Frobber")
        with pytest.raises(compiled.SchemeError, match=r"^FrobberList is a list, and lists have no strategy$"):
            scheme.strategy(name)


THERE = "the kinds are Scale.apps, HorizontalPodAutoscaler, "
NOT_KINDS: list[tuple[Any, str]] = [
    ("frobber", "there is no kind 'frobber'; did you mean Frobber?"),
    ("StatefulSet.apps", "there is no kind 'StatefulSet.apps'; "),
    ("ConfigMap.", ""),
    ((THINGS, "v9", "Frobber"), f"there is no kind 'Frobber' in version '{THINGS}/v9'; there is ('{THINGS}', 'v6', 'F"),
    (("", "v6", "Frobber"), f"there is no kind 'Frobber' in version 'v6'; there is ('{THINGS}', 'v6', 'Frobber'), "),
    ((THINGS, "v6", "Frob"), f"there is no kind 'Frob' in version '{THINGS}/v6'; did you mean Frobber?"),
    ((THINGS, "v6"), "expected a kind as `Kind`, `Kind.group`, (group, version, kind) or a class of it, found a list"),
    ((THINGS, 6, "Frobber"), "expected a kind as `Kind`, "),
    ((THINGS, ["v6"], "Frobber"), "expected a kind as `Kind`, "),
    (int, f"builtins.int is not a class of a kind; {THERE}"),
    (None, "expected a kind as `Kind`, `Kind.group`, (group, version, kind) or a class of it, found null"),
    (5, "expected a kind as "),
    (["Frobber"], "expected a kind as "),
    ({}, "expected a kind as "),
    pytest.param(object(), "expected a kind as ", id="object"),
]


@pytest.mark.parametrize(("name", "words"), NOT_KINDS)
def test_unknown_kind_name_is_a_scheme_error(compiled: Compiled, name: Any, words: str) -> None:
    scheme = compiled.scheme
    if name == "ConfigMap.":
        assert scheme.versions(name) == ("v1",)  # as kubectl writes a kind of the core group
        return
    calls: list[Callable[[], Any]] = [
        lambda: scheme.versions(name),
        lambda: scheme.served_versions(name),
        lambda: scheme.storage_version(name),
        lambda: scheme.strategy(name),
    ]
    if name is not None:
        calls += [
            lambda: scheme.decode(json.dumps(FROBBER), expect=name),
            lambda: scheme.from_dict(FROBBER, expect=name),
        ]
    if not isinstance(name, str):
        calls.append(lambda: scheme.convert(compiled.read(FROBBER), name))
    for call in calls:
        with pytest.raises(compiled.SchemeError) as raised:
            call()
        assert str(raised.value).startswith(words)


def test_a_class_below_a_kind_is_not_a_kind(compiled: Compiled) -> None:
    spec = class_of(compiled, "flowcontrol_apiserver_k8s_io.v1", "FlowSchemaSpec")
    with pytest.raises(
        compiled.SchemeError, match=r"v1\.types\.FlowSchemaSpec is not a class of a kind; did you mean FlowS"
    ):
        compiled.scheme.strategy(spec)


# --- expect -----------------------------------------------------------------------------------------------------------


def test_expect_accepts_every_name(compiled: Compiled) -> None:
    v6 = class_of(compiled, "things_example_com.v6", "Frobber")
    for name in ("Frobber", f"Frobber.{THINGS}", (THINGS, "v6", "Frobber"), v6):
        assert type(compiled.read(FROBBER, expect=name)) is v6
    newer = {**FROBBER, "apiVersion": f"{THINGS}/v7alpha1"}
    for name in ("Frobber", f"Frobber.{THINGS}"):
        assert compiled.read({"apiVersion": f"{THINGS}/v7alpha1", "kind": "Frobber"}, expect=name).kind == "Frobber"
    del newer["height"]
    for name in ((THINGS, "v6", "Frobber"), v6):
        with pytest.raises(compiled.errors.DecodeError) as raised:
            compiled.read(newer, expect=name)
        assert str(raised.value) == f"expected {THINGS}/v6 Frobber, found {THINGS}/v7alpha1 Frobber"
    with pytest.raises(compiled.errors.DecodeError, match=f"^expected ConfigMap, found {THINGS}/v6 Frobber$"):
        compiled.read(FROBBER, expect="ConfigMap")


def test_documents_are_not_of_the_hub(compiled: Compiled) -> None:
    hub = class_of(compiled, "things_example_com.hub", "Frobber")
    with pytest.raises(compiled.SchemeError, match=r"hub\.types\.Frobber is a class of the hub, .*: 'Frobber'$"):
        compiled.read(FROBBER, expect=hub)


# --- convert ----------------------------------------------------------------------------------------------------------


def test_objects_convert_to_classes_and_triples(compiled: Compiled) -> None:
    scheme = compiled.scheme
    obj = compiled.read(flow_schema("v1beta2"))
    hub_class = class_of(compiled, "flowcontrol_apiserver_k8s_io.hub", "FlowSchema")
    hub = scheme.convert(obj, hub_class)
    assert type(hub) is hub_class
    assert hub == scheme.convert(obj, "hub")
    for source in (obj, hub):
        for version in VERSIONS:
            expected = scheme.convert(source, f"{FLOWCONTROL}/{version}")
            cls = class_of(compiled, f"flowcontrol_apiserver_k8s_io.{version}", "FlowSchema")
            for to in (cls, (FLOWCONTROL, version, "FlowSchema")):
                converted = scheme.convert(source, to)
                assert type(converted) is cls
                assert converted == expected
                assert converted is not source
    assert scheme.convert(hub, hub_class, share=True) is hub


def test_object_is_not_converted_to_another_kind(compiled: Compiled) -> None:
    obj = compiled.read(flow_schema("v1"))
    level = class_of(compiled, "flowcontrol_apiserver_k8s_io.v1", "PriorityLevelConfiguration")
    for to in (
        level,
        (FLOWCONTROL, "v1", "PriorityLevelConfiguration"),
        class_of(compiled, "flowcontrol_apiserver_k8s_io.hub", "PriorityLevelConfiguration"),
        class_of(compiled, "flowcontrol_apiserver_k8s_io.v1", "FlowSchemaList"),
        class_of(compiled, "networking_k8s_io.v1", "Ingress"),
    ):
        with pytest.raises(compiled.SchemeError, match="FlowSchema"):
            compiled.scheme.convert(obj, to)


# --- objects ----------------------------------------------------------------------------------------------------------


class Frobber:
    """Not of the generated package."""


NOT_OBJECTS: list[tuple[Any, str]] = [
    (None, "expected an object of a kind, found null"),
    (5, "expected an object of a kind, found a number (5)"),
    ({"kind": "Frobber"}, "expected an object of a kind, found an object (1 member)"),
    (date(2020, 1, 1), "expected an object of a kind, found an object of datetime.date; "),
    (Frobber(), f"expected an object of a kind, found an object of {__name__}.Frobber; did you mean Frobber?"),
    (Frobber, "expected an object of a kind, found a type"),
]


@pytest.mark.parametrize(("thing", "words"), NOT_OBJECTS, ids=lambda each: type(each).__name__)
def test_object_that_is_not_a_kind_is_a_scheme_error(compiled: Compiled, thing: Any, words: str) -> None:
    scheme = compiled.scheme
    calls: list[Callable[[], Any]] = [
        lambda: scheme.encode(thing),
        lambda: scheme.encode(thing, YAML),
        lambda: scheme.encode(thing, PROTOBUF),
        lambda: scheme.encode(thing, indent=2),
        lambda: scheme.to_dict(thing),
        lambda: scheme.default(thing),
        lambda: scheme.copy(thing),
        lambda: scheme.convert(thing, "hub"),
        lambda: scheme.convert(thing, f"{THINGS}/v6"),
        lambda: scheme.warnings(thing),
        lambda: scheme.deprecation_warning(thing),
        lambda: scheme.convert(thing, class_of(compiled, "things_example_com.v6", "Frobber")),
    ]
    for call in calls:
        with pytest.raises(compiled.SchemeError) as raised:
            call()
        assert str(raised.value).startswith(words)


def test_a_hub_object_is_not_encoded(compiled: Compiled) -> None:
    hub = compiled.scheme.convert(compiled.read(FROBBER), "hub")
    with pytest.raises(compiled.SchemeError) as raised:
        compiled.scheme.encode(hub)
    assert str(raised.value) == (
        f"expected an object of a version, found one of the hub ({compiled.name}.things_example_com.hub.types.Frobber); "
        f"convert it to a version first: {THINGS}/v6, {THINGS}/v7alpha1"
    )


@pytest.mark.parametrize("what", ["version", "other kind", "none", "dict"])
def test_strategies_reject_other_objects(compiled: Compiled, what: str) -> None:
    scheme = compiled.scheme
    strategy, features = scheme.strategy("Frobber"), scheme.features()
    hub = scheme.convert(compiled.read(FROBBER), "hub")
    wrong = {
        "version": compiled.read(FROBBER),
        "other kind": scheme.convert(compiled.read(flow_schema()), "hub"),
        "none": None,
        "dict": {"height": 3},
    }[what]
    calls: list[Callable[[], Any]] = [
        lambda: strategy.validate(wrong, features=features),
        lambda: strategy.validate_update(wrong, hub, features=features),
        lambda: strategy.validate_update(hub, wrong, features=features),
        lambda: strategy.prepare_for_create(wrong, features=features),
        lambda: strategy.prepare_for_update(wrong, hub, features=features),
        lambda: strategy.prepare_for_update(hub, wrong, features=features),
    ]
    for call in calls:
        with pytest.raises(compiled.SchemeError) as raised:
            call()
        taken = f"the strategy of Frobber takes objects of {compiled.name}.things_example_com.hub.types.Frobber, found "
        assert str(raised.value).startswith(taken)
        assert ("convert it to the hub first" in str(raised.value)) == (what == "version")
    if what != "version":
        with pytest.raises(compiled.SchemeError):
            strategy.from_request(wrong)
    if what != "none":
        with pytest.raises(compiled.SchemeError):
            strategy.from_request(compiled.read(FROBBER), wrong)


# --- apiVersion and kind ----------------------------------------------------------------------------------------------


def test_kind_and_version_keys_are_case_insensitive(compiled: Compiled) -> None:
    document = {"APIVERSION": f"{THINGS}/v6", "KIND": "Frobber", "height": 3}
    mixed = {"apiVersion": None, "ApiVersion": f"{THINGS}/v6", "kind": "FlowSchema", "KIND": "Frobber", "height": 3}
    for each in (document, mixed):
        for found in (
            compiled.read(each),
            compiled.scheme.decode(json.dumps(each).encode()),
            compiled.scheme.decode(json.dumps(each), unknown="ignore", expect="Frobber"),
            compiled.scheme.from_dict(each),
            next(compiled.scheme.decode_all(json.dumps(each))),
        ):
            assert (found.kind, found.api_version) == ("Frobber", f"{THINGS}/v6")
    obj = compiled.scheme.decode(json.dumps(document), YAML)
    for media_type in MEDIA_TYPES:
        assert compiled.scheme.decode(compiled.scheme.encode(obj, media_type), media_type) == obj


@pytest.mark.parametrize(
    ("kind", "version"),
    [("", ""), ("Frob", "a/v1"), ("Frobber", ""), ("", f"{THINGS}/v6"), ("Frobber", f"{THINGS}/v7alpha1")],
)
def test_kind_and_version_are_written_from_the_class(compiled: Compiled, kind: str, version: str) -> None:
    obj, right = compiled.read(FROBBER), compiled.read(FROBBER)
    obj.kind, obj.api_version = kind, version
    for media_type in MEDIA_TYPES:
        assert compiled.scheme.encode(obj, media_type) == compiled.scheme.encode(right, media_type)
    assert compiled.scheme.encode(obj, JSON, indent=2) == compiled.scheme.encode(right, JSON, indent=2)
    assert compiled.scheme.to_dict(obj) == compiled.scheme.to_dict(right)
    assert (obj.kind, obj.api_version) == (kind, version), "encoding changes nothing"


def test_list_items_are_encoded_unchanged(compiled: Compiled) -> None:
    frobbers = {"apiVersion": f"{THINGS}/v6", "kind": "FrobberList", "items": [{"height": 3}]}
    obj = compiled.read(frobbers)
    assert "kind" not in compiled.shown(obj)["items"][0]
    assert compiled.shown(obj.items[0])["kind"] == "Frobber"
