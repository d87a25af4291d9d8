"""ConversionReviews as kube-apiserver sends them, answered by a real server over TLS."""

from __future__ import annotations

import asyncio
import concurrent.futures
import dataclasses
import json
from typing import Any

import pytest
from apigen_server.generated_package import GeneratedPackage, UnusablePackageError
from apigen_server.webhook import conversion
from apigen_server.webhook.conversion import Conversion

from generated import scheme

from .processes import Json, Server

V6, V7 = "things.example.com/v6", "things.example.com/v7alpha1"
V1, V1BETA1 = "apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"


def frobber(name: str, **more: Any) -> Json:
    metadata = {"name": name, "namespace": "default", "uid": f"uid-of-{name}"}
    return {"apiVersion": V6, "kind": "Frobber", "metadata": metadata, "height": 3, "param": "x", **more}


def newer_frobber(name: str) -> Json:
    metadata = frobber(name)["metadata"]
    return {"apiVersion": V7, "kind": "Frobber", "metadata": metadata, "size": {"height": 4}, "frobs": "y"}


def review(*objects: object, to: object = V7, version: str = V1, uid: str = "abc") -> Json:
    request = {"uid": uid, "desiredAPIVersion": to, "objects": list(objects)}
    return {"apiVersion": version, "kind": "ConversionReview", "request": request}


def converted(server: Server, *objects: object, **more: Any) -> list[Json]:
    response = server.review("/convert", review(*objects, **more))
    assert response["result"] == {"status": "Success"}, response
    found: list[Json] = response["convertedObjects"]
    return found


def failure(server: Server, *objects: object, **more: Any) -> str:
    response = server.review("/convert", review(*objects, **more))
    assert response["result"]["status"] == "Failure"
    assert response["convertedObjects"] == []
    message: str = response["result"]["message"]
    return message


@pytest.mark.parametrize("version", [V1, V1BETA1])
def test_objects_are_converted_in_order(server: Server, version: str) -> None:
    names = [f"frobber-{number}" for number in range(50)]
    found = converted(server, *map(frobber, names), version=version)
    assert [each["metadata"]["name"] for each in found] == names
    assert {each["apiVersion"] for each in found} == {V7}
    assert found[0]["size"] == {"height": 3}
    assert found[0]["frobs"] == "x"


def test_objects_of_several_versions_become_one_version(server: Server) -> None:
    found = converted(server, frobber("a"), newer_frobber("b"), frobber("c"))
    assert [(each["apiVersion"], each["frobs"]) for each in found] == [(V7, "x"), (V7, "y"), (V7, "x")]
    back = converted(server, frobber("a"), newer_frobber("b"), to=V6)
    assert [(each["apiVersion"], each["param"], each["height"]) for each in back] == [(V6, "x", 3), (V6, "y", 4)]


def test_objects_of_several_kinds_are_converted(server: Server) -> None:
    ingress = {"apiVersion": "networking.k8s.io/v1beta1", "kind": "Ingress", "metadata": {"name": "i"}}
    rules = {"rules": [{"http": {"paths": [{"backend": {"serviceName": "s", "servicePort": 80}}]}}]}
    found = converted(server, {**ingress, "spec": rules}, to="networking.k8s.io/v1")
    backend = found[0]["spec"]["rules"][0]["http"]["paths"][0]["backend"]
    assert backend == {"service": {"name": "s", "port": {"number": 80}}}


def test_an_object_of_the_desired_version_is_returned_unchanged(server: Server) -> None:
    obj = {**frobber("a"), "unknown": [1.5, {"x": None}]}
    assert converted(server, obj, to=V6) == [obj]


def test_a_review_without_objects_succeeds(server: Server) -> None:
    assert converted(server) == []


def test_objects_are_neither_defaulted_nor_validated(server: Server) -> None:
    obj = frobber("a", height=-5)
    del obj["param"]
    (found,) = converted(server, obj)
    assert found["restartPolicy"] == ""  # its zero value, and not the default Always
    assert found["size"] == {"height": -5}


def test_metadata_is_preserved_apart_from_annotations(server: Server) -> None:
    metadata = {
        "name": "a",
        "namespace": "default",
        "uid": "u",
        "labels": {"x": "y"},
        "annotations": {"things.example.com/max-per-hour": "7", "kept": "z"},
        "creationTimestamp": None,
        "generation": 3,
        "managedFields": [{"manager": "m", "fieldsType": "FieldsV1", "fieldsV1": {"f:height": {}}}],
        "newerThanThisPackage": {"a": [1]},
    }
    (found,) = converted(server, {**frobber("a"), "metadata": metadata})
    assert found["limits"] == {"maxPerHour": 7}
    assert found["metadata"] == {**metadata, "annotations": {"kept": "z"}}
    (back,) = converted(server, found, to=V6)
    assert back["metadata"] == metadata


def test_the_last_annotation_is_removed_with_its_map(server: Server) -> None:
    annotations = {"things.example.com/max-per-hour": "7"}
    obj = frobber("a")
    obj["metadata"]["annotations"] = annotations
    (found,) = converted(server, obj)
    assert found["metadata"] == frobber("a")["metadata"]


def test_conversions_match_the_scheme(server: Server) -> None:
    knobs = [{"name": f"knob-{number}", "position": number} for number in range(12)]
    obj = frobber("a", knobs=knobs, template={"labels": {"a": "ü\u2028<&>"}}, restartPolicy="OnTuesday", width=2)
    expected = scheme.convert(scheme.decode(json.dumps(obj), default=False), V7)
    assert converted(server, obj) == [scheme.to_dict(expected)]


def test_invalid_object_fails_its_review_with_name_and_path(server: Server) -> None:
    message = failure(server, frobber("good"), frobber("bad", knobs=[{"name": 5}]))
    assert message == (f'objects[1]: {V6} Frobber "default/bad": knobs[0].name: expected a string, found a number (5)')


@pytest.mark.slow
def test_invalid_object_does_not_affect_other_reviews(server: Server) -> None:
    def send(number: int) -> bool:
        objects = [frobber(f"a-{number}-{index}") for index in range(5)]
        if number % 2:
            objects[3]["height"] = "high"
            return "height: expected" in failure(server, *objects, uid=f"uid-{number}")
        return len(converted(server, *objects, uid=f"uid-{number}")) == 5

    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        assert all(threads.map(send, range(24)))


def test_unknown_desired_version_error_lists_the_versions(server: Server) -> None:
    message = failure(server, frobber("a"), to="things.example.com/v9")
    assert message.startswith(f'objects[0]: {V6} Frobber "default/a": ')
    assert "things.example.com/v9" in message


def test_an_object_of_an_unknown_version_is_reported(server: Server) -> None:
    message = failure(server, {**frobber("a"), "apiVersion": "things.example.com/v2"})
    assert message.startswith('objects[0]: things.example.com/v2 Frobber "default/a": ')


@pytest.mark.parametrize(
    ("obj", "problem"),
    [
        (None, "objects[0]: expected an object, found null"),
        ([], "objects[0]: expected an object, found a list"),
        ({"apiVersion": V6, "kind": "Frobber"}, f"objects[0]: {V6} Frobber: metadata: expected an object, found null"),
    ],
)
def test_non_object_is_reported(server: Server, obj: object, problem: str) -> None:
    assert failure(server, obj) == problem


@pytest.mark.parametrize("apart", ["apiVersion", "kind"])
def test_an_object_without_version_or_kind_is_reported(server: Server, apart: str) -> None:
    obj = frobber("a")
    del obj[apart]
    assert '"default/a": ' in failure(server, obj)


def test_a_desired_version_that_is_not_a_string_is_reported(server: Server) -> None:
    assert failure(server, frobber("a"), to=7) == "desiredAPIVersion: expected a string, found a number"


def test_deeply_nested_objects_are_accepted(server: Server) -> None:
    deep: Json = {}
    for _ in range(400):
        deep = {"a": deep}
    obj = frobber("a", template=deep)
    assert converted(server, obj, to=V6) == [obj]
    assert converted(server, obj)[0]["template"] == {}


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", b"the request body is not JSON"),
        (b"\xff", b"the request body is not JSON"),
        (b"[NaN]", b"the request body is not JSON"),
        (b"[1e999]", b"the request body is not JSON"),
        (b'"\\ud800"', b"the request body is not JSON"),
        (b"[]", b"expected a ConversionReview, found a list"),
        (b"[" * 100000, b"the request body is not JSON: depth limit"),
        (json.dumps(review(version="apiextensions.k8s.io/v2")).encode(), b"expected a ConversionReview of "),
        (json.dumps({**review(), "kind": "AdmissionReview"}).encode(), b"found kind 'AdmissionReview'"),
        (json.dumps({**review(), "request": None}).encode(), b"request: expected an object, found null"),
        (json.dumps(review(uid="")).encode(), b"request.uid: expected a string, found an empty string"),
    ],
)
def test_a_body_that_is_not_a_review_is_a_bad_request(server: Server, body: bytes, problem: bytes) -> None:
    status, answer = server.request("POST", "/convert", body)
    assert (status, problem in answer) == (400, True), answer


class RecordingScheme:
    """The scheme of `generated`, which notes the contexts of conversions."""

    def __init__(self, scheme: Any) -> None:
        self._scheme = scheme
        self.contexts: list[object] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._scheme, name)

    def convert(self, obj: object, to: str, *, share: bool = False, context: object = None) -> Any:
        self.contexts.append(context)
        return self._scheme.convert(obj, to, share=share, context=context)


def name_of(obj: Any) -> str:
    return f"context of {obj['metadata']['name']}"


def test_conversions_get_the_context_of_their_object() -> None:
    package = GeneratedPackage.load("generated").with_context(f"{__name__}:name_of")
    scheme = RecordingScheme(package.scheme)
    respond = Conversion(dataclasses.replace(package, scheme=scheme)).respond
    asyncio.run(respond(json.dumps(review(frobber("first"), frobber("second"))).encode()))
    assert scheme.contexts == ["context of first", "context of second"]


def test_many_objects_leave_time_for_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "_TURN", -1.0)  # a turn that has always ended
    respond = Conversion(GeneratedPackage.load("generated")).respond
    body = json.dumps(review(*(frobber(f"a-{number}") for number in range(1000)))).encode()

    async def turns_of_others() -> int:
        turns = 0
        answer = asyncio.create_task(respond(body))
        while not answer.done():
            await asyncio.sleep(0)
            turns += 1
        assert answer.result().result == "success"
        return turns

    assert asyncio.run(turns_of_others()) > 1000


@pytest.mark.parametrize("factory", ["no_such_module:f", f"{__name__}:no_such_name", f"{__name__}:V6", "a"])
def test_unusable_context_is_an_error(factory: str) -> None:
    with pytest.raises(UnusablePackageError, match=f"conversion context `{factory}`"):
        GeneratedPackage.load("generated").with_context(factory)
