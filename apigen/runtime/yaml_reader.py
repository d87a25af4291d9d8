"""Convert YAML text to trees of JSON, as Kubernetes' library (`sigs.k8s.io/yaml`) does.

That is YAML 1.1: `yes` and `on` are true, `010` is 8, `1_000` is 1000; keys become strings; merge keys and aliases are
resolved. Because Kubernetes first converts it to JSON, keys are sorted, `1e3` is the integer 1000, and NaN is an error.
"""

from __future__ import annotations

import base64
import binascii
import re
from datetime import datetime
from importlib import import_module

from .errors import DecodeError, several_documents, shortened
from .json_numbers import float64_text, yaml_key_text
from .json_reader import SURROGATE, RepeatedMembers, clean, step_into

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final


_PREFIX = "tag:yaml.org,2002:"
MERGE_TAG = _PREFIX + "merge"
BINARY_TAG = _PREFIX + "binary"
_FLOAT_TAG = _PREFIX + "float"
_TIMESTAMP_TAG = _PREFIX + "timestamp"
_TAGS = {
    type(None): _PREFIX + "null",
    bool: _PREFIX + "bool",
    int: _PREFIX + "int",
    float: _FLOAT_TAG,
}
_RESOLVED_TAGS = frozenset((*_TAGS.values(), _TIMESTAMP_TAG))
_WORDS: dict[str, bool | float | None] = {
    **dict.fromkeys(
        ("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True
    ),
    **dict.fromkeys(
        ("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"),
        False,
    ),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
_NUMERIC_START = frozenset("+-.0123456789")
_INTEGER = re.compile(
    r"([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]([0-7]+)|0[bB]([01]+)|0([0-7]+)|(0|[1-9][0-9]*))",
    re.ASCII,
)
_BASES = (16, 8, 2, 8, 10)
# an oddity of Go's YAML library
_SIGNED_BINARY = re.compile(r"0b([+-])([01]+)", re.ASCII)
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", re.ASCII
)
_POINT_FLOAT = re.compile(
    r"\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?", re.ASCII
)
_TIMESTAMP = re.compile(
    r"[0-9]{4}-([0-9]{1,2})-([0-9]{1,2})"
    r"(?:(?:[Tt]([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(?:Z|[+-]([0-9]{2}):([0-9]{2})))"
    r"|(?: ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?))?",
    re.ASCII,
)
_BASE_60 = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?", re.ASCII)
_LONGEST_INTEGERS = (16, 22, 64, 22, 20)
"""Digits of a number of 64 bits, by base; longer text is not passed to `int`, which takes quadratic time."""


def plain_value(text: str) -> str | int | float | bool | None:
    """Return the value of a plain scalar: `yes` is True, `010` is 8, `1e3` is 1000.0, `2001-02-03` is a string."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC_START:
        return text
    number = _number(text)
    return text if number is None else number


def tagged_value(tag: str, text: str) -> str | int | float | bool | None:
    """Return the value of a scalar with an explicit tag. Raises DecodeError if the text is not of the tag's type."""
    if tag not in _RESOLVED_TAGS:
        return text
    value = plain_value(text)
    if tag == _FLOAT_TAG and type(value) is int and value < 2**63:
        return float(value)
    is_time = tag == _TIMESTAMP_TAG and isinstance(value, str) and is_timestamp(text)
    if not is_time and tag != _TAGS.get(type(value)):
        raise DecodeError(
            "", f"{shortened(text)} is not of the type {tag.replace(_PREFIX, '!!')}"
        )
    return value


def is_plain_string(text: str) -> bool:
    """Return whether the text without quotes is read as this string, also by readers that know dates and base 60."""
    if not isinstance(plain_value(text), str):
        return False
    return text[0] not in "+-0123456789" or not (
        is_timestamp(text) or _BASE_60.fullmatch(text)
    )


def is_timestamp(text: str) -> bool:
    """Return whether Go's YAML library parses the text as a date or time."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return False
    parts = [int(part or "0") for part in match.groups()]
    hour, minute, second = (
        max(pair) for pair in zip(parts[2:5], parts[7:10], strict=True)
    )
    try:
        # the year 0 has the calendar of 400
        year = int(text[:4]) % 400 + 400
        datetime(year, parts[0], parts[1], hour, minute, second)
    except ValueError:
        return False
    return parts[5] <= 24 and parts[6] <= 60


def _number(text: str) -> int | float | None:
    if text[0] == ".":
        return _float(text) if _POINT_FLOAT.fullmatch(text) else None
    plain = text.replace("_", "")
    if is_timestamp(text):
        return None
    integer = _integer(plain)
    if integer is not None:
        return integer
    return _float(plain) if _FLOAT.fullmatch(plain) else None


def _integer(text: str) -> int | None:
    """Return the integer if 64 bits hold it, signed or not."""
    text = _SIGNED_BINARY.sub(r"\g<1>0b\g<2>", text) if text[1:2] == "b" else text
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    digits, base, longest = next(
        (digits, base, longest)
        for digits, base, longest in zip(
            match.groups()[1:], _BASES, _LONGEST_INTEGERS, strict=True
        )
        if digits
    )
    digits = digits.lstrip("0")
    if len(digits) > longest:
        return None
    value = int(digits or "0", base)
    if match[1]:
        value = -value if match[1] == "-" else value
        return value if -(2**63) <= value < 2**63 else None
    return value if value < 2**64 else None


def _float(text: str) -> float | None:
    value = float(text)
    return None if value in (float("inf"), float("-inf")) else value


MAX_DEPTH = 500
"""Maximum nesting of lists and objects, aliases included. (PyYAML's time grows with the square of it.)"""
MERGE_KEY = "<<"
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
    """Takes PyYAML's events of one document, one by one; then `root` is its tree. It is not recursive."""

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

    def take(self, event: Any) -> None:
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

    def _scalar(self, event: Any) -> None:
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
        if not text.isascii() and SURROGATE.search(text):
            # PyYAML without libyaml accepts such escapes
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
        return clean(data.decode("utf-8", "surrogateescape"))

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


def line_of(event: Any) -> int:
    """The line on which an event starts, the first one is 1; 0 if that is not known."""
    return event.start_mark.line + 1 if event.start_mark else 0


def too_deep(line: int) -> DecodeError:
    """The error for nesting deeper than MAX_DEPTH."""
    return _error_at(line, f"nested more than {MAX_DEPTH} levels deep")


def _error_at(line: int, problem: str) -> DecodeError:
    return DecodeError("", f"invalid YAML at line {line}: {problem}")


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


ODD: Final = object()
"""Raised if the document must be read by the full composer."""
_Container = dict[str, object] | list[object]


def compose_plainly(source: Any) -> object:
    """Return the tree of the first document, if it has only the features of JSON: no anchors, tags and merge keys. ODD for
    other documents, and for repeated keys. Raises DecodeError, and the parser's errors.

    Nearly all documents are of this form; it takes a third of the time of `Composer`, which handles the rest.
    """
    stack: list[tuple[_Container, str | None]] = []
    container: _Container = []  # the document itself
    key: str | None = None
    while True:
        event = source.get_event()
        name = type(event).__name__
        value: object
        if name == "ScalarEvent":
            value = ODD if event.anchor or event.tag else _scalar(event)
        elif name == "MappingStartEvent" or name == "SequenceStartEvent":
            is_key = key is None and not isinstance(container, list)
            if is_key or event.anchor:
                return ODD
            if len(stack) >= MAX_DEPTH:
                raise too_deep(line_of(event))
            stack.append((container, key))
            container, key = {} if name == "MappingStartEvent" else [], None
            continue
        elif name == "MappingEndEvent" or name == "SequenceEndEvent":
            value = container
            if isinstance(container, dict):
                value = dict(sorted(container.items()))
            container, key = stack.pop()
        elif name == "DocumentEndEvent" or name == "StreamEndEvent":
            break
        elif name == "AliasEvent":
            return ODD
        else:
            continue
        if value is ODD:
            return ODD
        if isinstance(container, list):
            container.append(value)
        elif key is not None:
            container[key] = value
            key = None
        elif not isinstance(value, str) or value in container:
            return ODD
        else:
            key = value
    return container[0] if isinstance(container, list) and container else None


def _scalar(event: Any) -> object:
    text = event.value
    if not text.isascii() and SURROGATE.search(text):
        return ODD
    if not event.implicit[0]:
        return text
    if text == MERGE_KEY:
        return ODD
    value = plain_value(text)
    try:
        return json_value(value) if type(value) is float else value
    except ValueError:
        return ODD


def parse_yaml(data: bytes | str, duplicates: list[str] | None = None) -> object:
    """Parse a YAML text of one document; an empty one is `None`.

    Documents that are empty, `null` or comments only are skipped, as kubectl does; a second document with a value is an
    error.

    Keys that occur twice: the last one counts; if `duplicates` is a list, their paths are added (`metadata.labels.a`).
    Raises DecodeError for invalid YAML or values that JSON cannot express, for aliases that multiply ("bombs"), and for
    nesting deeper than 500 levels; ImportError if PyYAML is not installed.
    """
    documents = parse_yaml_documents(data, duplicates is not None)
    first = next(documents, None)
    if first is None:
        return None
    second = next(documents, None)
    if second is not None:
        raise several_documents(second[0])
    _, tree, found = first
    if duplicates is not None and found is not None:
        duplicates += found
    return tree


def parse_yaml_documents(
    data: bytes | str, with_duplicates: bool = False
) -> Iterator[tuple[int, object, list[str] | None]]:
    """Parse the documents of a YAML stream one by one: the line of each value, its tree, and its repeated keys.

    Documents without a value are skipped. `with_duplicates` also collects the repeated keys. Raises as `parse_yaml`,
    when the document with the error is reached.
    """
    try:
        # not by name, as type checkers would then ask for it everywhere
        yaml = import_module("yaml")
    except ImportError:
        raise ImportError("reading YAML needs PyYAML (pip install PyYAML)") from None
    try:
        for line, tree, duplicates in _composed(yaml, data, with_duplicates):
            if tree is not None:
                yield line, tree, duplicates
    except yaml.MarkedYAMLError as error:
        # libyaml 0.2.6 counts levels itself, as it scans ahead, before any event of them
        if error.problem == "exceeded maximum nesting depth" and error.problem_mark:
            raise too_deep(error.problem_mark.line + 1) from None
        place = f" at line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise DecodeError(
            "", f"invalid YAML{place}: {error.problem or error.context}"
        ) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise DecodeError("", f"invalid YAML: {error}".partition("\n")[0]) from None


def _composed(
    yaml: Any, data: bytes | str, with_duplicates: bool
) -> Iterator[tuple[int, object, list[str] | None]]:
    """All documents, empty ones included. From the first that is odd on, each is composed with care."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    source = loader(data)
    source.get_event()  # the start of the stream
    plainly, count = True, 0
    while not source.check_event(yaml.StreamEndEvent):
        source.get_event()  # the start of the document
        line = source.peek_event().start_mark.line + 1
        duplicates: list[str] | None = [] if with_duplicates else None
        tree = compose_plainly(source) if plainly else ODD
        if tree is ODD:
            if plainly:  # some events of this document are used up: read them again
                plainly = False
                source = loader(data)
                for _ in range(count):
                    while not isinstance(source.get_event(), yaml.DocumentEndEvent):
                        pass
            composer = Composer(duplicates)
            while not isinstance(event := source.get_event(), yaml.DocumentEndEvent):
                composer.take(event)
            tree = composer.root
        count += 1
        yield line, tree, duplicates
