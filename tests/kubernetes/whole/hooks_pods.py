"""What a server adds to the generated steps of pods: their class, a condition with the time, and what is merged into selectors.

Registered with `strategy.hook("create")`, it brings every record of a new pod to what Kubernetes makes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_COUNTED = ("cpu", "memory")
_PROFILE_KEY = "container.apparmor.security.beta.kubernetes.io/"
_PROFILES = {"runtime/default": "RuntimeDefault", "unconfined": "Unconfined"}
_LOCAL = "localhost/"
_WAITING = "Scheduling is blocked due to non-empty scheduling gates"

Amounts = dict[str, Any]


@dataclass(frozen=True)
class Request:
    """The context that the server hands to the hooks: its gates and the time."""

    features: Any
    now: Any


@dataclass(frozen=True)
class PodHooks:
    """The hooks; `types` and `meta` are the modules of the hub's types and of those of meta/v1."""

    types: Any
    meta: Any

    def register(self, strategy: Any) -> None:
        """Make them part of the strategy of Pod."""
        strategy.hook("create")(self.on_create)

    def on_create(self, request: Request, old: None, pod: Any) -> None:
        """What is made of a new pod after the generated steps."""
        if not pod.status.qos_class:
            pod.status.qos_class = quality_of_service(pod.spec, request.features)
        self._wait_for_gates(pod, request.now)
        self._merge_keys(pod, request.features)
        self._take_profiles(pod)

    def _wait_for_gates(self, pod: Any, now: Any) -> None:
        if pod.spec.scheduling_gates:
            condition = self.types.PodCondition(type="PodScheduled", status="False", reason="SchedulingGated")
            condition.message, condition.last_transition_time = _WAITING, now
            pod.status.conditions = [condition]

    def _merge_keys(self, pod: Any, features: Any) -> None:
        labels = pod.metadata.labels or {}
        affinity = pod.spec.affinity
        for term in _terms(affinity) if affinity is not None else ():
            if term.label_selector is not None:
                self._add(term.label_selector, "In", term.match_label_keys, labels)
                self._add(term.label_selector, "NotIn", term.mismatch_label_keys, labels)
        if all(features.enabled(gate) for gate in _MERGED_BY):
            for constraint in pod.spec.topology_spread_constraints or ():
                if constraint.label_selector is not None:
                    self._add(constraint.label_selector, "In", constraint.match_label_keys, labels)

    def _add(self, selector: Any, operator: str, keys: list[str] | None, labels: Mapping[str, str]) -> None:
        for key in keys or ():
            if key in labels:
                expression = self.meta.LabelSelectorRequirement(key=key, operator=operator, values=[labels[key]])
                selector.match_expressions = [*(selector.match_expressions or ()), expression]

    def _take_profiles(self, pod: Any) -> None:
        """Containers get the profile of their annotation, where they have none and it is not that of the pod."""
        if pod.spec.os is not None and pod.spec.os.name != "linux":
            return
        of_pod = pod.spec.security_context.app_armor_profile if pod.spec.security_context is not None else None
        for container in _containers(pod.spec):
            profile = self._profile((pod.metadata.annotations or {}).get(_PROFILE_KEY + container.name))
            context = container.security_context
            if profile is None or profile == of_pod or (context is not None and context.app_armor_profile is not None):
                continue
            container.security_context = context if context is not None else self.types.SecurityContext()
            container.security_context.app_armor_profile = profile

    def _profile(self, text: str | None) -> Any:
        if text in _PROFILES:
            return self.types.AppArmorProfile(type=_PROFILES[text])
        if text is not None and text.startswith(_LOCAL) and text.removeprefix(_LOCAL):
            return self.types.AppArmorProfile(type="Localhost", localhost_profile=text.removeprefix(_LOCAL))
        return None


_MERGED_BY = ("MatchLabelKeysInPodTopologySpread", "MatchLabelKeysInPodTopologySpreadSelectorMerge")


def quality_of_service(spec: Any, features: Any) -> str:
    """Guaranteed: limits of cpu and memory for all containers, equal to the requests. Best effort: neither limits nor
    requests.
    """
    of_pod = spec.resources if features.enabled("PodLevelResources") else None
    parts = [of_pod] if of_pod is not None else [each.resources for each in _measured(spec)]
    requests, limits, guaranteed = Amounts(), Amounts(), True
    for part in parts:
        for total, amounts in ((requests, part.requests), (limits, part.limits)):
            for name, amount in _counted(amounts):
                total[name] = total[name] + amount if name in total else amount
        if dict(_counted(part.limits)).keys() != set(_COUNTED):
            guaranteed = guaranteed and part is of_pod and not part.limits
    if not requests and not limits:
        return "BestEffort"
    return "Guaranteed" if guaranteed and requests == limits else "Burstable"


def _counted(amounts: Mapping[str, Any] | None) -> Iterator[tuple[str, Any]]:
    """The amounts that the class follows from: positive ones of cpu and memory."""
    for name in _COUNTED:
        amount = (amounts or {}).get(name)
        if amount is not None and amount.value > 0:
            yield name, amount


def _measured(spec: Any) -> list[Any]:
    return [*(spec.containers or ()), *(spec.init_containers or ())]


def _containers(spec: Any) -> list[Any]:
    return [*_measured(spec), *(spec.ephemeral_containers or ())]


def _terms(affinity: Any) -> Iterator[Any]:
    for part in (affinity.pod_affinity, affinity.pod_anti_affinity):
        if part is not None:
            yield from part.required_during_scheduling_ignored_during_execution or ()
            for weighted in part.preferred_during_scheduling_ignored_during_execution or ():
                yield weighted.pod_affinity_term
