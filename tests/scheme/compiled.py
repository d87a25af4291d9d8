"""The package of all specs of this project, compiled once per process, and documents to feed it."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

JSON, YAML, PROTOBUF = "application/json", "application/yaml", "application/vnd.kubernetes.protobuf"
MEDIA_TYPES = (JSON, YAML, PROTOBUF)

FLOWCONTROL = "flowcontrol.apiserver.k8s.io"
NETWORKING = "networking.k8s.io"
THINGS = "things.example.com"

Document = dict[str, Any]


@dataclass(frozen=True)
class Compiled:
    """A generated package."""

    name: str

    def module(self, path: str) -> Any:
        return importlib.import_module(f"{self.name}.{path}")

    @property
    def scheme(self) -> Any:
        return self.module("scheme")

    @property
    def errors(self) -> Any:
        return self.module("runtime.errors")

    @property
    def SchemeError(self) -> Any:  # noqa: N802
        return self.module("runtime.scheme").SchemeError

    def read(self, document: Document, **options: Any) -> Any:
        return self.scheme.decode(json.dumps(document), **options)

    def shown(self, obj: Any) -> Document:
        document: Document = json.loads(self.scheme.encode(obj))
        return document


def flow_schema(version: str = "v1beta2") -> Document:
    """A FlowSchema with something of everything; its shape is the same in all versions."""
    return {
        "apiVersion": f"{FLOWCONTROL}/{version}",
        "kind": "FlowSchema",
        "metadata": {
            "name": "frobbers",
            "creationTimestamp": "2024-05-06T07:08:09Z",
            "annotations": {"b": "2", "a": "1"},
        },
        "spec": {
            "priorityLevelConfiguration": {"name": "workload-low"},
            "matchingPrecedence": 500,
            "distinguisherMethod": {"type": "ByUser"},
            "rules": [
                {
                    "subjects": [
                        {"kind": "User", "user": {"name": "alice"}},
                        {"kind": "ServiceAccount", "serviceAccount": {"namespace": "kube-system", "name": "*"}},
                    ],
                    "resourceRules": [
                        {
                            "verbs": ["*"],
                            "apiGroups": [""],
                            "resources": ["pods"],
                            "clusterScope": True,
                            "namespaces": ["*"],
                        }
                    ],
                    "nonResourceRules": [{"verbs": ["get"], "nonResourceURLs": ["/healthz"]}],
                }
            ],
        },
        "status": {
            "conditions": [
                {"type": "Dangling", "status": "False", "lastTransitionTime": "2024-05-06T07:08:09Z", "reason": "Found"}
            ]
        },
    }


def priority_level(version: str, shares: str, **limited: Any) -> Document:
    """A PriorityLevelConfiguration; the field `shares` is named differently in the older versions."""
    return {
        "apiVersion": f"{FLOWCONTROL}/{version}",
        "kind": "PriorityLevelConfiguration",
        "metadata": {"name": "low"},
        "spec": {
            "type": "Limited",
            "limited": {shares: 20, "limitResponse": {"type": "Reject"}, "lendablePercent": 5, **limited},
        },
        "status": {},
    }


def ingress(version: str = "v1beta1") -> Document:
    """An Ingress of the networking group's v1beta1, or the same in v1."""
    backend: Document = {"serviceName": "web", "servicePort": "http"}
    if version == "v1":
        backend = {"service": {"name": "web", "port": {"name": "http"}}}
    path = {"path": "/", "pathType": "Prefix", "backend": backend}
    return {
        "apiVersion": f"{NETWORKING}/{version}",
        "kind": "Ingress",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"ingressClassName": "nginx", "rules": [{"host": "example.com", "http": {"paths": [path]}}]},
        "status": {"loadBalancer": {}},
    }
