"""The stages before validation: unknown fields are pruned, null is dropped, defaults are filled in.

The source is `pkg/apiserver/schema/pruning` and `defaulting` of k8s.io/apiextensions-apiserver.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Final

    from .nodes import Node
    from .sharing import Shared

MOST_DEPTH: Final = 100
"""Maximum nesting of an object; a deeper one is rejected before it is evaluated."""

_OBJECT_FIELDS: Final = frozenset({"apiVersion", "kind", "metadata"})


def is_deeper(value: object, levels: int = MOST_DEPTH) -> bool:
    """Return whether a value has more than this many levels of objects and lists."""
    if not isinstance(value, (dict, list)):
        return False
    if levels == 0:
        return True
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, (dict, list)) and is_deeper(each, levels - 1):
            return True
    return False


def copied(value: object) -> object:
    """Return a deep copy of a JSON value, in a fifth of the time of `copy.deepcopy`."""
    if isinstance(value, dict):
        return {name: copied(each) for name, each in value.items()}
    return [copied(each) for each in value] if isinstance(value, list) else value


def completed(
    node: Node | None,
    value: object,
    shared: Shared | None = None,
    *,
    keeps: bool = False,
    prunes: bool = True,
    fills: bool = True,
) -> object:
    """Return a value as on the server: without the fields that no schema describes, without each null whose schema
    has neither `nullable` nor a default, and with defaults.

    `keeps`: an outer schema preserves unknown fields; `prunes`: unknown fields are dropped; `fills`: nulls are dropped
    and defaults are set. The result is a copy. That of a shared value is shared instead, and computed once.
    """
    if not isinstance(value, (dict, list)):
        return value
    if shared is None:
        return _completed(node, value, None, keeps, prunes, fills)
    key = id(node), id(value), keeps, prunes, fills
    if key not in shared.completed:
        found = _completed(node, value, shared, keeps, prunes, fills)
        shared.completed[key] = shared.interned(found)
    return shared.completed[key]


def _completed(
    node: Node | None,
    value: dict[str, object] | list[object],
    shared: Shared | None,
    keeps: bool,
    prunes: bool,
    fills: bool,
) -> dict[str, object] | list[object]:
    keeps = keeps or (node is not None and node.preserves)
    if isinstance(value, list):
        items = None if node is None else node.items
        return [
            (
                _default(items, shared)
                if fills and each is None and items is not None and not items.nullable
                else completed(
                    items, each, shared, keeps=keeps, prunes=prunes, fills=fills
                )
            )
            for each in value
        ]
    found: dict[str, object] = {}
    is_object = node is not None and node.is_embedded
    keeps_others = node is not None and node.keeps_others
    for name, each in value.items():
        inner = None if node is None else node.member(name)
        if fills and each is None and inner is not None and not inner.nullable:
            if inner.default is not None:
                found[name] = _default(inner, shared)
        elif not prunes or (is_object and name in _OBJECT_FIELDS):
            found[name] = completed(inner, each, shared, prunes=False, fills=fills)
        elif inner is not None or keeps_others:
            found[name] = completed(inner, each, shared, fills=fills)
        elif keeps:
            found[name] = copied(each) if shared is None else each
    for name, _ in node.defaults if fills and node is not None else ():
        if name not in found and node is not None:
            found[name] = _default(node.fields[name], shared)
    return found


def _default(node: Node, shared: Shared | None) -> object:
    """Return a copy of the default of a schema, with the defaults of its fields. Defaults are not pruned."""
    default = node.default if shared is None else shared.value(node.default)
    return completed(node, default, shared, prunes=False)
