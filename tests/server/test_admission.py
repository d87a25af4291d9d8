"""AdmissionReviews as kube-apiserver sends them: what is set, dropped, restored, reported, and left alone."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonpatch
import pytest

from .processes import Json, Server, running
from .test_conversion import V6, frobber, newer_frobber

V1, V1BETA1 = "admission.k8s.io/v1", "admission.k8s.io/v1beta1"


@pytest.fixture(scope="package")
def without_gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose gate Frobber2D is disabled; fields `width` are behind it."""
    with running(tmp_path_factory.mktemp("server"), "--feature-gates", "Frobber2D=false") as started:
        yield started


def review(obj: object, old: object = None, *, version: str = V1, **more: object) -> Json:
    request = {"uid": "abc", "operation": "UPDATE" if old else "CREATE", "object": obj, "oldObject": old, **more}
    return {"apiVersion": version, "kind": "AdmissionReview", "request": request}


def mutated(server: Server, obj: Json, old: object = None, **more: Any) -> tuple[Json, list[str]]:
    """The object after the patch of the webhook, and its warnings. The patched object needs no patch."""
    response = server.review("/mutate", review(obj, old, **more))
    assert response["allowed"], response
    found = copy.deepcopy(obj)
    if "patch" in response:
        assert response["patchType"] == "JSONPatch"
        found = jsonpatch.JsonPatch(json.loads(base64.b64decode(response["patch"]))).apply(found)
        again = server.review("/mutate", review(found, old, **more))
        assert "patch" not in again, base64.b64decode(again["patch"])
    return found, response.get("warnings", [])


def operations(server: Server, obj: Json, old: object = None, **more: Any) -> list[Json]:
    found: list[Json] = json.loads(base64.b64decode(server.review("/mutate", review(obj, old, **more))["patch"]))
    return found


def denied(server: Server, path: str, obj: object, old: object = None, **more: Any) -> Json:
    response = server.review(path, review(obj, old, **more))
    assert response["allowed"] is False
    status: Json = response["status"]
    return status


def valid(server: Server, obj: Json, old: object = None, **more: Any) -> list[str]:
    response = server.review("/validate", review(obj, old, **more))
    assert response["allowed"], response
    assert "patch" not in response
    warnings: list[str] = response.get("warnings", [])
    return warnings


# --- mutating ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [V1, V1BETA1])
def test_defaults_are_added(server: Server, version: str) -> None:
    assert operations(server, frobber("a"), version=version) == [
        {"op": "add", "path": "/restartPolicy", "value": "Always"}
    ]
    assert mutated(server, newer_frobber("a"))[0] == {**newer_frobber("a"), "restartPolicy": "Always"}


def test_complete_object_gets_no_patch(server: Server) -> None:
    obj = frobber("a", restartPolicy="Never", knobs=[{"name": "k", "position": 0}], template=None)
    assert server.review("/mutate", review(obj)) == {"uid": "abc", "allowed": True}


def test_values_are_not_normalized(server: Server) -> None:
    autoscaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "a"},
        "spec": {
            "maxReplicas": 3,
            "minReplicas": 1,
            "scaleTargetRef": {"kind": "Deployment", "name": "d"},
            "metrics": [
                {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Value", "value": "1000m"}}}
            ],
        },
    }
    assert mutated(server, autoscaler)[0] == autoscaler


def test_fields_of_disabled_gates_are_dropped_with_a_warning(server: Server, without_gate: Server) -> None:
    obj = frobber("a", width=2, restartPolicy="Never", knobs=[{"name": "k", "width": 1}, {"name": "l", "position": 1}])
    assert mutated(server, obj) == (obj, [])
    found, warnings = mutated(without_gate, obj)
    assert found == frobber("a", restartPolicy="Never", knobs=[{"name": "k"}, {"name": "l", "position": 1}])
    reason = "dropped because the Frobber2D feature is disabled"
    assert warnings == [f"width: {reason}", f"knobs[0].width: {reason}"]


def test_fields_that_the_old_object_uses_are_kept(without_gate: Server) -> None:
    old = frobber("a", width=2, restartPolicy="Never")
    obj = frobber("a", width=3, restartPolicy="Never")
    assert mutated(without_gate, obj, old) == (obj, [])
    assert mutated(without_gate, obj, frobber("a"))[0] == frobber("a", restartPolicy="Never")


def test_removed_fields_are_dropped_with_a_warning(server: Server) -> None:
    obj = frobber("a", restartPolicy="Never", depth=4, template={"labels": {"a": "b"}, "unknown": {"x": 1}})
    found, warnings = mutated(server, obj)  # v6 has a tombstone for depth
    assert found == frobber("a", restartPolicy="Never", template={"labels": {"a": "b"}})
    assert sorted(warnings) == ['unknown field "depth"', 'unknown field "template.unknown"']


def test_create_drops_status_and_update_keeps_it(server: Server) -> None:
    obj = frobber("a", restartPolicy="Never", status={"frobs": 7})
    assert not mutated(server, obj)[0].get("status")
    old = frobber("a", restartPolicy="Never", status={"frobs": 3})
    assert mutated(server, obj, old)[0]["status"] == {"frobs": 3}


def test_an_update_of_the_status_changes_the_status_only(server: Server) -> None:
    old = frobber("a", restartPolicy="Never", status={"frobs": 3})
    obj = {**old, "height": 99, "status": {"frobs": 4}}
    assert mutated(server, obj, old, subResource="status")[0] == {**old, "status": {"frobs": 4}}


def test_metadata_is_not_changed(server: Server) -> None:
    metadata = {
        "name": "a",
        "generation": 5,
        "labels": {"a/b": "~"},
        "annotations": {"things.example.com/max-per-hour": "07", "x": "y"},
        "unknown": 1,
    }
    obj = {**frobber("a", restartPolicy="Never"), "metadata": metadata}
    assert mutated(server, obj) == (obj, [])


@pytest.mark.parametrize("operation", ["DELETE", "CONNECT"])
def test_operations_without_a_new_object_are_allowed(server: Server, operation: str) -> None:
    request = review(None, operation=operation)
    for path in ("/mutate", "/validate"):
        assert server.review(path, request) == {"uid": "abc", "allowed": True}


def test_unknown_subresources_are_allowed(server: Server) -> None:
    scale = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a"}, "spec": {"replicas": 1}}
    for path in ("/mutate", "/validate"):
        assert server.review(path, review(scale, scale, subResource="scale")) == {"uid": "abc", "allowed": True}


@pytest.mark.parametrize("path", ["/mutate", "/validate"])
@pytest.mark.parametrize(
    ("obj", "message"),
    [
        (None, "request.object: expected an object, found null"),
        ({"kind": "Frobber"}, "request.object: expected an object with `apiVersion` and `kind`"),
        (
            frobber("a", knobs=[{"name": 5}]),
            f'{V6} Frobber "default/a": knobs[0].name: expected a string, found a number (5)',
        ),
    ],
)
def test_undecodable_object_is_denied(server: Server, path: str, obj: object, message: str) -> None:
    assert denied(server, path, obj) == {
        "status": "Failure",
        "code": 400,
        "reason": "BadRequest",
        "message": message,
    }


def test_unknown_kind_is_denied(server: Server) -> None:
    status = denied(server, "/mutate", {**frobber("a"), "kind": "Gadget"})
    assert status["message"].startswith(f'{V6} Gadget "default/a": ')


def test_an_old_object_that_cannot_be_decoded_is_named(server: Server) -> None:
    status = denied(server, "/mutate", frobber("a"), frobber("a", height="x"))
    assert "oldObject: " in status["message"]
    assert "height: expected" in status["message"]


# --- validating -------------------------------------------------------------------------------------------------------


def test_a_valid_object_is_allowed(server: Server) -> None:
    assert valid(server, frobber("a")) == []
    assert valid(server, newer_frobber("a")) == []


def test_constraints_are_reported_as_kube_apiserver_does(server: Server) -> None:
    status = denied(server, "/validate", frobber("a", height=-1, knobs=[{"name": "", "position": 12}]))
    assert (status["code"], status["reason"]) == (422, "Invalid")
    details = status["details"]
    assert (details["group"], details["kind"], details["name"]) == ("things.example.com", "Frobber", "a")
    assert [(cause["reason"], cause["field"]) for cause in details["causes"]] == [
        ("FieldValueInvalid", "height"),
        ("FieldValueTooShort", "knobs[0].name"),
        ("FieldValueInvalid", "knobs[0].position"),
    ]
    texts = [f"{cause['field']}: {cause['message']}" for cause in details["causes"]]
    assert status["message"] == f'Frobber.things.example.com "a" is invalid: [{", ".join(texts)}]'


def test_one_error_is_listed_without_brackets(server: Server) -> None:
    message = denied(server, "/validate", frobber("a", height=-1))["message"]
    assert message.startswith('Frobber.things.example.com "a" is invalid: height: Invalid value: -1: ')


def test_unchanged_values_of_an_update_are_not_validated(server: Server) -> None:
    old = frobber("a", height=-1)
    assert valid(server, frobber("a", height=-1, width=1), old) == []
    assert denied(server, "/validate", frobber("a", height=-2), old)["details"]["causes"][0]["field"] == "height"


def test_missing_required_field_is_ratcheted(server: Server) -> None:
    obj, old = frobber("a"), frobber("a")
    del obj["param"]
    assert "param: required" in denied(server, "/validate", obj)["message"]
    assert "param: required" in denied(server, "/validate", obj, old)["message"]
    assert mutated(server, obj)[0]["restartPolicy"] == "Always"  # another webhook may set the field later
    del old["param"]
    assert valid(server, obj, old) == []
    del obj["height"]
    assert "height: required" in denied(server, "/validate", obj, old)["message"]


def test_a_field_behind_a_disabled_gate_is_not_stored(server: Server, without_gate: Server) -> None:
    obj = frobber("a", width=2)
    assert valid(server, obj) == []
    causes = denied(without_gate, "/validate", obj)["details"]["causes"]
    assert causes == [
        {"reason": "FieldValueForbidden", "message": "Forbidden: the Frobber2D feature is disabled", "field": "width"}
    ]
    assert valid(without_gate, obj, obj) == []


def test_an_enum_value_behind_a_disabled_gate_is_reported(tmp_path_factory: pytest.TempPathFactory) -> None:
    obj = frobber("a", restartPolicy="OnTuesday")
    gate = "FrobberRestartPolicyOnTuesday=false"
    with running(tmp_path_factory.mktemp("server"), "--feature-gates", gate) as server:
        (cause,) = denied(server, "/validate", obj)["details"]["causes"]
        assert (cause["field"], "OnTuesday" in cause["message"]) == ("restartPolicy", True), cause
        assert valid(server, obj, obj) == []


def test_deprecated_versions_cause_warnings(server: Server) -> None:
    ingress = {"apiVersion": "networking.k8s.io/v1beta1", "kind": "Ingress", "metadata": {"name": "i"}}
    ingress["spec"] = {"backend": {"serviceName": "s", "servicePort": 80}}  # type: ignore[assignment]
    (warning,) = valid(server, ingress)
    assert warning.startswith("networking.k8s.io/v1beta1 Ingress is deprecated in v1.19+")


def test_an_emulated_release_has_its_gates_and_warnings(tmp_path_factory: pytest.TempPathFactory) -> None:
    arguments = ("--release", "1.11", "--series", "kubernetes=1.18")
    with running(tmp_path_factory.mktemp("server"), *arguments) as server:
        assert mutated(server, frobber("a", width=1))[1] == ["width: dropped because the Frobber2D feature is disabled"]
        ingress = {"apiVersion": "networking.k8s.io/v1beta1", "kind": "Ingress", "metadata": {"name": "i"}}
        assert mutated(server, ingress)[1] == []


def test_metrics_count_denied_requests(server: Server) -> None:
    denied(server, "/validate", frobber("a", height=-1))
    text = server.request("GET", "/metrics")[1].decode()
    assert 'apigen_webhook_reviews_total{result="denied",webhook="validate"}' in text


def test_deep_objects_are_denied(server: Server) -> None:
    deep = b'{"a":' * 700 + b"1" + b"}" * 700
    body = json.dumps(review(frobber("a", template="X"))).encode().replace(b'"X"', deep)
    for path in ("/mutate", "/validate"):
        assert server.request("POST", path, body)[0] == 200
