"""What no lens says: a secret's text, which is only read as bytes; selectors that a map of labels cannot hold."""

from __future__ import annotations

from collections.abc import Callable

from generated.apps import hub as apps_hub
from generated.core import hub as core_hub
from generated.core import v1
from generated.runtime.errors import ConversionError


def secret_to_hub(source: v1.Secret, generated: Callable[[v1.Secret], core_hub.Secret]) -> core_hub.Secret:
    """Text takes the place of data of the same key. Nothing brings it back."""
    hub = generated(source)
    if source.string_data:
        text = {key: value.encode() for key, value in source.string_data.items()}
        hub.data = {**(hub.data or {}), **text}
    return hub


def replication_controller_as_apps_replica_set_from_hub(
    hub: apps_hub.ReplicaSet,
    generated: Callable[[apps_hub.ReplicaSet], v1.ReplicationController],
) -> v1.ReplicationController:
    """A key that has one value is a label. Raises ConversionError for all else that an expression can say."""
    result = generated(hub)
    selector = hub.spec.selector
    for index, term in enumerate((selector and selector.match_expressions) or ()):
        values = term.values or []
        if term.operator != "In" or len(values) != 1:
            path = f"spec.selector.matchExpressions[{index}]"
            raise ConversionError(path, f"a map of labels cannot say {term.operator} {values}")
        result.spec.selector = {**(result.spec.selector or {}), term.key: values[0]}
    return result
