"""An operator with lightkube: `python with_lightkube.py`."""

from __future__ import annotations

from backups import FINALIZER, MANAGER, config_map, event, read, ready, with_finalizer
from backups_api import scheme
from backups_api.backups_example_com.v1 import Backup
from lightkube import ApiError, Client
from lightkube.generic_resource import create_namespaced_resource
from lightkube.resources.core_v1 import ConfigMap, Event
from lightkube.types import PatchType

Backups = create_namespaced_resource("backups.example.com", "v1", "Backup", "backups")


def reconcile(client: Client, backup: Backup) -> None:
    """Bring the cluster to the state that a Backup asks for."""
    name, namespace = backup.metadata.name, backup.metadata.namespace
    if backup.metadata.deletion_timestamp is not None:
        remove(client, backup)
    elif FINALIZER not in (backup.metadata.finalizers or ()):
        patch = with_finalizer(backup, present=True)
        client.patch(Backups, name, patch, namespace=namespace, patch_type=PatchType.MERGE)
    elif backup.status != ready(backup):
        wanted = ConfigMap.from_dict(scheme.to_dict(config_map(backup)))
        client.apply(wanted, namespace=namespace, field_manager=MANAGER, force=True)
        backup.status = ready(backup)
        status = {"status": scheme.to_dict(backup)["status"]}
        client.patch(Backups.Status, name, status, namespace=namespace, patch_type=PatchType.MERGE)
        message = f"{backup.spec.retention.copies} copies"
        client.create(Event.from_dict(scheme.to_dict(event(backup, "Scheduled", message))), namespace=namespace)


def remove(client: Client, backup: Backup) -> None:
    """Delete the ConfigMap of a Backup that is being deleted, and then let the server delete the Backup."""
    if FINALIZER not in (backup.metadata.finalizers or ()):
        return
    namespace = backup.metadata.namespace
    try:
        client.delete(ConfigMap, config_map(backup).metadata.name, namespace=namespace)
    except ApiError as error:
        if error.status.code != 404:
            raise
    patch = with_finalizer(backup, present=False)
    client.patch(Backups, backup.metadata.name, patch, namespace=namespace, patch_type=PatchType.MERGE)


def main() -> None:
    """Watch the Backups of all namespaces."""
    client = Client()
    for change, found in client.watch(Backups, namespace="*"):
        if change in ("ADDED", "MODIFIED"):
            try:
                reconcile(client, read(found.to_dict()))
            except ApiError as error:
                if error.status.code not in (404, 409):  # it changed since it was read: the next change follows
                    raise


if __name__ == "__main__":
    main()
