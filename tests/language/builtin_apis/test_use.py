"""A project that uses Kubernetes' types: it gets what it names and all that this leads to, checked, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import Ran, apigen, environment, tree
from tests.type_checkers import mypy

GROUP = """
group: jobs.example.com
versions: {v1: {introduced: "1.0", storage: true}}
hub: v1
kinds: {Task: {scope: Namespaced, plural: tasks}}
"""
TYPES = """
types:
  Task:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false}
      spec: {type: TaskSpec, required: false}
  TaskSpec:
    fields:
      template: {type: core/v1.PodTemplateSpec, defaults: true}
      plain: {type: core/v1.PodTemplateSpec, optional: true}
      volume: {type: core/v1.PersistentVolumeClaim, optional: true}
"""
SCRIPT = """
import json
from generated import scheme
assert scheme.kinds() == ("Task",), "built-in API types are not served"
volume = {"kind": "PersistentVolumeClaim", "apiVersion": "v1", "spec": {"resources": {}}, "metadata": {}, "status": {}}
task = {"kind": "Task", "apiVersion": "jobs.example.com/v1", "metadata": {"name": "a"},
        "spec": {"template": {"spec": {"containers": [{"name": "c", "ports": [{"containerPort": 80}]}]}}, "volume": volume}}
task["spec"]["plain"] = task["spec"]["template"]
obj = scheme.decode(json.dumps(task), unknown="error")
assert obj.spec.template.spec.containers[0].ports[0].protocol == "TCP", "defaults of the built-in API types"
assert obj.spec.template.spec.containers[0].termination_message_path == "/dev/termination-log"
assert obj.spec.volume.kind == "PersistentVolumeClaim", "a kind as a field has `kind`"
hub = scheme.convert(obj, "hub")
assert hub.spec.template == obj.spec.template, "a value is the same in the hub"
assert obj.spec.plain.spec.containers[0].ports[0].protocol == "", "no defaults without `defaults: true`"
back = scheme.convert(hub, "jobs.example.com/v1")
assert (back.spec.template, back.spec.volume.spec) == (obj.spec.template, obj.spec.volume.spec)
data = scheme.encode(obj, "application/vnd.kubernetes.protobuf")
again = scheme.decode(data, "application/vnd.kubernetes.protobuf")
assert (again.spec.template, again.spec.volume.spec) == (obj.spec.template, obj.spec.volume.spec)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    """A project with an API of one kind, generated."""
    folder = tmp_path_factory.mktemp("tasks")
    group = folder / "api-specs" / "jobs.example.com"
    group.mkdir(parents=True)
    (group / "group.yaml").write_text(GROUP)
    (group / "v1.yaml").write_text(TYPES)
    ran = apigen(folder, "generate")
    assert ran.code == 0, ran.err
    return folder, ran


@pytest.mark.slow
def test_generated_files(project: tuple[Path, Ran]) -> None:
    folder, ran = project
    made = tree(folder / "generated")
    assert {path.partition("/")[0] for path in made if "/" in path} == {
        "core",
        "docs",
        "jobs_example_com",
        "meta",
        "runtime",
        "tests",
    }
    assert len(made) < 140
    assert ran.err == "", "no warning about what apigen brings"
    classes = [line for line in made["core/v1/types.py"].decode().splitlines() if line.startswith("class ")]
    assert "class PodTemplateSpec:" in classes
    assert "class PodStatus:" not in classes, "what no field leads to"


def test_only_project_groups_have_locks(project: tuple[Path, Ran]) -> None:
    folder, _ = project
    locks = [path for path in tree(folder) if path.endswith(".lock.yaml")]
    assert locks == ["api-specs/jobs.example.com/v1.lock.yaml"]


def test_only_referenced_gates_are_generated(project: tuple[Path, Ran]) -> None:
    folder, _ = project
    gates = (folder / "generated" / "features.py").read_text()
    text = "".join(p.read_text() for p in (folder / "generated").rglob("strategies.py"))
    assert "InPlacePodVerticalScaling" not in text or "InPlacePodVerticalScaling" in gates
    assert gates.count("FeatureGate(") < 40, "Kubernetes has hundreds"


def test_gates_used_only_by_hand_written_functions(project: tuple[Path, Ran]) -> None:
    """The pull policy of an image that is mounted is Python, and asks for a gate that no field of a Volume has."""
    folder, _ = project
    volumes = '"template":{"spec":{"containers":[],"volumes":[{"name":"v","image":{"reference":"a"}}]}}'
    script = (
        "from generated import scheme\n"
        f'obj = scheme.decode(\'{{"kind":"Task","apiVersion":"jobs.example.com/v1","spec":{{{volumes}}}}}\')\n'
        "print(obj.spec.template.spec.volumes[0].image.pull_policy)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("Always\n", "")


def test_lint_reports_no_findings(project: tuple[Path, Ran]) -> None:
    folder, _ = project
    ran = apigen(folder, "lint", "--strict")
    assert ran.code == 0 and ran.out.startswith("no findings in ")


def test_generated_package_works(project: tuple[Path, Ran]) -> None:
    folder, _ = project
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_mypy(project: tuple[Path, Ran]) -> None:
    folder, _ = project
    assert mypy(folder, "-p", "generated") == ""


@pytest.mark.slow
def test_kinds_without_any_spec(tmp_path: Path) -> None:
    """One line of configuration."""
    (tmp_path / "apigen.toml").write_text('kinds = ["Ingress.networking.k8s.io", "ConfigMap"]\n')
    ran = apigen(tmp_path, "generate")
    assert ran.code == 0, ran.err
    assert not (tmp_path / "api-specs").exists()
    shown = "from generated import scheme; print(scheme.kinds(), scheme.versions('Ingress'))"
    done = subprocess.run(
        [sys.executable, "-c", shown], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == ("('ConfigMap', 'Ingress') ('networking.k8s.io/v1beta1', 'networking.k8s.io/v1')\n")
    assert apigen(tmp_path, "verify").code == 0


@pytest.mark.slow
def test_hand_written_functions_are_copied_with_their_kinds(tmp_path: Path) -> None:
    """No lens can convert HorizontalPodAutoscaler completely."""
    (tmp_path / "apigen.toml").write_text('kinds = ["HorizontalPodAutoscaler"]\n')
    assert apigen(tmp_path, "generate").code == 0
    (copy,) = (tmp_path / "generated" / "autoscaling").rglob("hand_written_conversions.py")
    assert "import generated" not in copy.read_text() and "from generated" not in copy.read_text()
    script = (
        "from generated import scheme\n"
        'obj = scheme.decode(\'{"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling/v1",'
        '"spec":{"maxReplicas":3,"targetCPUUtilizationPercentage":50}}\')\n'
        "print(scheme.convert(obj, 'autoscaling/v2').spec.metrics[0].resource.target.average_utilization)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("50\n", "")


def test_configured_spec_folder_must_exist(tmp_path: Path) -> None:
    (tmp_path / "apigen.toml").write_text('specs = "api"\nkinds = ["ConfigMap"]\n')
    ran = apigen(tmp_path, "generate")
    assert ran.code == 3
    assert "AG0105" in ran.err or "AG0101" in ran.err, ran.err
