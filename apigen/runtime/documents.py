"""Documents before their kind is known: media types, trees, the documents of an input, `apiVersion` and `kind`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import DecodeError, DecodeErrors, describe, joined, several_documents
from .json_source import LongInt

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    Place: TypeAlias = "tuple[Place, str] | None"
    """The place of a value: that of its container, and the step from there. Objects would take a tenth of the time."""
    Source: TypeAlias = "tuple[int, bytes | Tree, object]"

JSON = "application/json"
YAML = "application/yaml"
PROTOBUF = "application/vnd.kubernetes.protobuf"

LIST = ("v1", "List")
"""`apiVersion` and `kind` of a list of objects of any kind, as `kubectl get -o yaml` writes it."""

_LIST_FIELDS = frozenset(("apiVersion", "kind", "metadata", "items"))
_LENGTHS = (len("kind"), len("apiVersion"))
_USUAL = frozenset(("apiVersion", "kind", "metadata", "spec", "status", "items"))
"""The usual members of objects. A document with no others is not searched for `kind` and `apiVersion` in other
capitals.
"""

_KIND_MEMBER = r'"(apiVersion|kind)"\s*:\s*"([^"\\]*)"'
_KIND_MEMBERS = re.compile(_KIND_MEMBER)
_STARTS_WITH_KIND = re.compile(rf"\s*\{{\s*{_KIND_MEMBER}\s*,\s*{_KIND_MEMBER}\s*,")
_HEAD = 500
_MAX_DEPTH = 10_000
"""Maximum nesting of a mapping: the same as for JSON."""


class Tree:
    """A parsed document: JSON values, and the paths of the names that occur twice in it, if they were looked for."""

    __slots__ = ("duplicates", "value")

    def __init__(self, value: object, duplicates: list[str] | None = None) -> None:
        self.value = value
        self.duplicates = duplicates


class Document:
    """An object of an input that may hold several.

    `data` is its text or tree; None for a `List` itself, of which `problems` are the repeated and unknown fields.
    `number` counts the documents of the input from 1; it is 0 for a single document. `line` is where the document
    starts (0: not known), `path` the place of the object in its document (`items[2]`).
    """

    __slots__ = ("data", "line", "number", "path", "problems")

    def __init__(
        self,
        data: bytes | Tree | None,
        number: int = 0,
        line: int = 0,
        path: str = "",
        problems: list[DecodeError] | None = None,
    ) -> None:
        self.data = data
        self.number = number
        self.line = line
        self.path = path
        self.problems = problems

    def located(self, error: DecodeError) -> DecodeError:
        """Return an error of the object with its place in the document, and the number and line of the document."""
        found: DecodeError
        if isinstance(error, DecodeErrors):
            each = [e for e in error.exceptions if isinstance(e, DecodeError)]
            found = DecodeErrors([self.located(e) for e in each])
        else:
            found = DecodeError(joined(self.path, error.path), error.problem)
        found.document, found.line = self.number, self.line
        return found


def decodable(data: object) -> bytes | str | Tree:
    """Return the input of `decode` as bytes, text or a tree. Raises DecodeError for other types."""
    if isinstance(data, (bytes, str, Tree)):
        return data
    if isinstance(data, (bytearray, memoryview)):
        return bytes(data)
    if isinstance(data, Mapping):
        return Tree(copied_tree(data))
    raise DecodeError("", f"expected bytes, text or a mapping, found {describe(data)}")


def parse_tree(
    data: bytes | str,
    media: str,
    raw_names: frozenset[str],
    duplicates: list[str] | None,
) -> object:
    """Return the tree of JSON or YAML text. Values of `raw_names` keep their source text.

    Repeated names are added to `duplicates`, if it is passed. Raises DecodeError, also for several documents.
    """
    if media == YAML:
        from .yaml_reader import parse_yaml

        return parse_yaml(data, duplicates)
    from .json_reader import SecondValue, parse_json

    try:
        return parse_json(data, raw_names, duplicates)
    except SecondValue as error:
        raise several_documents(error.line) from None


def leading_kind(data: bytes | str) -> tuple[str, str]:
    """Return `apiVersion` and `kind` if they are the first two members of a JSON text, or else empty strings.

    Later members may replace them.
    """
    head = _STARTS_WITH_KIND.match(_text(data[:_HEAD]))
    members = {head[1]: head[2], head[3]: head[4]} if head is not None else {}
    return members.get("apiVersion", ""), members.get("kind", "")


def possible_kinds(data: bytes | str) -> Iterator[tuple[str, str]]:
    """Yield each `apiVersion` and `kind` that follow each other in a JSON text, at any depth."""
    members = {"apiVersion": "", "kind": ""}
    for member in _KIND_MEMBERS.finditer(_text(data)):
        members[member[1]] = member[2]
        yield members["apiVersion"], members["kind"]


def _text(data: bytes | str) -> str:
    return data if isinstance(data, str) else data.decode("latin-1")


def api_version_and_kind(tree: object) -> tuple[str, str]:
    """Return `apiVersion` and `kind`; their names are case-insensitive, as in Kubernetes before the type is known."""
    if tree is None:
        tree = {}
    if not isinstance(tree, dict):
        raise DecodeError("", "expected an object")
    if tree.keys() <= _USUAL:
        version, kind = tree.get("apiVersion"), tree.get("kind")
        if type(version) is str and type(kind) is str:
            return version, kind
    found = {"apiversion": "", "kind": ""}
    for name, value in tree.items():
        if len(name) in _LENGTHS and (folded := name.lower()) in found:
            if value is None:
                continue
            if not isinstance(value, str):
                raise DecodeError(name, "expected a string")
            found[folded] = str(value)
    return found["apiversion"], found["kind"]


# --- several documents ------------------------------------------------------------------------------------------------


def documents(
    data: bytes | str | Tree, media: str, with_problems: bool
) -> Iterator[Document]:
    """Read the objects of an input one by one, those in a `List` among them; documents without a value are skipped.

    `with_problems` also collects repeated and unknown fields. Raises DecodeError, when the document with the error is
    reached.
    """
    if media == PROTOBUF and not isinstance(data, Tree):
        yield Document(
            data.encode("utf-8", "replace") if isinstance(data, str) else data
        )
        return
    sources = _sources(data, media, with_problems)
    number, following = 0, _next(sources)
    while following is not None:
        current, following = following, _next(sources)
        number += 1
        shown_number = number if number > 1 or following is not None else 0
        if isinstance(current, DecodeError):
            raise Document(None, shown_number).located(current)
        line, found, tree = current
        document = Document(found, shown_number, line if shown_number else 0)
        if _is_list(tree):
            yield from _items(document, tree, with_problems)
        else:
            yield document


def _next(sources: Iterator[Source]) -> Source | DecodeError | None:
    """The next document, or the error in it, which must not hide the document before."""
    try:
        return next(sources, None)
    except DecodeError as error:
        return error


def _sources(
    data: bytes | str | Tree, media: str, with_duplicates: bool
) -> Iterator[Source]:
    """The line of each document, the document for `decode`, and its tree."""
    if isinstance(data, Tree):
        yield 0, data, data.value
    elif media == YAML:
        from .yaml_reader import parse_yaml_documents

        for line, tree, duplicates in parse_yaml_documents(data, with_duplicates):
            yield line, Tree(tree, duplicates), tree
    else:
        from .json_reader import text_of

        text = text_of(data)
        line, counted = 1, 0
        for start, end, tree in _json_values(text):
            line += text.count("\n", counted, start)
            counted = start
            if tree is not None:
                source = text[start:end].encode("utf-8", "surrogateescape")
                yield line, source, tree


def _is_list(tree: object) -> bool:
    try:
        return api_version_and_kind(tree) == LIST
    except DecodeError:
        return False


def _items(document: Document, tree: object, with_problems: bool) -> Iterator[Document]:
    """The objects in a `List`, and in the lists among them. Not by recursion: nesting may be hostile."""
    from .json_source import Sourced

    duplicates: list[str] | None = [] if with_problems else None
    data, number, line = document.data, document.number, document.line
    if isinstance(data, Tree):
        duplicates = data.duplicates
    elif data is not None:  # each item with its source, which the decoders need
        from .json_reader import parse_json

        tree = parse_json(data, frozenset(("items",)), duplicates)
    waiting: list[tuple[object, str]] = [(tree, "")]
    while waiting:
        value, path = waiting.pop()
        place = Document(None, number, line, path)
        if value is None:
            raise place.located(DecodeError("", "expected an object, found null"))
        if isinstance(value, dict) and _is_list(value):
            if with_problems:
                place.problems = _list_problems(value, path, duplicates or ())
                yield place
            items = value.get("items")
            if items is not None and not isinstance(items, list):
                problem = f"expected a list, found {describe(items)}"
                raise place.located(DecodeError("items", problem))
            below = joined(path, "items")
            waiting += reversed(
                [(item, f"{below}[{i}]") for i, item in enumerate(items or ())]
            )
            continue
        if isinstance(value, Sourced):
            place.data = value.raw
        else:
            lead = f"{path}."
            inside = [d[len(lead) :] for d in duplicates or () if d.startswith(lead)]
            place.data = Tree(value, inside)
        yield place


def _list_problems(
    tree: dict[str, object], path: str, duplicates: list[str] | tuple[()]
) -> list[DecodeError]:
    """The repeated and unknown fields of a `List` itself; those of its items are found when they are decoded."""
    lead = f"{path}." if path else ""
    names = [d[len(lead) :] for d in duplicates if d.startswith(lead)]
    repeated = [
        DecodeError(name, "duplicate field") for name in names if name in _LIST_FIELDS
    ]
    unknown = [
        DecodeError(name, "unknown field") for name in tree if name not in _LIST_FIELDS
    ]
    return repeated + unknown


def _json_values(text: str) -> Iterator[tuple[int, int, object]]:
    """Each JSON value of a text: its start, its end, and a tree of it. Raises DecodeError."""
    import json

    from .json_reader import SPACE, ExactParser, reject_constant

    scan = json.JSONDecoder(parse_constant=reject_constant).raw_decode
    end = 0
    while True:
        space = SPACE.match(text, end)
        start = end if space is None else space.end()
        if start == len(text):
            return
        try:
            tree, end = scan(text, start)
        except (ValueError, RecursionError):
            # the exact parser succeeds, or reports the error
            tree, end = ExactParser(text).parse_from(start)
        yield start, end, tree


# --- mappings ---------------------------------------------------------------------------------------------------------


def copied_tree(
    value: Mapping[Any, object], *, plain_numbers: bool = False
) -> dict[str, object]:
    """Copy a mapping as a tree of dicts and lists, which does not share mutable values with it.

    Mappings become dicts, tuples become lists; other values are unchanged, because the decoder of a field accepts or
    rejects them. With `plain_numbers`, floats lose their source text, and an integer that is too long for `int` is an
    error. Halves of surrogate pairs become U+FFFD, as in JSON. Raises DecodeError for keys that are
    not strings, and for nesting deeper than 10,000 levels, which a mapping that contains itself has.
    """
    root: dict[str, object] = {}
    waiting: list[tuple[object, dict[str, object] | list[object], Place, int]]
    waiting = [(value, root, None, 1)]
    while waiting:
        source, target, place, depth = waiting.pop()
        if depth > _MAX_DEPTH:
            raise DecodeError("", f"nested more than {_MAX_DEPTH} levels deep")
        found: list[tuple[object, dict[str, object] | list[object], Place, int]] = []
        if isinstance(target, dict):
            assert isinstance(source, Mapping)
            for key, item in source.items():
                name = _name(key, place)
                copy = target[name] = _blank(item, plain_numbers, place, name)
                if copy is not item and isinstance(copy, (dict, list)):
                    found.append((item, copy, (place, name), depth + 1))
        else:
            assert isinstance(source, (list, tuple))
            for index, item in enumerate(source):
                copy = _blank(item, plain_numbers, place, index)
                target.append(copy)
                if copy is not item and isinstance(copy, (dict, list)):
                    found.append((item, copy, (place, f"[{index}]"), depth + 1))
        waiting += reversed(found)
    return root


def _blank(value: object, plain_numbers: bool, place: Place, step: str | int) -> object:
    """An empty dict or list, to be filled, for a container; any other value itself. It is at `step` of `place`."""
    if isinstance(value, str):
        if type(value) is str and value.isascii():
            return value
        from .json_reader import clean

        return clean(str.__str__(value))
    if isinstance(value, (list, tuple)):
        return []
    if plain_numbers and isinstance(value, float):
        return float(value)
    if plain_numbers and isinstance(value, LongInt):
        name = step if isinstance(step, str) else f"[{step}]"
        problem = f"an integer of {len(str(value))} digits is too long for an `int`"
        raise DecodeError(_path_of((place, name)), problem)
    return {} if isinstance(value, Mapping) else value


def _name(key: object, place: Place) -> str:
    if type(key) is str and key.isascii():
        return key
    if not isinstance(key, str):
        problem = f"expected strings as keys, found {describe(key)}"
        raise DecodeError(_path_of(place), problem)
    from .json_reader import clean

    return clean(str.__str__(key))


def _path_of(place: Place) -> str:
    steps: list[str] = []
    while place is not None:
        place, step = place
        steps.append(step if step.startswith("[") else f".{step}")
    return "".join(reversed(steps)).removeprefix(".")
