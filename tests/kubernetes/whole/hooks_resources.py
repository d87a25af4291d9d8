"""What a server adds to the generated steps of resources other than pods, so that all is as in Kubernetes.

Each function is a hook: it gets the context, the old object (None on a creation) and the new one. `HOOKS` says of which
kind and operations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

_HOSTNAME = "kubernetes.io/hostname"
_NODE_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_SETTLED = ("Approved", "Denied")
_UID_LABEL = "batch.kubernetes.io/controller-uid"


@dataclass(frozen=True)
class Request:
    """The context that the server hands to the hooks; `types` are those of the kind's hub, `meta` those of meta/v1."""

    now: Any
    version: str
    features: Any
    types: ModuleType
    meta: ModuleType
    same: Callable[[object, object], bool]


Hook = Callable[[Request, Any, Any], None]


def who_asks(_: Request, __: None, csr: Any) -> None:
    """The requester of all records."""
    csr.spec.username, csr.spec.uid, csr.spec.groups = "alice", "u-1", ["system:authenticated"]
    csr.spec.extra = {"k": ["v"]}


def settled_conditions(request: Request, old: Any, csr: Any) -> None:
    """What was approved or denied is put back in its place, if there is as much of it as before."""
    for word in _SETTLED:
        before, now = (_indices(each.status.conditions, word) for each in (old, csr))
        if len(before) == len(now):
            for there, here in zip(before, now, strict=True):
                csr.status.conditions[here] = old.status.conditions[there]
    times_of_conditions(request, old, csr)


def times_of_conditions(request: Request, old: Any, csr: Any) -> None:
    """Times that were omitted: now, or when the condition last changed."""
    for condition in csr.status.conditions or ():
        if condition.last_update_time is None:
            condition.last_update_time = request.now
        if condition.last_transition_time is None:
            known = [
                each.last_transition_time
                for each in old.status.conditions or ()
                if (each.type, each.status) == (condition.type, condition.status)
                and each.last_transition_time is not None
            ]
            condition.last_transition_time = known[0] if known else request.now


def time_of_phase(request: Request, old: Any | None, volume: Any) -> None:
    """When the phase was set, or has changed."""
    if old is None or (
        old.status.phase != volume.status.phase
        and volume.status.last_phase_transition_time in (None, old.status.last_phase_transition_time)
    ):
        volume.status.last_phase_transition_time = request.now


def sources_of_claim(request: Request, old: Any | None, claim: Any) -> None:
    """Of two fields for one source, each is made from the other; what no volume can come from is dropped."""
    spec = claim.spec
    was_there = old is not None and (old.spec.data_source is not None or old.spec.data_source_ref is not None)
    if not was_there and spec.data_source_ref is None and not _is_known_source(spec.data_source):
        spec.data_source = None
    source, reference = spec.data_source, spec.data_source_ref
    if source is not None and reference is None:
        made = request.types.TypedObjectReference(kind=source.kind, name=source.name, api_group=source.api_group)
        spec.data_source_ref = made
    elif reference is not None and source is None and not reference.namespace:
        made = request.types.TypedLocalObjectReference(
            kind=reference.kind, name=reference.name, api_group=reference.api_group
        )
        spec.data_source = made


def topology_of_endpoints(request: Request, old: Any | None, slice_: Any) -> None:
    """The topology is for requests of v1beta1 only; the node that it named before becomes the node's name."""
    if request.version.endswith("/v1beta1") or (old is not None and request.same(old.endpoints, slice_.endpoints)):
        return
    known = {
        (each.deprecated_topology or {}).get(_HOSTNAME) for each in (old.endpoints or () if old is not None else ())
    }
    for endpoint in slice_.endpoints or ():
        name = (endpoint.deprecated_topology or {}).get(_HOSTNAME)
        if endpoint.node_name is None and name in known and name is not None and _NODE_NAME.fullmatch(name):
            endpoint.node_name = name
        endpoint.deprecated_topology = None


def deallocated_devices(request: Request, old: Any, claim: Any) -> None:
    """Devices whose results are gone go too."""
    if not request.features.enabled("DRAResourceClaimDeviceStatus") and not old.status.devices:
        return
    gone = _results(old) - _results(claim)
    kept = [each for each in claim.status.devices or () if _device(each) not in gone]
    claim.status.devices = kept or None


def time_of_effect(request: Request, old: Any, rule: Any) -> None:
    """A new effect begins now, unless another time was given with it."""
    taint, before = rule.spec.taint, old.spec.taint
    if taint.effect != before.effect and taint.time_added == before.time_added:
        taint.time_added = request.now


def fields_of_the_old_type(_: Request, old: Any, service: Any) -> None:
    """What belongs to the old type goes, unless it has changed."""
    new, before = service.spec, old.spec
    if before.type != "ExternalName" and new.type == "ExternalName":
        if new.cluster_ip == before.cluster_ip and (new.cluster_ips or []) == (before.cluster_ips or []):
            new.cluster_ip, new.cluster_ips = "", None
        if new.ip_families == before.ip_families:
            new.ip_families = None
        if new.ip_family_policy == before.ip_family_policy:
            new.ip_family_policy = None
    if _has_node_ports(before) and not _has_node_ports(new) and _node_ports(new) <= _node_ports(before):
        for port in new.ports or ():
            port.node_port = 0
    if _has_health_check(before) and not _has_health_check(new):
        new.health_check_node_port = _unless_same(new.health_check_node_port, before.health_check_node_port, 0)
    if before.type == "LoadBalancer" and new.type != "LoadBalancer":
        new.allocate_load_balancer_node_ports = _unless_same(
            new.allocate_load_balancer_node_ports, before.allocate_load_balancer_node_ports, None
        )
        new.load_balancer_class = _unless_same(new.load_balancer_class, before.load_balancer_class, None)
    if _is_accessible(before) and not _is_accessible(new):
        new.external_traffic_policy = _unless_same(new.external_traffic_policy, before.external_traffic_policy, "")
    if new.type != "LoadBalancer":
        service.status.load_balancer.ingress = None


def selector_of_job(request: Request, __: None, job: Any) -> None:
    """A job whose selector is not the user's own selects by its uid."""
    if job.spec.manual_selector:
        return
    template, uid = job.spec.template.metadata, job.metadata.uid
    labels = template.labels if template.labels is not None else {}
    for label, value in (("job-name", job.metadata.name), ("controller-uid", uid)):
        labels.setdefault(label, value)
        labels.setdefault(f"batch.kubernetes.io/{label}", value)
    template.labels = labels
    if job.spec.selector is None:
        job.spec.selector = request.meta.LabelSelector()
    selected = job.spec.selector.match_labels if job.spec.selector.match_labels is not None else {}
    selected.setdefault(_UID_LABEL, uid)
    job.spec.selector.match_labels = selected


HOOKS: Mapping[str, tuple[str, Mapping[str, Hook]]] = {
    "CertificateSigningRequest": (
        "certificates_k8s_io",
        {"create": who_asks, "status": settled_conditions, "approval": times_of_conditions},
    ),
    "PersistentVolume": ("core", {"create": time_of_phase, "status": time_of_phase}),
    "PersistentVolumeClaim": ("core", {"create": sources_of_claim, "update": sources_of_claim}),
    "EndpointSlice": ("discovery_k8s_io", {"create": topology_of_endpoints, "update": topology_of_endpoints}),
    "ResourceClaim": ("resource_k8s_io", {"status": deallocated_devices}),
    "DeviceTaintRule": ("resource_k8s_io", {"update": time_of_effect}),
    "Service": ("core", {"update": fields_of_the_old_type}),
    "Job": ("batch", {"create": selector_of_job}),
}
"""By kind: the package of its group, and the hooks by operation."""


def _indices(conditions: Any, word: str) -> list[int]:
    return [index for index, condition in enumerate(conditions or ()) if condition.type == word]


def _is_known_source(source: Any) -> bool:
    known = (("", "PersistentVolumeClaim"), ("snapshot.storage.k8s.io", "VolumeSnapshot"))
    return source is not None and (source.api_group or "", source.kind) in known


def _device(named: Any) -> tuple[str, str, str, str | None]:
    return (named.driver, named.pool, named.device, named.share_id)


def _results(claim: Any) -> set[tuple[str, str, str, str | None]]:
    allocation = claim.status.allocation
    return set() if allocation is None else {_device(result) for result in allocation.devices.results or ()}


def _has_node_ports(spec: Any) -> bool:
    return spec.type in ("NodePort", "LoadBalancer")


def _node_ports(spec: Any) -> set[int]:
    return {port.node_port for port in spec.ports or () if port.node_port}


def _has_health_check(spec: Any) -> bool:
    return (spec.type, spec.external_traffic_policy) == ("LoadBalancer", "Local")


def _is_accessible(spec: Any) -> bool:
    return _has_node_ports(spec) or (spec.type == "ClusterIP" and bool(spec.external_ips))


def _unless_same(value: Any, before: Any, cleared: Any) -> Any:
    return cleared if value == before else value
