"""Builds the tree of a YAML document from PyYAML's events, without recursion."""

from __future__ import annotations

import base64
import binascii
import re

from .errors import DecodeError, shortened
from .json_numbers import float64_text, yaml_key_text
from .repeated_members import RepeatedMembers, step_into
from .yaml_scalars import BINARY_TAG, MERGE_TAG, plain_value, tagged_value

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Protocol

    class Mark(Protocol):
        """A place in the text."""

        line: int

    class Event(Protocol):
        """The attributes of PyYAML's events; not every class has all of them."""

        start_mark: Mark | None
        anchor: str | None
        tag: str | None
        implicit: tuple[bool, bool]
        value: str


MAX_DEPTH = 500
"""Maximum nesting of lists and objects, aliases included. (PyYAML's time grows with the square of it.)"""

MERGE_KEY = "<<"
_SURROGATE = re.compile("[\ud800-\udfff]")

# Go-yaml's measure of alias bombs: how much of the expanded document may come from aliases, by its number of nodes.
_SMALL_DOCUMENT, _SMALL_RATIO = 400_000, 0.99
_LARGE_DOCUMENT, _LARGE_RATIO = 4_000_000, 0.10

Scalar = str | int | float | bool | None


class _Node:
    """A finished value, for aliases: how many nodes it has with all aliases expanded, and how deep it is."""

    __slots__ = ("depth", "finished", "size", "value")

    def __init__(
        self, value: object = None, size: int = 1, depth: int = 0, finished: bool = True
    ) -> None:
        self.value = value
        self.size = size
        self.depth = depth
        self.finished = finished


class _Frame:
    """A list or object that is being built."""

    __slots__ = ("container", "key", "merging", "node")

    def __init__(
        self, container: dict[str, object] | list[object], node: _Node
    ) -> None:
        self.container = container
        self.node = node
        self.key: str | None = None
        self.merging = False

    @property
    def wants_key(self) -> bool:
        return (
            isinstance(self.container, dict) and self.key is None and not self.merging
        )


def _step(frame: _Frame) -> str:
    return step_into(frame.container, frame.key)


class Composer:
    """Takes the events of one document, one by one; then `root` is its tree."""

    def __init__(self, duplicates: list[str] | None) -> None:
        self.root: object = None
        self._repeated = (
            None if duplicates is None else RepeatedMembers(duplicates, _step)
        )
        self._frames: list[_Frame] = []
        self._anchors: dict[str, _Node] = {}
        self._nodes = 0
        self._nodes_by_alias = 0
        self._line = 0

    def take(self, event: Event) -> None:
        """Go on with the next event. Raises DecodeError."""
        self._line = line_of(event)
        match type(event).__name__:
            case "ScalarEvent":
                self._scalar(event)
            case "MappingStartEvent":
                self._open({}, event.anchor)
            case "SequenceStartEvent":
                self._open([], event.anchor)
            case "MappingEndEvent" | "SequenceEndEvent":
                self._close()
            case "AliasEvent":
                self._alias(event.anchor or "")

    def _scalar(self, event: Event) -> None:
        implicit = event.implicit[0]
        tag = event.tag or ""
        self._count(1)
        if (
            self._frames
            and self._frames[-1].wants_key
            and event.value == MERGE_KEY
            and (implicit or tag == MERGE_TAG)
        ):
            self._frames[-1].merging = True
            return
        value = self._resolved(event.value, tag, implicit)
        node = _Node(value)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        self._add(node)

    def _resolved(self, text: str, tag: str, implicit: bool) -> Scalar:
        if not text.isascii() and has_surrogate(
            text
        ):  # PyYAML without libyaml accepts such escapes
            raise self._error("half of a surrogate pair")
        if not tag:
            return plain_value(text) if implicit else text
        if tag == BINARY_TAG:
            return self._from_base64(text)
        try:
            return tagged_value(tag, text)
        except DecodeError as error:
            raise self._error(error.problem) from None

    def _from_base64(self, text: str) -> str:
        try:
            data = base64.b64decode(
                text.replace("\n", "").replace("\r", ""), validate=True
            )
        except (binascii.Error, ValueError):
            raise self._error(f"{shortened(text)} is not base64") from None
        return _SURROGATE.sub("\ufffd", data.decode("utf-8", "surrogateescape"))

    def _open(
        self, container: dict[str, object] | list[object], anchor: str | None
    ) -> None:
        self._count(1)
        if self._frames and self._frames[-1].wants_key:
            raise self._error("a list or an object cannot be a key")
        if len(self._frames) >= MAX_DEPTH:
            raise too_deep(self._line)
        node = _Node(finished=False)
        if anchor is not None:
            self._anchors[anchor] = node
        self._frames.append(_Frame(container, node))

    def _close(self) -> None:
        frame = self._frames.pop()
        container = frame.container
        node = frame.node
        node.value = (
            dict(sorted(container.items()))
            if isinstance(container, dict)
            else container
        )
        node.depth += 1
        node.finished = True
        if self._repeated is not None:
            self._repeated.close(len(self._frames))
        self._add(node)

    def _alias(self, name: str) -> None:
        node = self._anchors.get(name)
        if node is None:
            raise self._error(f"the alias *{name} has no anchor")
        if not node.finished:
            raise self._error(f"the value of &{name} contains itself")
        self._count(1 + node.size, by_alias=node.size)
        if len(self._frames) + node.depth > MAX_DEPTH:
            raise too_deep(self._line)
        if self._frames:
            self._frames[-1].node.size += 1  # the alias itself
        self._add(node)

    def _count(self, nodes: int, by_alias: int = 0) -> None:
        self._nodes += nodes
        self._nodes_by_alias += by_alias
        enough = self._nodes_by_alias > 100 and self._nodes > 1_000
        if enough and self._nodes_by_alias / self._nodes > _allowed_ratio(self._nodes):
            raise self._error("the aliases multiply too much")

    def _add(self, node: _Node) -> None:
        """Add a value to its parent: as key, value or element."""
        if not self._frames:
            self.root = self._json(node.value)
            return
        frame = self._frames[-1]
        frame.node.size += node.size
        frame.node.depth = max(frame.node.depth, node.depth)
        if isinstance(frame.container, list):
            frame.container.append(self._json(node.value))
        elif frame.merging:
            frame.merging = False
            self._merge(node.value)
        elif frame.key is None:
            frame.key = self._key(node.value)
        else:
            self._set(frame.key, self._json(node.value))
            frame.key = None

    def _merge(self, value: object) -> None:
        """Add the members of an object, or of a list of objects of which the first ones win."""
        for members in reversed(value) if isinstance(value, list) else [value]:
            if not isinstance(members, dict):
                raise self._error(
                    "a merge key (<<) needs an object or a list of objects"
                )
            for key, member in members.items():
                self._set(key, member)

    def _set(self, key: str, value: object) -> None:
        container = self._frames[-1].container
        assert isinstance(container, dict)
        if self._repeated is not None and key in container:
            self._repeated.note(self._frames, len(self._frames) - 1, key)
        container[key] = value

    def _key(self, value: object) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float):
            return yaml_key_text(value)
        if isinstance(value, int) and value < 2**63:
            return str(value)
        raise self._error(
            f"{'null' if value is None else 'such a value'} cannot be a key"
        )

    def _json(self, value: object) -> object:
        if not isinstance(value, float):
            return value
        try:
            return json_value(value)
        except ValueError:
            raise self._error(f"JSON cannot hold {value}") from None

    def _error(self, problem: str) -> DecodeError:
        return _error_at(self._line, problem)


def line_of(event: Event) -> int:
    """The line on which an event starts, the first one is 1; 0 if that is not known."""
    return event.start_mark.line + 1 if event.start_mark else 0


def too_deep(line: int) -> DecodeError:
    """The error for nesting deeper than MAX_DEPTH."""
    return _error_at(line, f"nested more than {MAX_DEPTH} levels deep")


def _error_at(line: int, problem: str) -> DecodeError:
    return DecodeError("", f"invalid YAML at line {line}: {problem}")


def has_surrogate(text: str) -> bool:
    """Return whether half of a surrogate pair is in the text."""
    return _SURROGATE.search(text) is not None


def json_value(value: float) -> float | int:
    """The float after Kubernetes has made JSON of it: an integer if it has no fraction. Raises ValueError for NaN."""
    text = float64_text(value)
    return value if "." in text or "e" in text else int(text)


def _allowed_ratio(nodes: int) -> float:
    if nodes <= _SMALL_DOCUMENT:
        return _SMALL_RATIO
    if nodes >= _LARGE_DOCUMENT:
        return _LARGE_RATIO
    progress = (nodes - _SMALL_DOCUMENT) / (_LARGE_DOCUMENT - _SMALL_DOCUMENT)
    return _SMALL_RATIO - (_SMALL_RATIO - _LARGE_RATIO) * progress
