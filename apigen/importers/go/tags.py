"""Struct tags: the text behind a field that says how it is written.

The outer form is the one that Go's `reflect.StructTag` reads: `key:"value"` pairs with spaces between. What the values
mean: `json` as Go's `encoding/json` has it, and `inline` as Kubernetes' generators add to it; `protobuf` as
Kubernetes' go-to-protobuf reads and writes it.
"""

from __future__ import annotations

import re

from apigen.dataclass import dataclass
from apigen.diagnostics.quoting import quote
from apigen.importers.go.literals import string_value
from apigen.importers.go.model import ProtobufTag

LABELS = ("opt", "rep", "req")

_PAIR = re.compile(r' *([^\x00-\x20":\x7f]+):("(?:[^"\\]|\\.)*")')
_NUMBER = re.compile(r"\d{1,10}")


@dataclass(frozen=True, slots=True)
class StructTag:
    """The pairs of a tag, the first of each key, as Go takes them; and what is wrong with the rest of its text."""

    pairs: tuple[tuple[str, str], ...] = ()
    problem: str | None = None

    def get(self, key: str) -> str | None:
        """The value of a key; None if the tag does not have it."""
        return next((value for name, value in self.pairs if name == key), None)


@dataclass(frozen=True, slots=True)
class JsonTag:
    """The value of `json:"…"`: `name` is empty where it says none."""

    name: str = ""
    skip: bool = False
    inline: bool = False
    omitempty: bool = False
    omitzero: bool = False
    others: tuple[str, ...] = ()


def read_tag(text: str) -> StructTag:
    """Split a tag, given without its quotes, into its pairs."""
    pairs: dict[str, str] = {}
    problem = None
    position = 0
    while text[position:].strip(" "):
        pair = _PAIR.match(text, position)
        value = None if pair is None else string_value(pair[2])
        if pair is None or value is None:
            return StructTag(tuple(pairs.items()), f"{quote(text[position:].strip(' '))} is no `key:\"value\"`")
        if pair[1] in pairs:
            problem = f"it has {quote(pair[1])} twice; Go takes the first"
        pairs.setdefault(pair[1], value)
        position = pair.end()
    return StructTag(tuple(pairs.items()), problem)


def read_json_tag(value: str) -> JsonTag:
    """Read the value of `json:"…"`."""
    name, *options = value.split(",")
    known = {"inline", "omitempty", "omitzero"}
    return JsonTag(
        name=name,
        skip=value == "-",
        inline="inline" in options,
        omitempty="omitempty" in options,
        omitzero="omitzero" in options,
        others=tuple(option for option in options if option and option not in known),
    )


def read_protobuf_tag(value: str) -> tuple[ProtobufTag, str | None]:
    """Read the value of `protobuf:"…"`; with it, what is wrong with it.

    `bytes,8,opt,name=taint,casttype=Taint`: the wire part, the number, then in any order a label and `key=value`.
    """
    if value == "-":
        return ProtobufTag(None, None, None, None, skip=True), None
    wire, *rest = value.split(",")
    number = int(rest[0]) if rest and _NUMBER.fullmatch(rest[0]) else None
    problem = f"{quote(value)} of `protobuf` has no field number in second place" if number is None else None
    label = name = None
    extra: list[tuple[str, str]] = []
    for part in rest[1:]:
        key, equals, text = part.partition("=")
        if equals and key == "name":
            name = text
        elif part in LABELS:
            label = part
        elif part:
            extra.append((key, text))
    return ProtobufTag(wire or None, number, label, name, tuple(extra)), problem
