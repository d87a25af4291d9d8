"""Subject v1alpha1: an apiVersion where the hub has the group of its kind."""

from __future__ import annotations

from collections.abc import Callable

from generated.rbac_authorization_k8s_io import hub as rbac_hub
from generated.rbac_authorization_k8s_io import v1alpha1

GROUP = "rbac.authorization.k8s.io"
OF_RBAC = ("User", "Group")
ALL_AUTHENTICATED = "system:authenticated"


def subject_to_hub(
    source: v1alpha1.Subject,
    generated: Callable[[v1alpha1.Subject], rbac_hub.Subject],
) -> rbac_hub.Subject:
    """The kinds of v1alpha1 have a group, whatever the apiVersion says. The user `*` is the group of all who logged in."""
    hub = generated(source)
    if source.kind in OF_RBAC:
        hub.api_group = GROUP
    elif source.kind != "ServiceAccount":
        hub.api_group = _group_of(source.api_version)
    if source.kind == "User" and source.name == "*":
        hub.kind, hub.name = "Group", ALL_AUTHENTICATED
    return hub


def subject_from_hub(
    hub: rbac_hub.Subject,
    generated: Callable[[rbac_hub.Subject], v1alpha1.Subject],
) -> v1alpha1.Subject:
    """Of a kind that is not known the group alone is, without a version behind its slash."""
    new = generated(hub)
    if hub.kind == "ServiceAccount" and not hub.api_group:
        new.api_version = "v1"
    elif hub.kind in OF_RBAC and hub.api_group == GROUP:
        new.api_version = f"{GROUP}/v1alpha1"
    else:
        new.api_version = f"{hub.api_group}/" if hub.api_group else ""
    return new


def _group_of(api_version: str) -> str:
    """Nothing for a version without group, and for what is no apiVersion."""
    group, slash, version = api_version.partition("/")
    return group if slash and "/" not in version else ""
