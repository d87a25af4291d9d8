"""Find required fields that a document does not set, for `decode(missing="error")`.

A table has, for each class with required fields at any depth, its members: the name in JSON, the attribute, whether a
document must set it, its presence, and its type as far as it matters ("scalar", "struct", a class of the table, or a
pair: ("list", item), ("map", value)). The fields of inline structs are members of the class around them. Presence is
"nullable" where `null` is a value; elsewhere `null` means an unset field.

A field is set by the document or by a default. Defaults that always apply are in a second table, as trees; the others
are in the object, because unset fields are decoded as their zero values.
"""

from __future__ import annotations

from .durations import Duration
from .errors import DecodeError

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeAlias

__all__ = ["Member", "Members", "missing_in_message", "missing_in_tree"]

Shape: TypeAlias = "type | str | tuple[str, Any]"
Member: TypeAlias = tuple[str, str, bool, str, Shape]
Members: TypeAlias = tuple[Member, ...]


def missing_in_tree(
    tree: object,
    obj: object,
    required: Mapping[type, Members],
    defaults: Mapping[type, Mapping[str, object]],
) -> Iterator[DecodeError]:
    """Yield an error for each required field that a document does not set, in the order of the fields.

    `tree` is the parsed document, and `obj` the defaulted object that was decoded from it. A struct that is not set is
    not looked into, unless a default that always applies sets it.
    """
    waiting: list[tuple[object, object, Shape | None, str]] = [
        (tree, obj, type(obj), "")
    ]
    while waiting:
        value, member_of_object, shape, path = waiting.pop()
        if shape is None:
            yield DecodeError(path, "required")
            continue
        found: list[tuple[object, object, Shape | None, str]] = []
        if isinstance(shape, tuple):
            found += _items(value, member_of_object, shape, path)
        elif isinstance(shape, type) and (value is None or isinstance(value, dict)):
            members = value or {}  # null in a list or map is the zero value
            for name, attribute, is_required, presence, inner in required.get(
                shape, ()
            ):
                place = f"{path}.{name}" if path else name
                member = members.get(name)
                attached = getattr(member_of_object, attribute, None)
                if member is not None:
                    found.append((member, attached, inner, place))
                elif presence == "nullable" and name in members:
                    continue
                elif name in defaults.get(shape, ()):
                    found.append((defaults[shape][name], attached, inner, place))
                elif is_required and not _is_filled(attached, presence, inner):
                    found.append((None, None, None, place))
        waiting += reversed(found)


def missing_in_message(
    obj: object, required: Mapping[type, Members]
) -> Iterator[DecodeError]:
    """Yield an error for each required field that a decoded and defaulted protobuf message can be seen not to set.

    These are the fields that are `None` in `obj`. Go always writes the others, but encoders of proto3 omit zero
    values, so their absence is not an error. Empty lists and maps are never written.
    """
    waiting: list[tuple[object, Shape | None, str]] = [(obj, type(obj), "")]
    while waiting:
        part, shape, path = waiting.pop()
        if shape is None:
            yield DecodeError(path, "required")
            continue
        found: list[tuple[object, Shape | None, str]] = []
        if isinstance(shape, tuple):
            found += [
                (each, inner, at)
                for _, each, inner, at in _items(part, part, shape, path)
            ]
        elif isinstance(shape, type):
            for name, attribute, is_required, presence, inner in required.get(
                shape, ()
            ):
                place = f"{path}.{name}" if path else name
                member = getattr(part, attribute, None)
                if member is not None:
                    found.append((member, inner, place))
                elif (
                    is_required
                    and presence != "nullable"
                    and not isinstance(inner, tuple)
                ):
                    found.append((None, None, place))
        waiting += reversed(found)


def _items(
    value: object, part: object, shape: tuple[str, Any], path: str
) -> Iterator[tuple[object, object, Shape, str]]:
    """The elements of a list, or the values of a map, that may lack anything, with those of the object."""
    inner = shape[1]
    if isinstance(inner, str):
        return
    if isinstance(value, list):
        attached_items = part if isinstance(part, list) else ()
        for index, item in enumerate(value):
            attached = attached_items[index] if index < len(attached_items) else None
            yield item, attached, inner, f"{path}[{index}]"
    elif isinstance(value, dict):
        by_key = part if isinstance(part, dict) else {}
        for key, item in value.items():
            yield item, by_key.get(key), inner, f"{path}[{key}]"


def _is_filled(value: object, presence: str, shape: Shape) -> bool:
    """Return whether a default set a field that the document does not set: only then it is not zero."""
    if presence in ("optional", "nullable"):
        return value is not None
    if shape == "struct" or isinstance(shape, type):
        return False  # such a struct is always built
    if isinstance(value, Duration):
        return value.nanoseconds != 0
    return bool(value)
