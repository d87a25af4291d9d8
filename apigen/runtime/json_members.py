"""Reads members of JSON objects, for generated `json_codec` modules.

A generated function reads the members of its type in order into an object that has none of them yet. An error in
one is raised without its path, which callers add, so that valid documents pay nothing for it.
"""

from __future__ import annotations

from .errors import DecodeError, joined
from .json_scalars import decode_list, decode_object, decode_string

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias, TypeVar

    _T = TypeVar("_T")

    _Place: TypeAlias = "tuple[_Place | None, str]"
    """A place in a tree: the place that contains it, and the step from there."""


MAX_UNKNOWN = 100
"""Maximum number of unknown members that are reported: Kubernetes' limit."""


class UnknownMembers:
    """Collects members that a type does not have, while a tree is read; `paths` returns their paths."""

    def __init__(self) -> None:
        self._found: list[tuple[dict[str, object], list[str]]] = []
        self._maps: list[dict[str, object]] = []

    def note(self, data: dict[str, object], members: Mapping[str, str]) -> None:
        """Take down the members of an object that are not among `members`, in their order."""
        names = [name for name in data if name not in members]
        if names:
            self._found.append((data, names))

    def note_map(self, data: dict[str, object]) -> None:
        """Record that the members of an object are entries of a map, with paths such as `labels[app]`."""
        self._maps.append(data)

    def paths(self, tree: object, path: str = "") -> list[str]:
        """Return the paths of the members found in the tree at `path`; the first 100."""
        if not self._found:
            return []
        places = _places(tree, path, {id(data) for data in self._maps})
        found: list[str] = []
        for data, names in self._found:
            at = places[id(data)]
            # an object behind YAML aliases is read several times
            place = _path(at.pop() if len(at) > 1 else at[0])
            found += [joined(place, name) for name in names[:MAX_UNKNOWN]]
            if len(found) >= MAX_UNKNOWN:
                break
        return found[:MAX_UNKNOWN]


if TYPE_CHECKING:
    Decode = Callable[[object, str, UnknownMembers | None], _T]
    """A generated function."""


def decode_items(
    value: object, decode: Decode[_T], unknown: UnknownMembers | None, path: str = ""
) -> list[_T]:
    """Return a list of values that a generated function reads; an empty one for null."""
    source = value if type(value) is list else decode_list(value, path)
    items: list[_T] = []
    try:
        for item in source:
            items.append(decode(item, "", unknown))  # noqa: PERF401
    except DecodeError as error:
        raise _below(error, f"{path}[{len(items)}]") from None
    return items


def decode_values(
    value: object, decode: Decode[_T], unknown: UnknownMembers | None, path: str = ""
) -> dict[str, _T]:
    """Return a map with values that a generated function reads; an empty one for null."""
    values: dict[str, _T] = {}
    key = ""
    source = value if type(value) is dict else decode_object(value, path)
    if unknown is not None:
        unknown.note_map(source)
    try:
        for key, item in source.items():
            values[key] = decode(item, "", unknown)
    except DecodeError as error:
        raise _below(error, f"{path}[{key}]") from None
    return values


def decode_scalars(
    value: object, decode: Callable[[object], _T], path: str = ""
) -> list[_T]:
    """Return a list of values that a function of the runtime reads; an empty one for null."""
    source = value if type(value) is list else decode_list(value, path)
    items: list[_T] = []
    try:
        for item in source:
            items.append(decode(item))  # noqa: PERF401
    except DecodeError as error:
        raise _below(error, f"{path}[{len(items)}]") from None
    return items


def decode_scalar_map(
    value: object, decode: Callable[[object], _T], path: str = ""
) -> dict[str, _T]:
    """Return a map with values that a function of the runtime reads; an empty one for null."""
    values: dict[str, _T] = {}
    key = ""
    source = value if type(value) is dict else decode_object(value, path)
    try:
        for key, item in source.items():
            values[key] = decode(item)
    except DecodeError as error:
        raise _below(error, f"{path}[{key}]") from None
    return values


def decode_strings(value: object, path: str = "") -> list[str]:
    """Return the list of strings; null as an empty one."""
    if type(value) is list:
        for item in value:
            if type(item) is not str:
                break
        else:
            return value.copy()
    return decode_scalars(value, decode_string, path)


def decode_string_map(value: object, path: str = "") -> dict[str, str]:
    """Return the map to strings; null as an empty one."""
    if type(value) is dict:
        for item in value.values():
            if type(item) is not str:
                break
        else:
            return value.copy()
    return decode_scalar_map(value, decode_string, path)


def located(
    error: DecodeError, path: str, obj: object, members: Mapping[str, str]
) -> DecodeError:
    """Return the error of the object at `path`, which was met in the first of `members` that `obj` does not have yet.

    `members` are its attributes by their JSON names, in the order in which they are read.
    """
    name = next(n for n, attribute in members.items() if not hasattr(obj, attribute))
    return _below(error, joined(path, name))


def _below(error: DecodeError, path: str) -> DecodeError:
    found = DecodeError(joined(path, error.path), error.problem)
    found.of_text = error.of_text
    return found


def _places(tree: object, path: str, maps: set[int]) -> dict[int, list[_Place]]:
    """The places of every object in the tree by its `id`, the last one first.

    Without recursion, as nesting may be hostile, and without paths, which are much longer than a tree that is deep.
    """
    places: dict[int, list[_Place]] = {}
    waiting: list[tuple[object, _Place]] = [(tree, (None, path))]
    while waiting:
        value, place = waiting.pop()
        if isinstance(value, dict):
            places.setdefault(id(value), []).append(place)
            is_map = id(value) in maps
            items = [
                (item, (place, f"[{key}]" if is_map else key))
                for key, item in value.items()
            ]
        elif isinstance(value, list):
            items = [(item, (place, f"[{index}]")) for index, item in enumerate(value)]
        else:
            continue
        waiting += reversed(items)
    for found in places.values():
        found.reverse()
    return places


def _path(place: _Place) -> str:
    steps: list[str] = []
    around: _Place | None = place
    while around is not None:
        around, step = around
        steps.append(step)
    path: list[str] = []
    for step in reversed(steps):
        if step:
            path.append(f".{step}" if path and not step.startswith("[") else step)
    return "".join(path)
