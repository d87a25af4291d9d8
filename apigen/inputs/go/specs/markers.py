"""Markers (`+name`, `+name=value`, `+name(key: value)=+other`), the values of controller-gen markers, and the findings:
the elements that an import omits, with the reasons. Nothing is dropped silently.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.inputs.go.model import Marker
from apigen.inputs.merging import Value
from apigen.inputs.not_imported import NotImported

_NAME = re.compile(r"\+([A-Za-z0-9_./:-]*)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`')
_ARGUMENT = re.compile(rf"(\w+)=({_QUOTED.pattern}|\{{[^}}]*\}}|[^,]*)")
_COMMENT = re.compile(r"\s+(?:#|//).*$")

_WITH_PAIRS = re.compile(
    r"(kubebuilder:(?:resource|validation:(?:items:)?XValidation|subresource:scale|printcolumn|selectablefield)):.*",
    re.DOTALL,
)
"""Markers that go on with pairs behind a colon, `kubebuilder:resource:path=frobbers,scope=Cluster`: their text is read."""

WRAPPERS = ("k8s:alpha", "k8s:beta")
"""Tags that declare the stability of the tag inside them."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A parsed marker. Positional `args` have no key; `inner` is the tag that is its value."""

    name: str
    args: tuple[tuple[str, str], ...]
    value: str
    inner: Tag | None
    text: str
    place: Place

    @property
    def first(self) -> str:
        """Return the first positional argument, or an empty string."""
        return next((value for key, value in self.args if not key), "")

    def arg(self, key: str) -> str:
        """Return an argument by key, or an empty string."""
        return next((value for name, value in self.args if name == key), "")

    def chain(self) -> Iterator[Tag]:
        """The tag and those within it, from the outside."""
        tag: Tag | None = self
        while tag is not None:
            yield tag
            tag = tag.inner

    @property
    def unwrapped(self) -> Tag:
        """Return the tag without the wrapper for its stage (alpha or beta)."""
        return next((tag for tag in self.chain() if tag.name not in WRAPPERS), self)


def parse_tag(marker: Marker) -> Tag:
    """Parse a marker; every text is valid."""
    return _parse(marker.text.strip(), marker.text, marker.place)


def unquoted(text: str) -> str:
    """Text without its quotes."""
    text = text.strip()
    return text if _QUOTED.fullmatch(text) is None else literal_text(text)


def pairs_of(tag: Tag) -> list[tuple[str, str]]:
    """Return the arguments of `+name:path=frobbers,scope=Cluster`."""
    return [
        (key, unquoted(value))
        for key, value in _ARGUMENT.findall(tag.text.partition(f"{tag.name.rpartition(':')[2]}:")[2])
    ]


def _parse(text: str, marker: str, place: Place) -> Tag:
    match = _NAME.match(text)
    name = match[1].rstrip(":") if match else text.lstrip("+")
    rest = text[match.end() :] if match else ""
    with_pairs = _WITH_PAIRS.fullmatch(name)
    if with_pairs is not None:
        return Tag(with_pairs[1], (), "", None, marker, place)
    args: tuple[tuple[str, str], ...] = ()
    if rest.startswith("("):
        inside, rest = _parenthesis(rest)
        args = tuple(_arguments(inside))
    value = rest[1:].strip() if rest.startswith("=") else ""
    inner = _parse(value, marker, place) if value.startswith("+") else None
    if name.startswith("k8s:") and inner is None:
        value = _COMMENT.sub("", value)
    return Tag(name, args, value, inner, marker, place)


def _parenthesis(text: str) -> tuple[str, str]:
    """Return the content of the parentheses at the start of the text, and the text after them."""
    depth, at = 0, 0
    while at < len(text):
        quoted = _QUOTED.match(text, at)
        if quoted:
            at = quoted.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
        if not depth:
            return text[1 : at - 1], text[at:]
    return text[1:], ""


def _arguments(text: str) -> Iterator[tuple[str, str]]:
    for part in _split(text):
        key, colon, value = part.partition(":")
        if colon and re.fullmatch(r"\s*[A-Za-z]\w*\s*", key):
            yield key.strip(), unquoted(value)
        elif part.strip():
            yield "", unquoted(part)


def _split(text: str) -> Iterator[str]:
    start = at = 0
    while at < len(text):
        quoted = _QUOTED.match(text, at)
        if quoted:
            at = quoted.end()
            continue
        if text[at] == ",":
            yield text[start:at]
            start = at + 1
        at += 1
    yield text[start:]


@dataclass(slots=True)
class Markers:
    """The markers of an element; those that no reader uses are reported as unknown."""

    tags: tuple[Tag, ...]
    _used: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, markers: tuple[Marker, ...]) -> Markers:
        """Return the markers of an element."""
        return cls(tuple(parse_tag(marker) for marker in markers))

    def take(self, *names: str) -> list[Tag]:
        """Return the tags with some names, except nested ones; they count as used."""
        found = [tag for tag in self.tags if tag.name in names]
        self._used.update(id(tag) for tag in found)
        return found

    def take_one(self, name: str) -> Tag | None:
        """The last tag of a name."""
        found = self.take(name)
        return found[-1] if found else None

    def has(self, name: str) -> bool:
        """Return whether a tag with this name exists, and mark it as used."""
        return bool(self.take(name))

    def mark(self, tag: Tag) -> None:
        """Mark a tag as used: it was read, or is already reported."""
        self._used.add(id(tag))

    def rest(self) -> Iterator[Tag]:
        """Return the unused tags."""
        return (tag for tag in self.tags if id(tag) not in self._used)


_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`|\'[^\']*\'')
_KEY = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"|[A-Za-z_][\w./-]*)\s*:")
_WORD = re.compile(r"[^,;{}\[\]\s\"`']+")
_WORDS: dict[str, Value] = {"true": True, "false": False, "null": None}
_DEEPEST = 50


def marker_value(text: str) -> Value:
    """Return `{from: Same, ports: {80, 443}}` as a tree; `{}` is a map. Raises ValueError for invalid text."""
    reader = _Reader(text)
    value = reader.value(0)
    reader.end()
    return value


def listed_values(text: str) -> list[str]:
    """Return the strings of `A;B`, `{A,B}` and `{"A","B"}`; numbers and booleans stay strings."""
    inner, separators = text.strip(), ";"
    if inner.startswith("{") and inner.endswith("}"):
        inner, separators = inner[1:-1], ",;"
    found = re.findall(rf"{_LITERAL.pattern}|[^{separators}]+", inner)
    return [literal_text(word) for word in map(str.strip, found) if word]


class _Reader:
    """Reads one value from the left."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def value(self, depth: int) -> Value:
        """Read the next value. Raises ValueError for a missing value, or one that is nested too deeply."""
        if depth > _DEEPEST:
            raise ValueError("it is nested too deeply")
        self._skip_spaces()
        quoted = _LITERAL.match(self._text, self._at)
        if quoted:
            self._at = quoted.end()
            return literal_text(quoted[0])
        if self._next() == "{":
            return self._map(depth) if _KEY.match(self._text, self._at + 1) else self._list("}", depth)
        if self._next() == "[":
            return self._list("]", depth)
        return self._word()

    def end(self) -> None:
        """Raise ValueError if there is text after the value."""
        self._skip_spaces()
        if self._next():
            raise ValueError(f"unexpected text at `{self._text[self._at :]}`")

    def _map(self, depth: int) -> Value:
        found: dict[str, Value] = {}
        self._at += 1
        while not self._closes("}", bool(found)):
            key = _KEY.match(self._text, self._at)
            if key is None:
                raise ValueError(f"a key is expected at `{self._text[self._at :]}`")
            self._at = key.end()
            name = json.loads(key[1]) if key[1].startswith('"') else key[1]
            found[name] = self.value(depth + 1)
        return found

    def _list(self, closing: str, depth: int) -> Value:
        found: list[Value] = []
        self._at += 1
        while not self._closes(closing, bool(found)):
            found.append(self.value(depth + 1))
        return found if found or closing == "]" else {}

    def _closes(self, closing: str, goes_on: bool) -> bool:
        """Return whether the list or map ends here; otherwise, its next element follows."""
        self._skip_spaces()
        if self._next() == closing:
            self._at += 1
            return True
        if goes_on:
            if self._next() not in (",", ";"):
                raise ValueError(f"`{closing}` is missing")
            self._at += 1
            self._skip_spaces()
            if self._next() == closing:
                return self._closes(closing, False)
        if not self._next():
            raise ValueError(f"`{closing}` is missing")
        return False

    def _word(self) -> Value:
        word = _WORD.match(self._text, self._at)
        if word is None:
            raise ValueError(f"a value is expected at `{self._text[self._at :]}`")
        self._at = word.end()
        if word[0] in _WORDS:
            return _WORDS[word[0]]
        number = _NUMBER.fullmatch(word[0])
        if number is None:
            return word[0]
        return float(word[0]) if number[1] or number[2] else int(word[0])

    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _skip_spaces(self) -> None:
        while self._next().isspace():
            self._at += 1


def literal_text(text: str) -> str:
    """Return the text of a quoted word; in double quotes, it has the escapes of JSON. Other words are unchanged."""
    if not text.startswith(('"', "`", "'")):
        return text
    if not text.startswith('"'):
        return text[1:-1]
    try:
        return str(json.loads(text))
    except ValueError:
        return re.sub(r"\\(.)", r"\1", text[1:-1])


class OmittedKind(StrEnum):
    """The kind of an omitted element."""

    MARKER = "marker"
    VALIDATION = "validation"
    TYPE = "type"
    FIELD = "field"
    TAG = "tag"
    CONSTANT = "constant"
    UNTYPED = "untyped"
    GATE = "gate"
    REPLACEMENT = "replacement"
    TOMBSTONE = "tombstone"
    KIND = "kind"


CODES: dict[OmittedKind, str] = {
    OmittedKind.MARKER: "AG1220",
    OmittedKind.VALIDATION: "AG1221",
    OmittedKind.TYPE: "AG1222",
    OmittedKind.FIELD: "AG1223",
    OmittedKind.TAG: "AG1224",
    OmittedKind.CONSTANT: "AG1225",
    OmittedKind.UNTYPED: "AG1225",
    OmittedKind.GATE: "AG1226",
    OmittedKind.REPLACEMENT: "AG1227",
    OmittedKind.TOMBSTONE: "AG1228",
    OmittedKind.KIND: "AG1229",
}
"""The code of the diagnostic for each."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An element of the Go code that the specs do not have.

    `element` is `folder/version`, `folder/version.Type` or `folder/version.Type.field`. `name` is the omitted part: a
    marker as written, a gate, a constant, or empty for the element itself. Findings of the same kind, reason and
    `group_by` are reported in one line.
    """

    kind: OmittedKind
    element: str
    name: str
    place: Place
    reason: str
    group_by: str = ""
    is_loss: bool = False
    """Whether objects lose data: a field that is not imported is dropped by every conversion."""
    is_harmless: bool = False
    """Whether the API is the same without it: a marker of another generator, a field that is not in JSON."""

    @property
    def code(self) -> str:
        """The code of its diagnostic."""
        return CODES[self.kind]


@dataclass(slots=True)
class Findings:
    """Collects findings; each once."""

    _found: dict[Finding, None] = field(default_factory=dict)

    def add(
        self,
        kind: OmittedKind,
        element: str,
        name: str,
        place: Place,
        reason: str,
        group_by: str = "",
        *,
        is_harmless: bool = False,
    ) -> None:
        """Add one."""
        self._found.setdefault(Finding(kind, element, name, place, reason, group_by, is_harmless=is_harmless))

    def add_tag(self, kind: OmittedKind, element: str, tag: Tag, reason: str, *, is_harmless: bool = False) -> None:
        """Add a marker of an element."""
        self.add(kind, element, tag.text, tag.place, reason, f"+{tag.name}", is_harmless=is_harmless)

    def add_loss(self, element: str, place: Place, reason: str) -> None:
        """Add a field whose values would be lost."""
        self._found.setdefault(Finding(OmittedKind.FIELD, element, "", place, reason, reason, is_loss=True))

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """`docs`: import doc comments. `gates`: the feature gates that a group may name, by its folder. `release` determines which validation is enforced.
    `listed` has the elements that are omitted, with reasons.
    """

    docs: bool = False
    gates: Mapping[str, frozenset[str]] = field(default_factory=dict)
    release: tuple[int, int] | None = None
    listed: NotImported = field(default_factory=NotImported)
