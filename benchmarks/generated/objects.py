"""The objects that all contenders read and write: four that people would write, and a Pod in which every field is set."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

FIXTURE = "podfixture"
"""The only object that does not come with the harness."""
REAL = ("pod", "deployment", "flowschema", "hpa")
LARGE = ("pod", FIXTURE, "deployment")
SMALL = ("flowschema", "hpa")
OBJECTS = (*LARGE, *SMALL)


@dataclass(frozen=True, slots=True)
class Subject:
    """How an object goes through the versions: read in `package`, which is `version`, and written as `other`."""

    package: str
    version: str
    function: str
    other: str


SUBJECTS = {
    "pod": Subject("core.v1", "v1", "pod", "v1"),
    "podfixture": Subject("core.v1", "v1", "pod", "v1"),
    "deployment": Subject("apps.v1", "apps/v1", "deployment", "apps/v1beta2"),
    "flowschema": Subject(
        "flowcontrol_apiserver_k8s_io.v1beta3",
        "flowcontrol.apiserver.k8s.io/v1beta3",
        "flow_schema",
        "flowcontrol.apiserver.k8s.io/v1",
    ),
    "hpa": Subject("autoscaling.v2", "autoscaling/v2", "horizontal_pod_autoscaler", "autoscaling/v1"),
}
"""As the harness' Go code takes them."""


def json_of(name: str, *, harness: Path) -> bytes:
    """The object, without spaces. The environment names the folder with the filled Pod, as the harness wants it."""
    path = harness / "objects" / f"{name}.json"
    if name == FIXTURE:
        path = Path(os.environ["PEERS_FIXTURES"]) / "core.v1.Pod.json"
    return json.dumps(json.loads(path.read_bytes()), separators=(",", ":")).encode()
