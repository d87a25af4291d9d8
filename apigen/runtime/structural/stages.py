"""The stages before validation: unknown fields are pruned, null is dropped, defaults are filled in. Objects are changed in place.

The source is `pkg/apiserver/schema/pruning` and `defaulting` of k8s.io/apiextensions-apiserver.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

Schema = dict[str, object]
"""An `openAPIV3Schema`, or a schema in it, as decoded from JSON."""

MOST_DEPTH: Final = 100
"""Maximum nesting of an object; a deeper one is rejected before it is evaluated."""

OBJECT_FIELDS: Final = frozenset({"apiVersion", "kind", "metadata"})
EMBEDDED: Final = "x-kubernetes-embedded-resource"
PRESERVE: Final = "x-kubernetes-preserve-unknown-fields"


def is_deeper(value: object, levels: int = MOST_DEPTH) -> bool:
    """Return whether a value has more than this many levels of objects and lists."""
    if not isinstance(value, (dict, list)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(is_deeper(each, levels - 1) for each in inner)


def copied(value: object) -> object:
    """Return a deep copy of a JSON value, in a fifth of the time of `copy.deepcopy`."""
    if isinstance(value, dict):
        return {name: copied(each) for name, each in value.items()}
    return [copied(each) for each in value] if isinstance(value, list) else value


def sub(schema: Schema | None, word: str) -> Schema | None:
    """Return the schema below a keyword (`items`, `additionalProperties`), or `None`."""
    found = None if schema is None else schema.get(word)
    return found if isinstance(found, dict) else None


def member(schema: Schema | None, name: str) -> Schema | None:
    """Return the schema of a field or key; None if no schema describes it."""
    found = sub(sub(schema, "properties"), name)
    return sub(schema, "additionalProperties") if found is None else found


def described(
    schema: Schema | None, value: object
) -> Iterator[tuple[str | int, object, Schema | None]]:
    """Yield each field, key or item of a value with its schema."""
    if isinstance(value, dict):
        known, others = sub(schema, "properties"), sub(schema, "additionalProperties")
        for name, each in list(value.items()):
            found = None if known is None else known.get(name)
            yield name, each, found if isinstance(found, dict) else others
    elif isinstance(value, list):
        items = sub(schema, "items")
        for index, each in enumerate(value):
            yield index, each, items


def nested(
    schema: Schema | None, value: object
) -> Iterator[tuple[str | int, object, Schema | None]]:
    """Yield each field, key or item of a value that is an object or a list, with its schema."""
    for name, each, inner in described(schema, value):
        if isinstance(each, (dict, list)):
            yield name, each, inner


def prune(schema: Schema | None, value: object, *, keeps: bool = False) -> None:
    """Drop the fields that no schema describes. `keeps`: an outer schema preserves those of this value."""
    keeps = (schema is not None and schema.get(PRESERVE) is True) or keeps
    for name, each, inner in described(schema, value):
        if isinstance(value, list):
            if isinstance(each, (dict, list)):
                prune(inner, each, keeps=keeps)
        elif schema is not None and schema.get(EMBEDDED) and name in OBJECT_FIELDS:
            continue
        elif inner is not None or (
            schema is not None and schema.get("additionalProperties")
        ):
            if isinstance(each, (dict, list)):
                prune(inner, each)
        elif not keeps and isinstance(value, dict):
            del value[name]


def drop_nulls(schema: Schema | None, value: object) -> None:
    """Drop each field whose value is null and whose schema has neither `nullable` nor a default."""
    for name, each, inner in described(schema, value):
        if (
            isinstance(value, dict)
            and _is_wrong_null(inner, each)
            and default(inner) is None
        ):
            del value[name]
        elif isinstance(each, (dict, list)):
            drop_nulls(inner, each)


def fill_defaults(schema: Schema | None, value: object) -> None:
    """Set fields that are unset to their defaults, and null that is not allowed; then the same in all values."""
    if isinstance(value, dict):
        for field, inner in (sub(schema, "properties") or {}).items():
            given = default(inner if isinstance(inner, dict) else None)
            if given is not None and field not in value:
                value[field] = copied(given)
    for name, each, inner in described(schema, value):
        if _is_wrong_null(inner, each):
            each = copied(default(inner))
            value[name] = each  # type: ignore[index]
        if isinstance(each, (dict, list)):
            fill_defaults(inner, each)


def default(schema: Schema | None) -> object:
    """Return the default of a schema; `None` without one (as for the server, a default of null counts as missing)."""
    return None if schema is None else schema.get("default")


def _is_wrong_null(schema: Schema | None, value: object) -> bool:
    return value is None and schema is not None and schema.get("nullable") is not True
