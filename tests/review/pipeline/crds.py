"""A CRD around a schema of `spec`, as a side of a review."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.finding import Finding
from apigen.review.grouping import every
from apigen.review.running import Request, run_review

GROUP, KIND, VERSION = "example.com", "Widget", "v1"


def root(spec: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object with a `spec`."""
    return {"type": "object", "properties": {"spec": spec}}


def definition(schema: dict[str, Any]) -> dict[str, Any]:
    """A definition with one version."""
    version = {"name": VERSION, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": KIND, "plural": "widgets"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"widgets.{GROUP}"},
        "spec": {"group": GROUP, "scope": "Namespaced", "names": names, "versions": [version]},
    }


def reviewed(
    folder: Path, base: dict[str, Any], revision: dict[str, Any], *, with_objects: bool = True
) -> tuple[Finding, ...]:
    """The findings of the review of two schemas of whole objects."""
    for name, schema in (("base.yaml", base), ("revision.yaml", revision)):
        (folder / name).write_text(yaml.safe_dump(definition(schema)), encoding="utf-8")
    report = Report()
    setting = Setting(folder)
    request = Request(
        "base.yaml", "revision.yaml", setting, approvals=None, moment=None, with_counterexamples=with_objects
    )
    found = run_review(request, report)
    assert found is not None, report.diagnostics
    return tuple(every(found.summary.findings))
