"""References of v1beta1 have the namespace of the object, and none of them is set for an unset reference of the hub."""

from generated.core.v1.types import ObjectReference


def _set_namespaces(references, namespace):
    for reference in references:
        if reference is not None:
            reference.namespace = namespace


def _finish_machine(spec, namespace):
    if spec.infrastructure_ref == ObjectReference(api_version="v1"):
        spec.infrastructure_ref = ObjectReference()
    else:
        spec.infrastructure_ref.namespace = namespace
    _set_namespaces([spec.bootstrap.config_ref], namespace)


def _remediation_templates(owners):
    checks = (owner.machine_health_check for owner in owners)
    return [check.remediation_template for check in checks if check is not None]


def cluster_from_hub(hub, generated):
    result = generated(hub)
    references, topology = [result.spec.control_plane_ref, result.spec.infrastructure_ref], result.spec.topology
    if topology is not None:
        workers = (topology.workers and topology.workers.machine_deployments) or []
        references += _remediation_templates([topology.control_plane, *workers])
    _set_namespaces(references, hub.metadata.namespace)
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


def machine_from_hub(hub, generated):
    result = generated(hub)
    _finish_machine(result.spec, hub.metadata.namespace)
    return result


def machine_health_check_from_hub(hub, generated):
    result = generated(hub)
    _set_namespaces([result.spec.remediation_template], hub.metadata.namespace)
    return result


def machine_set_from_hub(hub, generated):
    result = generated(hub)
    _finish_machine(result.spec.template.spec, hub.metadata.namespace)
    return result


def machine_deployment_from_hub(hub, generated):
    result = generated(hub)
    _finish_machine(result.spec.template.spec, hub.metadata.namespace)
    return result


def machine_pool_from_hub(hub, generated):
    result = generated(hub)
    _finish_machine(result.spec.template.spec, hub.metadata.namespace)
    return result
