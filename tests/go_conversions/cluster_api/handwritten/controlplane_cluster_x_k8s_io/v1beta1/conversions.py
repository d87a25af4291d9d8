"""The reference to a template of machines, as in the group `cluster.x-k8s.io`, and `ready`, which follows the ready replicas."""

from generated.core.v1.types import ObjectReference


def kubeadm_control_plane_from_hub(hub, generated):
    result = generated(hub)
    template = result.spec.machine_template
    if template.infrastructure_ref == ObjectReference(api_version="v1"):
        template.infrastructure_ref = ObjectReference()
    else:
        template.infrastructure_ref.namespace = hub.metadata.namespace
    result.status.ready = result.status.ready_replicas > 0
    return result
