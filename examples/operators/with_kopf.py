"""An operator with kopf, which adds the finalizer and posts the Events: `kopf run with_kopf.py --all-namespaces`."""

from __future__ import annotations

from typing import Any

import kopf
from backups import MANAGER, config_map, read, ready
from backups_api import scheme
from kubernetes import client, config


@kopf.on.startup()
def start(**_: Any) -> None:
    """Find the cluster for the calls that kopf leaves to a client."""
    try:
        config.load_incluster_config()
    except config.ConfigException:
        config.load_kube_config()


@kopf.on.create("backups.example.com", "v1", "backups")
@kopf.on.update("backups.example.com", "v1", "backups", field="spec")
def schedule(body: kopf.Body, patch: kopf.Patch, **_: Any) -> None:
    """Write the ConfigMap of a Backup, and report that it is ready."""
    backup = read(dict(body))
    wanted = config_map(backup)
    client.CoreV1Api().patch_namespaced_config_map(
        wanted.metadata.name,
        backup.metadata.namespace,
        scheme.to_dict(wanted),
        field_manager=MANAGER,
        force=True,
        _content_type="application/apply-patch+yaml",
    )
    backup.status = ready(backup)
    patch.status.update(scheme.to_dict(backup)["status"])
    kopf.info(body, reason="Scheduled", message=f"{backup.spec.retention.copies} copies")


@kopf.on.delete("backups.example.com", "v1", "backups")
def remove(body: kopf.Body, **_: Any) -> None:
    """Delete the ConfigMap of a Backup that is being deleted."""
    backup = read(dict(body))
    try:
        client.CoreV1Api().delete_namespaced_config_map(config_map(backup).metadata.name, backup.metadata.namespace)
    except client.ApiException as error:
        if error.status != 404:
            raise
