"""Reads markers: `+name`, `+name=value`, `+name(key: value)=+other`, and records which ones were used."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.inputs.go.model import Marker

_NAME = re.compile(r"\+([A-Za-z0-9_./:-]*)")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"|`([^`]*)`')
_COMMENT = re.compile(r"\s+(?:#|//).*$")

_WITH_PAIRS = re.compile(
    r"(kubebuilder:(?:resource|validation:XValidation|subresource:scale|printcolumn)):.*", re.DOTALL
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
    match = _QUOTED.fullmatch(text.strip())
    if match is None:
        return text.strip()
    if match[2] is not None:
        return str(match[2])
    return re.sub(r"\\(.)", r"\1", match[1])


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
