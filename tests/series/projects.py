"""A project at release 1.3 whose kind holds types of Kubernetes, in two versions."""

from __future__ import annotations

from pathlib import Path

GROUP = """
group: jobs.example.com
versions:
  v1beta1: {introduced: "1.1", deprecated: "1.3", removed: "1.6", replacement: v1}
  v1: {introduced: "1.2", storage: true}
  v2alpha1: {introduced: "1.5"}
hub: v1
kinds:
  Task: {scope: Namespaced, plural: tasks}
"""

FEATURES = """
FastTasks:
  stages:
    - {release: "1.2", stage: alpha}
    - {release: "1.4", stage: beta, default: true}
"""

TYPES = """
types:
  Task:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      spec: {type: TaskSpec, required: false, protobuf: 2}
  TaskSpec:
    fields:
      template: {type: core/v1.PodTemplateSpec, protobuf: 1}
      sidecars: {type: "[]core/v1.Container", omitEmpty: true, protobuf: 2, listType: atomic}
      volumes: {type: "map[string]core/v1.Volume", omitEmpty: true, protobuf: 3}
      scale: {type: autoscaling/v2.HorizontalPodAutoscalerSpec, optional: true, protobuf: 4}
      fast: {type: bool, optional: true, protobuf: 5, featureGate: FastTasks}
      mode: {type: Mode, omitEmpty: true, protobuf: 6}
  Mode:
    enum:
      Once: {}
      Often: {tolerated: "1.3", introduced: "1.4"}
    unknown: Once
"""


def write_project(folder: Path, *, types: str = TYPES, changes: tuple[tuple[str, str], ...] = ()) -> Path:
    """Write the specs of the project below a folder, with texts replaced; returns the folder of specs."""
    specs = folder / "api-specs"
    group = specs / "jobs.example.com"
    group.mkdir(parents=True)
    files = {group / "group.yaml": GROUP, specs / "features.yaml": FEATURES}
    files |= {group / f"{version}.yaml": types for version in ("v1beta1", "v1", "v2alpha1")}
    for path, text in files.items():
        for old, new in changes:
            text = text.replace(old, new)
        path.write_text(text)
    return specs
