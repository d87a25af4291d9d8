"""The part of the operators that needs no client: typed objects in, typed objects out."""

from __future__ import annotations

from datetime import UTC, datetime

from backups_api import scheme
from backups_api.backups_example_com.v1 import Backup, BackupStatus
from backups_api.core.v1 import ConfigMap, Event, EventSource, ObjectReference
from backups_api.meta.v1 import ObjectMeta, OwnerReference

FINALIZER = "backups.example.com/schedule"
MANAGER = "backups-operator"


def read(document: object) -> Backup:
    """A Backup as v1, from plain data in any version. Raises ApiError for a document that is not one."""
    found = scheme.convert(scheme.from_dict(document), "backups.example.com/v1")
    assert isinstance(found, Backup)
    return found


def config_map(backup: Backup) -> ConfigMap:
    """The ConfigMap that a Backup needs: the API server deletes it with the Backup."""
    owner = OwnerReference(
        api_version=backup.api_version, kind=backup.kind, name=backup.metadata.name, uid=backup.metadata.uid
    )
    data = {"schedule": backup.spec.schedule, "copies": str(backup.spec.retention.copies)}
    return ConfigMap(metadata=ObjectMeta(name=f"{backup.metadata.name}-backup", owner_references=[owner]), data=data)


def ready(backup: Backup) -> BackupStatus:
    """The status of a Backup whose ConfigMap is up to date."""
    return BackupStatus(phase="Ready", observed_generation=backup.metadata.generation)


def event(backup: Backup, reason: str, message: str) -> Event:
    """An Event about a Backup."""
    now = datetime.now(UTC)
    about = ObjectReference(
        api_version=backup.api_version,
        kind=backup.kind,
        namespace=backup.metadata.namespace,
        name=backup.metadata.name,
        uid=backup.metadata.uid,
    )
    return Event(
        metadata=ObjectMeta(generate_name=f"{backup.metadata.name}."),
        involved_object=about,
        reason=reason,
        message=message,
        type="Normal",
        source=EventSource(component=MANAGER),
        first_timestamp=now,
        last_timestamp=now,
        count=1,
    )


def with_finalizer(backup: Backup, *, present: bool) -> dict[str, object]:
    """The merge patch that adds or removes the finalizer; the server rejects it if the Backup has changed since it was read."""
    others = [name for name in backup.metadata.finalizers or () if name != FINALIZER]
    finalizers = [*others, FINALIZER] if present else others
    return {"metadata": {"finalizers": finalizers, "resourceVersion": backup.metadata.resource_version}}
