"""Endpoint v1beta1: zone and node are entries of the topology, which are fields in the hub."""

from __future__ import annotations

from collections.abc import Callable

from generated.discovery_k8s_io import hub as discovery_hub
from generated.discovery_k8s_io import v1beta1

ZONE = "topology.kubernetes.io/zone"
HOSTNAME = "kubernetes.io/hostname"


def endpoint_to_hub(
    source: v1beta1.Endpoint,
    generated: Callable[[v1beta1.Endpoint], discovery_hub.Endpoint],
) -> discovery_hub.Endpoint:
    """The zone leaves the topology. So does a hostname that the node's name repeats; another one stays."""
    hub = generated(source)
    topology = dict(hub.deprecated_topology or {})
    hub.zone = topology.pop(ZONE, None)
    if hub.node_name is not None and topology.get(HOSTNAME) == hub.node_name:
        del topology[HOSTNAME]
    hub.deprecated_topology = topology or None
    return hub


def endpoint_from_hub(
    hub: discovery_hub.Endpoint,
    generated: Callable[[discovery_hub.Endpoint], v1beta1.Endpoint],
) -> v1beta1.Endpoint:
    """The zone replaces an entry of the topology; the node's name is the hostname where there is none, or an empty one."""
    new = generated(hub)
    added: dict[str, str] = {} if hub.zone is None else {ZONE: hub.zone}
    if hub.node_name is not None and not (hub.deprecated_topology or {}).get(HOSTNAME):
        added[HOSTNAME] = hub.node_name
    if added:
        new.topology = {**(new.topology or {}), **added}
    return new
