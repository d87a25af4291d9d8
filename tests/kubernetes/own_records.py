"""Records in the form of those of Kubernetes, written by hand: of the Frobber, and of what those of Kubernetes omit.

What is expected of Kubernetes' kinds follows from its code: the functions of `pkg/apis/<group>/<version>` that are named.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tests.kubernetes.records import Conversion, Defaulting

Json = dict[str, Any]
NONE: Mapping[str, str] = MappingProxyType({})

# --- the Frobber ------------------------------------------------------------------------------------------------------

V6 = "things.example.com/v6"
V7 = "things.example.com/v7alpha1"

COMMON: Json = {
    "kind": "Frobber",
    "restartPolicy": "Never",
    "template": {"labels": {"shape": "round"}, "width": 5},
}
IN_V6: Json = {
    **COMMON,
    "apiVersion": V6,
    "metadata": {
        "name": "f",
        "annotations": {
            "things.example.com/owner": '{"name":"Ann","email":"ann@example.com"}',
            "things.example.com/max-per-hour": "7",
        },
    },
    "height": 3,
    "param": "doors",
    "width": 2,
    "status": {"frobs": 11, "measuredWidth": 2},
    "knobs": [{"name": "left", "position": 1, "width": 4}, {"name": "right", "position": 2}],
}
IN_V7: Json = {
    **COMMON,
    "apiVersion": V7,
    "metadata": {"name": "f"},
    "size": {"height": 3, "width": 2},
    "frobs": "doors",
    "status": {"frobCount": 11, "measuredWidth": 2},
    "knobs": {"left": {"position": 1, "width": 4}, "right": {"position": 2}},
    "owner": {"name": "Ann", "email": "ann@example.com"},
    "limits": {"maxPerHour": 7},
}
LITTLE_IN_V6: Json = {
    "kind": "Frobber",
    "apiVersion": V6,
    "metadata": {"name": "f", "annotations": {"things.example.com/max-per-hour": "0"}},
    "height": 0,
    "param": "",
    "restartPolicy": "",
    "status": {},
}
LITTLE_IN_V7: Json = {
    "kind": "Frobber",
    "apiVersion": V7,
    "metadata": {"name": "f"},
    "size": {"height": 0},
    "frobs": "",
    "restartPolicy": "",
    "status": {},
    "limits": {},
}
LENIENT_IN_V6: Json = {  # a decimal number, but none of JSON
    **LITTLE_IN_V6,
    "metadata": {"name": "f", "annotations": {"things.example.com/max-per-hour": "+007"}},
}

FROBBERS = (
    Conversion("Frobber", V6, V7, "full", "", IN_V6, IN_V7),
    Conversion("Frobber", V7, V6, "full", "", IN_V7, IN_V6),
    Conversion("Frobber", V6, V6, "full", "", IN_V6, IN_V6),
    Conversion("Frobber", V7, V7, "full", "", IN_V7, IN_V7),
    Conversion("Frobber", V6, V7, "little", "", LITTLE_IN_V6, LITTLE_IN_V7),
    Conversion("Frobber", V7, V6, "little", "", LITTLE_IN_V7, LITTLE_IN_V6),
    Conversion("Frobber", V6, V7, "decimal", "", LENIENT_IN_V6, {**LITTLE_IN_V7, "limits": {"maxPerHour": 7}}),
)
DEFAULTED_FROBBERS = (
    Defaulting("Frobber", V6, "little", LITTLE_IN_V6, {**LITTLE_IN_V6, "restartPolicy": "Always"}),
    Defaulting("Frobber", V7, "little", LITTLE_IN_V7, {**LITTLE_IN_V7, "restartPolicy": "Always"}),
    Defaulting("Frobber", V6, "full", IN_V6, IN_V6),
    Defaulting("Frobber", V7, "full", IN_V7, IN_V7),
)

# --- HorizontalPodAutoscaler: metrics of every type, and annotations that are reserved ---------------------------------

KEY = "autoscaling.alpha.kubernetes.io/"
TARGET = {"kind": "Pod", "name": "p", "apiVersion": "v1"}
CPU_OF_V2 = {
    "type": "Resource",
    "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}},
}
RESOURCES: tuple[tuple[str, Json], ...] = (("resource", {}), ("containerResource", {"container": "c"}))
METRICS: list[tuple[Json, Json]] = [
    (
        {"object": {"target": TARGET, "metricName": "m", "targetValue": "0"}},
        {"object": {"describedObject": TARGET, "target": {"type": "Value", "value": "0"}, "metric": {"name": "m"}}},
    ),
    (
        {"object": {"target": TARGET, "metricName": "m", "targetValue": "0", "averageValue": "5"}},
        {
            "object": {
                "describedObject": TARGET,
                "target": {"type": "AverageValue", "averageValue": "5"},
                "metric": {"name": "m"},
            }
        },
    ),
    (
        {"pods": {"metricName": "m", "targetAverageValue": "0"}},
        {"pods": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "0"}}},
    ),
    *(
        (
            {member: {"name": "memory", target: value} | extra},
            {member: {"name": "memory", "target": {"type": type_, meant: value}} | extra},
        )
        for member, extra in RESOURCES
        for target, type_, meant, value in (
            ("targetAverageUtilization", "Utilization", "averageUtilization", 7),
            ("targetAverageValue", "AverageValue", "averageValue", "7"),
        )
    ),
    (
        {"external": {"metricName": "m", "targetValue": "7"}},
        {"external": {"metric": {"name": "m"}, "target": {"type": "Value", "value": "7"}}},
    ),
    (
        {"external": {"metricName": "m", "targetAverageValue": "7"}},
        {"external": {"metric": {"name": "m"}, "target": {"type": "AverageValue", "averageValue": "7"}}},
    ),
]
"""A metric as v1 carries it in an annotation, and the same in v2 (Convert_v1_…MetricSource_To_autoscaling_…)."""

STATUSES: list[tuple[Json, Json]] = [
    (
        {"object": {"target": TARGET, "metricName": "m", "currentValue": "0"}},
        {"object": {"metric": {"name": "m"}, "current": {"value": "0"}, "describedObject": TARGET}},
    ),
    (
        {"pods": {"metricName": "m", "currentAverageValue": "0"}},
        {"pods": {"metric": {"name": "m"}, "current": {"averageValue": "0"}}},
    ),
    (
        {"resource": {"name": "memory", "currentAverageValue": "0"}},
        {"resource": {"name": "memory", "current": {"averageValue": "0"}}},
    ),
    (
        {"containerResource": {"name": "memory", "currentAverageValue": "0", "container": "c"}},
        {"containerResource": {"name": "memory", "current": {"averageValue": "0"}, "container": "c"}},
    ),
    (
        {"external": {"metricName": "m", "currentValue": "0"}},
        {"external": {"metric": {"name": "m"}, "current": {"value": "0"}}},
    ),
]
"""The same for what was last seen of a metric."""


def autoscaler_v1(annotations: Mapping[str, str] = NONE) -> Json:
    """With CPU in the field. The annotations are named by the last part of their keys."""
    return {
        "kind": "HorizontalPodAutoscaler",
        "apiVersion": "autoscaling/v1",
        "metadata": metadata(annotations),
        "spec": {"scaleTargetRef": TARGET, "maxReplicas": 3, "targetCPUUtilizationPercentage": 50},
        "status": {"currentReplicas": 1, "desiredReplicas": 2},
    }


def autoscaler_v2(annotations: Mapping[str, str] = NONE, **lists: list[Json]) -> Json:
    """With CPU after the `metrics`, as v1 gives them, and `current_metrics`."""
    return {
        "kind": "HorizontalPodAutoscaler",
        "apiVersion": "autoscaling/v2",
        "metadata": metadata(annotations),
        "spec": {"scaleTargetRef": TARGET, "maxReplicas": 3, "metrics": [*lists.get("metrics", []), CPU_OF_V2]},
        "status": {"currentReplicas": 1, "desiredReplicas": 2, "currentMetrics": lists.get("current_metrics")},
    }


def metadata(annotations: Mapping[str, str]) -> Json:
    reserved = {KEY + name: text for name, text in annotations.items()}
    return {"name": "a", "annotations": {"kept": "", **reserved}}


def typed(part: Json) -> Json:
    """With the `type` that its only member implies."""
    member = next(iter(part))
    return {"type": member[0].upper() + member[1:], **part}


def carried(parts: list[tuple[Json, Json]]) -> str:
    return json.dumps([typed(in_v1) for in_v1, _ in parts], separators=(",", ":"))


def in_v2(parts: list[tuple[Json, Json]]) -> list[Json]:
    return [typed(meant) for _, meant in parts]


def hpa(how: str, before: Json, after: Json) -> Conversion:
    return Conversion("HorizontalPodAutoscaler", before["apiVersion"], after["apiVersion"], how, "", before, after)


AUTOSCALERS = (
    hpa("metrics", autoscaler_v1({"metrics": carried(METRICS)}), autoscaler_v2(metrics=in_v2(METRICS))),
    hpa(
        "statuses",
        autoscaler_v1({"current-metrics": carried(STATUSES)}),
        autoscaler_v2(current_metrics=in_v2(STATUSES)),
    ),
    *(
        hpa(f"unreadable {name}", autoscaler_v1({name: "{"}), after)
        for name in ("metrics", "behavior", "current-metrics", "conditions")
        for after in (autoscaler_v1(), autoscaler_v2())
    ),
    *(  # DropRoundTripHorizontalPodAutoscalerAnnotations
        hpa(f"reserved {name}", before({name: text}), after())
        for name, text in (("scale-down-tolerance", "0.1"), ("scale-up-tolerance", "0.1"))
        for before in (autoscaler_v1, autoscaler_v2)
        for after in (autoscaler_v1, autoscaler_v2)
    ),
    *(
        hpa(f"reserved {name}", autoscaler_v2({name: "[]"}), after())
        for name in ("metrics", "behavior", "current-metrics", "conditions")
        for after in (autoscaler_v1, autoscaler_v2)
    ),
)

# --- PriorityLevelConfiguration: the mark of v1beta3, and queues ------------------------------------------------------

FLOWCONTROL = "flowcontrol.apiserver.k8s.io"
MARK = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares"


def priority_level(version: str, shares: int, queuing: Json | None = None, annotations: Json | None = None) -> Json:
    name = "assuredConcurrencyShares" if version in ("v1beta1", "v1beta2") else "nominalConcurrencyShares"
    response = {"type": "Reject"} if queuing is None else {"type": "Queue", "queuing": queuing}
    limited = {name: shares, "limitResponse": response, "lendablePercent": 1}
    return {
        "kind": "PriorityLevelConfiguration",
        "apiVersion": f"{FLOWCONTROL}/{version}",
        "metadata": {"name": "p"} | ({} if annotations is None else {"annotations": annotations}),
        "spec": {"type": "Limited", "limited": limited},
        "status": {},
    }


PRIORITY_LEVELS = (
    Conversion(  # addPriorityLevelConcurrencyShareDefaultAnnotation is not called, and nothing else takes the mark away
        "PriorityLevelConfiguration",
        f"{FLOWCONTROL}/v1",
        f"{FLOWCONTROL}/v1beta3",
        "stale mark",
        "",
        priority_level("v1", 5, annotations={MARK: "x"}),
        priority_level("v1beta3", 5, annotations={MARK: "x"}),
    ),
)
DEFAULTED_PRIORITY_LEVELS = tuple(
    Defaulting(
        "PriorityLevelConfiguration",
        f"{FLOWCONTROL}/{version}",
        f"without {name}",
        priority_level(version, 5, {"queues": 1, "handSize": 1, "queueLengthLimit": 1, name: 0}),
        priority_level(version, 5, {"queues": 1, "handSize": 1, "queueLengthLimit": 1, name: value}),
    )
    for version in ("v1beta1", "v1beta2", "v1beta3", "v1")
    for name, value in (("queues", 64), ("handSize", 8), ("queueLengthLimit", 50))  # SetDefaults_QueuingConfiguration
)

# --- Ingress: the type of a path --------------------------------------------------------------------------------------


def ingress(api_version: str, **path: str) -> Json:
    backend = {"serviceName": "s", "servicePort": 80}
    return {
        "kind": "Ingress",
        "apiVersion": api_version,
        "metadata": {"name": "i"},
        "spec": {"rules": [{"http": {"paths": [{"path": "/", **path, "backend": backend}]}}]},
        "status": {"loadBalancer": {}},
    }


DEFAULTED_INGRESSES = tuple(  # SetDefaults_HTTPIngressPath
    Defaulting("Ingress", version, "", ingress(version), ingress(version, pathType="ImplementationSpecific"))
    for version in ("networking.k8s.io/v1beta1", "extensions/v1beta1")
)

OWN_CONVERSIONS = (*FROBBERS, *AUTOSCALERS, *PRIORITY_LEVELS)
OWN_DEFAULTINGS = (*DEFAULTED_FROBBERS, *DEFAULTED_PRIORITY_LEVELS, *DEFAULTED_INGRESSES)
