"""An operator with the `kubernetes` client: `python with_kubernetes.py`."""

from __future__ import annotations

from backups import FINALIZER, MANAGER, config_map, event, read, ready, with_finalizer
from backups_api import scheme
from backups_api.backups_example_com.v1 import Backup
from kubernetes import client, config, watch

RESOURCE = ("backups.example.com", "v1")
PLURAL = "backups"


class Operator:
    """The calls for one cluster."""

    def __init__(self) -> None:
        self.custom = client.CustomObjectsApi()
        self.core = client.CoreV1Api()

    def run(self) -> None:
        """Watch the Backups of all namespaces."""
        while True:
            for change in watch.Watch().stream(
                self.custom.list_cluster_custom_object, *RESOURCE, PLURAL, timeout_seconds=300
            ):
                if change["type"] in ("ADDED", "MODIFIED"):
                    try:
                        self.reconcile(read(change["object"]))
                    except client.ApiException as error:
                        if error.status not in (404, 409):  # it changed since it was read: the next change follows
                            raise

    def reconcile(self, backup: Backup) -> None:
        """Bring the cluster to the state that a Backup asks for."""
        if backup.metadata.deletion_timestamp is not None:
            self.remove(backup)
        elif FINALIZER not in (backup.metadata.finalizers or ()):
            self.custom.patch_namespaced_custom_object(*self.path(backup), with_finalizer(backup, present=True))
        elif backup.status != ready(backup):
            wanted = config_map(backup)
            self.core.patch_namespaced_config_map(
                wanted.metadata.name,
                backup.metadata.namespace,
                scheme.to_dict(wanted),
                field_manager=MANAGER,
                force=True,
                _content_type="application/apply-patch+yaml",
            )
            backup.status = ready(backup)
            status = {"status": scheme.to_dict(backup)["status"]}
            self.custom.patch_namespaced_custom_object_status(*self.path(backup), status)
            told = event(backup, "Scheduled", f"{backup.spec.retention.copies} copies")
            self.core.create_namespaced_event(backup.metadata.namespace, scheme.to_dict(told))

    def remove(self, backup: Backup) -> None:
        """Delete the ConfigMap of a Backup that is being deleted, and then let the server delete the Backup."""
        if FINALIZER not in (backup.metadata.finalizers or ()):
            return
        try:
            self.core.delete_namespaced_config_map(config_map(backup).metadata.name, backup.metadata.namespace)
        except client.ApiException as error:
            if error.status != 404:
                raise
        self.custom.patch_namespaced_custom_object(*self.path(backup), with_finalizer(backup, present=False))

    @staticmethod
    def path(backup: Backup) -> tuple[str, str, str, str, str]:
        """What names a Backup in calls."""
        return (*RESOURCE, backup.metadata.namespace, PLURAL, backup.metadata.name)


def main() -> None:
    """Run the operator with the configuration of the pod, or else of the user."""
    try:
        config.load_incluster_config()
    except config.ConfigException:
        config.load_kube_config()
    Operator().run()


if __name__ == "__main__":
    main()
