"""The reference to a template of machines, as in the group `cluster.x-k8s.io`, and `ready`, which follows the ready replicas."""


def kubeadm_control_plane_to_hub(source, generated):
    hub = generated(source)
    reference, target = (
        source.spec.machine_template.infrastructure_ref,
        hub.spec.machine_template.spec.infrastructure_ref,
    )
    target.api_group = reference.api_version.rpartition("/")[0]
    return hub


def kubeadm_control_plane_from_hub(hub, generated):
    result = generated(hub)
    reference, target = (
        result.spec.machine_template.infrastructure_ref,
        hub.spec.machine_template.spec.infrastructure_ref,
    )
    if target.kind or target.name or target.api_group:
        reference.api_version = f"{target.api_group}/v1beta2" if target.api_group else "v1"
        reference.namespace = hub.metadata.namespace
    result.status.ready = result.status.ready_replicas > 0
    return result
