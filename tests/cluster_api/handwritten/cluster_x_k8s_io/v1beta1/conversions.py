"""References: the hub keeps the group of their apiVersion, the cluster serves a version of it, and the namespace is the object's."""

from generated.core.v1.types import ObjectReference


def _set_groups(owner, hub, *names):
    for name in names:
        reference = getattr(owner, name)
        if reference is not None:
            getattr(hub, name).api_group = reference.api_version.rpartition("/")[0]


def _set_versions(owner, hub, namespace, *names):
    for name in names:
        target = getattr(hub, name)
        if target.kind or target.name or target.api_group:
            reference = getattr(owner, name) or ObjectReference()
            # cluster-api looks up the version that the cluster serves in the labels of the group's CRDs
            reference.api_version = f"{target.api_group}/v1beta2" if target.api_group else "v1"
            reference.namespace = namespace
            setattr(owner, name, reference)


def _set_machine_groups(spec, hub):
    _set_groups(spec, hub, "infrastructure_ref")
    _set_groups(spec.bootstrap, hub.bootstrap, "config_ref")


def _set_machine_versions(spec, hub, namespace):
    _set_versions(spec, hub, namespace, "infrastructure_ref")
    _set_versions(spec.bootstrap, hub.bootstrap, namespace, "config_ref")


def _set_namespaces(references, namespace):
    for reference in references:
        if reference is not None:
            reference.namespace = namespace


def _remediation_templates(owners):
    checks = (owner.machine_health_check for owner in owners)
    return [check.remediation_template for check in checks if check is not None]


def cluster_to_hub(source, generated):
    hub = generated(source)
    _set_groups(source.spec, hub.spec, "control_plane_ref", "infrastructure_ref")
    return hub


def cluster_from_hub(hub, generated):
    result = generated(hub)
    _set_versions(result.spec, hub.spec, hub.metadata.namespace, "control_plane_ref", "infrastructure_ref")
    topology = result.spec.topology
    if topology is not None:
        workers = (topology.workers and topology.workers.machine_deployments) or []
        _set_namespaces(_remediation_templates([topology.control_plane, *workers]), hub.metadata.namespace)
    return result


def cluster_class_from_hub(hub, generated):
    result = generated(hub)
    spec, workers = result.spec, result.spec.workers
    deployments, pools = workers.machine_deployments or [], workers.machine_pools or []
    templates = [spec.infrastructure, spec.control_plane, spec.control_plane.machine_infrastructure]
    for worker in (*deployments, *pools):
        templates += [worker.template.bootstrap, worker.template.infrastructure]
    references = [template.ref for template in templates if template is not None]
    references += _remediation_templates([spec.control_plane, *deployments])
    _set_namespaces(references, hub.metadata.namespace)
    return result


def machine_to_hub(source, generated):
    hub = generated(source)
    _set_machine_groups(source.spec, hub.spec)
    return hub


def machine_from_hub(hub, generated):
    result = generated(hub)
    _set_machine_versions(result.spec, hub.spec, hub.metadata.namespace)
    if result.status.node_ref is not None:
        result.status.node_ref.kind, result.status.node_ref.api_version = "Node", "v1"
    return result


def machine_health_check_from_hub(hub, generated):
    result = generated(hub)
    _set_namespaces([result.spec.remediation_template], hub.metadata.namespace)
    return result


def machine_set_to_hub(source, generated):
    hub = generated(source)
    _set_machine_groups(source.spec.template.spec, hub.spec.template.spec)
    return hub


def machine_set_from_hub(hub, generated):
    result = generated(hub)
    _set_machine_versions(result.spec.template.spec, hub.spec.template.spec, hub.metadata.namespace)
    return result


def machine_deployment_to_hub(source, generated):
    hub = generated(source)
    _set_machine_groups(source.spec.template.spec, hub.spec.template.spec)
    return hub


def machine_deployment_from_hub(hub, generated):
    result = generated(hub)
    _set_machine_versions(result.spec.template.spec, hub.spec.template.spec, hub.metadata.namespace)
    return result


def machine_pool_to_hub(source, generated):
    hub = generated(source)
    _set_machine_groups(source.spec.template.spec, hub.spec.template.spec)
    return hub


def machine_pool_from_hub(hub, generated):
    result = generated(hub)
    _set_machine_versions(result.spec.template.spec, hub.spec.template.spec, hub.metadata.namespace)
    return result
