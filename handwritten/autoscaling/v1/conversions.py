"""HorizontalPodAutoscaler v1: what no lens can say about its metrics and its behavior.

v1 has one number for CPU where the hub has a list of metrics. The rest of the list travels in an annotation, and so
does the behavior, in the spelling of the Go struct that it was once written from. Text that cannot be read is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from generated.autoscaling import hub as autoscaling_hub
from generated.autoscaling import v1, v2
from generated.runtime import json_text, parse_json

METRICS = "autoscaling.alpha.kubernetes.io/metrics"
BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior"
DEFAULT_CPU_UTILIZATION = 80


def horizontal_pod_autoscaler_to_hub(
    source: v1.HorizontalPodAutoscaler,
    generated: Callable[[v1.HorizontalPodAutoscaler], autoscaling_hub.HorizontalPodAutoscaler],
) -> autoscaling_hub.HorizontalPodAutoscaler:
    """The metrics of the annotation, then the CPU one that a lens made of the field; CPU at 80 % if there is none."""
    hub = generated(source)
    annotations = source.metadata.annotations or {}
    metrics = _read_metrics(annotations) + (hub.spec.metrics or [])
    hub.spec.metrics = metrics or [_cpu_utilization(DEFAULT_CPU_UTILIZATION)]
    hub.spec.behavior = _read_behavior(annotations)
    return hub


def horizontal_pod_autoscaler_from_hub(
    hub: autoscaling_hub.HorizontalPodAutoscaler,
    generated: Callable[[autoscaling_hub.HorizontalPodAutoscaler], v1.HorizontalPodAutoscaler],
) -> v1.HorizontalPodAutoscaler:
    """Every metric but CPU utilization goes into the annotation. The field holds the first of those; others are lost."""
    new = generated(hub)
    carried: dict[str, str] = {}
    others = [metric for metric in hub.spec.metrics or [] if not _is_cpu_utilization(metric)]
    if others:
        tree = [
            v1.json_codec.encode_metric_spec(v1.conversions.metric_spec_from_hub(metric, share=True))
            for metric in others
        ]
        carried[METRICS] = json_text(tree, floats_encoded=True)
    if hub.spec.behavior is not None:
        carried[BEHAVIOR] = json_text(_spelled_in_go(hub.spec.behavior), floats_encoded=True)
    if carried:
        new.metadata.annotations = {**(new.metadata.annotations or {}), **carried}
    return new


def _is_cpu_utilization(metric: autoscaling_hub.MetricSpec) -> bool:
    """Return whether the metric is a utilization of CPU; as in Go, the type of its target does not count."""
    resource = metric.resource if metric.type == "Resource" else None
    return resource is not None and resource.name == "cpu" and resource.target.average_utilization is not None


def _cpu_utilization(percentage: int) -> autoscaling_hub.MetricSpec:
    target = autoscaling_hub.MetricTarget(type="Utilization", average_utilization=percentage)
    return autoscaling_hub.MetricSpec(
        type="Resource", resource=autoscaling_hub.ResourceMetricSource(name="cpu", target=target)
    )


def _read_metrics(annotations: Mapping[str, str]) -> list[autoscaling_hub.MetricSpec]:
    try:
        value = parse_json(annotations.get(METRICS, "[]"))
        items = value if isinstance(value, list) else []
        metrics = [v1.json_codec.decode_metric_spec(item, METRICS) for item in items]
    except ValueError:
        return []
    return [v1.conversions.metric_spec_to_hub(metric) for metric in metrics]


def _read_behavior(annotations: Mapping[str, str]) -> autoscaling_hub.HorizontalPodAutoscalerBehavior | None:
    try:
        value = _spelled_in_json(parse_json(annotations.get(BEHAVIOR, "{}")))
        behavior = v2.json_codec.decode_horizontal_pod_autoscaler_behavior(value, BEHAVIOR)
    except ValueError:
        return None
    if behavior.scale_up is None and behavior.scale_down is None:
        return None
    return v2.conversions.horizontal_pod_autoscaler_behavior_to_hub(behavior)


def _spelled_in_json(value: object) -> object:
    """`SelectPolicy` is `selectPolicy` in v2, which has the same fields."""
    if isinstance(value, dict):
        return {key[:1].lower() + key[1:]: _spelled_in_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_spelled_in_json(item) for item in value]
    return value


def _spelled_in_go(behavior: autoscaling_hub.HorizontalPodAutoscalerBehavior) -> dict[str, object]:
    return {"ScaleUp": _rules_in_go(behavior.scale_up), "ScaleDown": _rules_in_go(behavior.scale_down)}


def _rules_in_go(rules: autoscaling_hub.HPAScalingRules | None) -> dict[str, object] | None:
    if rules is None:
        return None
    policies = None
    if rules.policies is not None:
        policies = [{"Type": p.type, "Value": p.value, "PeriodSeconds": p.period_seconds} for p in rules.policies]
    return {
        "StabilizationWindowSeconds": rules.stabilization_window_seconds,
        "SelectPolicy": rules.select_policy,
        "Policies": policies,
        "Tolerance": None if rules.tolerance is None else str(rules.tolerance),
    }
