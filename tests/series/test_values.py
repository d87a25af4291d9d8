"""Types of another series are values: decoded, encoded, copied and validated, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from apigen.codegen.pipeline import Sources
from apigen.language.releases import Release
from tests.series.conftest import import_scheme
from tests.series.projects import TYPES, write_project

GROUP = "jobs.example.com"

TEMPLATE: dict[str, Any] = {
    "metadata": {
        "annotations": {
            "pod.alpha.kubernetes.io/init-containers": "[]",
            "pod.beta.kubernetes.io/init-containers": "[]",
            "example.com/kept": "yes",
        }
    },
    "spec": {
        "containers": [{"name": "main", "image": "main:latest", "resources": {}, "ports": [{"containerPort": 80}]}],
        "serviceAccountName": "robot",
        "volumes": [{"name": "scratch", "emptyDir": {}}],
    },
}

TASK: dict[str, Any] = {
    "kind": "Task",
    "apiVersion": f"{GROUP}/v1beta1",
    "metadata": {"name": "task"},
    "spec": {
        "template": TEMPLATE,
        "sidecars": [{"name": "side", "resources": {}, "livenessProbe": {"httpGet": {"port": 80}}}],
        "volumes": {"data": {"name": "data", "configMap": {"name": "settings"}}},
        "scale": {
            "scaleTargetRef": {"kind": "Task", "name": "task"},
            "maxReplicas": 3,
            "behavior": {"scaleUp": {"tolerance": "50m"}},
        },
    },
}


def decoded(scheme: ModuleType, data: dict[str, Any] = TASK, **options: Any) -> Any:
    return scheme.decode(json.dumps(data), **options)


@pytest.mark.parametrize("media_type", ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"])
def test_values_are_not_defaulted_nor_converted(scheme: ModuleType, media_type: str) -> None:
    there = scheme.convert(decoded(scheme), f"{GROUP}/v1")
    stored = scheme.encode(there, media_type)
    back = scheme.convert(scheme.decode(stored, media_type), f"{GROUP}/v1beta1")
    assert json.loads(scheme.encode(back)) == TASK


def test_hub_holds_the_class_of_the_version(scheme: ModuleType) -> None:
    obj = decoded(scheme)
    hub = scheme.convert(obj, "hub")
    assert type(hub.spec.template) is type(obj.spec.template)
    assert hub.spec.template is not obj.spec.template
    assert scheme.equal(hub.spec.template, obj.spec.template)


def test_gates_of_the_series_do_not_apply_to_values(scheme: ModuleType) -> None:
    """HPAConfigurableTolerance is off in Kubernetes 1.33; strategies leave the value alone."""
    hub = scheme.convert(decoded(scheme), "hub")
    features = scheme.features(series={"kubernetes": "1.30"})
    strategy = scheme.strategy("Task")
    assert strategy.prepare_for_create(hub, features=features) == []
    assert hub.spec.scale.behavior.scale_up.tolerance is not None


def test_declared_constraints_of_values_are_validated(scheme: ModuleType) -> None:
    data = json.loads(json.dumps(TASK))
    hub = scheme.convert(decoded(scheme, data), "hub")
    strategy, features = scheme.strategy("Task"), scheme.features()
    assert [str(error) for error in strategy.validate(hub, features=features)] == []
    data["spec"]["template"]["spec"]["topologySpreadConstraints"] = [
        {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
    ] * 2
    hub = scheme.convert(decoded(scheme, data), "hub")
    found = [str(error) for error in strategy.validate(hub, features=features)]
    assert any("template.spec.topologySpreadConstraints[1]" in error for error in found)


def test_values_are_not_reported_as_deprecated(scheme: ModuleType) -> None:
    data = json.loads(json.dumps(TASK)) | {"apiVersion": f"{GROUP}/v1"}
    data["spec"]["template"]["spec"]["serviceAccount"] = "robot"
    assert scheme.warnings(decoded(scheme, data)) == []


@pytest.mark.slow
def test_opting_in_defaults_the_value_of_one_field(tmp_path: Path) -> None:
    opted = TYPES.replace(
        "core/v1.PodTemplateSpec, protobuf: 1", "core/v1.PodTemplateSpec, protobuf: 1, defaults: true"
    )
    scheme = import_scheme(Sources(write_project(tmp_path, types=opted), None, tmp_path), tmp_path)
    spec = decoded(scheme).spec
    assert spec.template.spec.restart_policy == "Always"
    assert spec.template.spec.containers[0].ports[0].protocol == "TCP"
    assert spec.sidecars[0].liveness_probe.http_get.path == ""
    assert json.loads(scheme.encode(decoded(scheme, default=False))) == TASK


def test_two_versions_of_a_type_are_converted_by_its_group(tmp_path: Path) -> None:
    specs = write_project(tmp_path, types=BACKEND)
    for version, other in (("v1beta1", "v1beta1"), ("v1", "v1"), ("v2alpha1", "v1")):
        path = specs / GROUP / f"{version}.yaml"
        path.write_text(path.read_text().replace("VERSION", other))
    scheme = import_scheme(Sources(specs, None, tmp_path, release=Release(1, 3)), tmp_path)
    data = {
        "kind": "Task",
        "apiVersion": f"{GROUP}/v1",
        "metadata": {"name": "task"},
        "spec": {"backends": [{"service": {"name": "shop", "port": {"number": 80}}}]},
    }
    old = scheme.convert(decoded(scheme, data), f"{GROUP}/v1beta1")
    assert json.loads(scheme.encode(old))["spec"] == {"backends": [{"serviceName": "shop", "servicePort": 80}]}
    assert json.loads(scheme.encode(scheme.convert(old, f"{GROUP}/v1"))) == data


def test_hub_of_values_is_not_generated(tmp_path: Path) -> None:
    sources = Sources(write_project(tmp_path), None, tmp_path)
    import_scheme(sources, tmp_path)
    made = next(tmp_path.glob("compiled_*"))
    assert not (made / "core" / "hub").exists()
    assert not (made / "core" / "v1" / "conversions.py").exists()
    assert not (made / "core" / "v1" / "defaults.py").exists()


BACKEND = """
types:
  Task:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      spec: {type: TaskSpec, required: false, protobuf: 2}
  TaskSpec:
    fields:
      backends: {type: "[]networking.k8s.io/VERSION.IngressBackend", omitEmpty: true, protobuf: 1, listType: atomic}
"""

INLINE = """
types:
  Task:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      spec: {type: TaskSpec, required: false, protobuf: 2}
  TaskSpec:
    fields:
      pod: {type: core/v1.PodSpec, inline: true, protobuf: 1}
"""


@pytest.mark.slow
def test_inlined_fields_of_another_series_are_values(tmp_path: Path) -> None:
    scheme = import_scheme(Sources(write_project(tmp_path, types=INLINE), None, tmp_path), tmp_path)
    data = {
        "kind": "Task",
        "apiVersion": f"{GROUP}/v1beta1",
        "metadata": {"name": "task"},
        "spec": {"containers": [{"name": "main", "resources": {}}], "serviceAccountName": "robot"},
    }
    there = scheme.convert(decoded(scheme, data), f"{GROUP}/v1")
    assert json.loads(scheme.encode(scheme.convert(there, f"{GROUP}/v1beta1"))) == data
