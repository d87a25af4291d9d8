"""Find required fields that a document does not set, for `decode(missing="error")`.

A table has, for each class with required fields at any depth, its members: the name in JSON, the attribute, whether a
document must set it, its presence, and its type as far as it matters ("scalar", "struct", a class of the table, or a
pair: ("list", item), ("map", value)). The fields of inline structs are members of the class around them. Presence is
"nullable" where `null` is a value; elsewhere `null` means an unset field.

A field is set by the document or by a default. Defaults that always apply are in a second table, as trees; the others
are in the object, because unset fields are decoded as their zero values.
"""

from __future__ import annotations

from .errors import DecodeError
from .times import Duration

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeAlias

Shape: TypeAlias = "type | str | tuple[str, Any]"
Member: TypeAlias = tuple[str, str, bool, str, Shape]
Members: TypeAlias = tuple[Member, ...]


def missing_fields(
    tree: object,
    obj: object,
    required: Mapping[type, Members],
    defaults: Mapping[type, Mapping[str, object]],
) -> Iterator[DecodeError]:
    """Yield an error for each required field that a document does not set, in the order of the fields.

    `tree` is the parsed document, and `obj` the defaulted object that was decoded from it. A struct that is not set is
    not looked into, unless a default that always applies sets it.

    `tree` is `None` for a protobuf message, which can be seen not to set the fields that are `None` in `obj`. Go always
    writes the others, but encoders of proto3 omit zero values, so their absence is not an error. Empty lists and maps are
    never written.
    """
    in_message = tree is None
    waiting: list[tuple[object, object, Shape | None, str]] = [
        (obj if in_message else tree, obj, type(obj), "")
    ]
    while waiting:
        value, part, shape, path = waiting.pop()
        if shape is None:
            yield DecodeError(path, "required")
            continue
        found: list[tuple[object, object, Shape | None, str]] = []
        if isinstance(shape, tuple):
            found += _items(value, part, shape, path)
        elif isinstance(shape, type):
            members = value if isinstance(value, dict) else {}
            # null in a list or map is the zero value
            is_read = in_message or value is None or isinstance(value, dict)
            fields = required.get(shape, ()) if is_read else ()
            for name, attribute, is_required, presence, inner in fields:
                place = f"{path}.{name}" if path else name
                attached = getattr(part, attribute, None)
                member = attached if in_message else members.get(name)
                if member is not None:
                    found.append((member, attached, inner, place))
                elif presence == "nullable" and (in_message or name in members):
                    continue
                elif not in_message and name in defaults.get(shape, ()):
                    found.append((defaults[shape][name], attached, inner, place))
                elif is_required and not (
                    isinstance(inner, tuple)
                    if in_message
                    else _is_filled(attached, presence, inner)
                ):
                    found.append((None, None, None, place))
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
