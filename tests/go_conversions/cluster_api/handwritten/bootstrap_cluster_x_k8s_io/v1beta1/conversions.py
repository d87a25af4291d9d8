"""Timeouts of v1beta1 are in other structs, and the one of the control plane is in two structs of the hub."""

from generated.bootstrap_cluster_x_k8s_io.v1beta1.types import InitConfiguration, JoinConfiguration


def kubeadm_config_spec_to_hub(source, generated):
    hub = generated(source)
    seconds = hub.init_configuration.timeouts.control_plane_component_health_check_seconds
    hub.join_configuration.timeouts.control_plane_component_health_check_seconds = seconds
    return hub


def kubeadm_config_spec_from_hub(hub, generated):
    spec = generated(hub)
    if spec.init_configuration == InitConfiguration():
        spec.init_configuration = None
    if spec.join_configuration == JoinConfiguration():
        spec.join_configuration = None
    return spec
