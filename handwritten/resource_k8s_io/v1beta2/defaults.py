"""DeviceTaint v1beta2: it was added now, unless it says when."""

from __future__ import annotations

from generated.resource_k8s_io.v1beta2.types import DeviceTaint

from generated.runtime import now
from generated.runtime.features import Features


def default_device_taint(obj: DeviceTaint, features: Features) -> None:
    """The clock counts seconds, as the field does."""
    if obj.time_added is None:
        obj.time_added = now()
