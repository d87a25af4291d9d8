"""Read JSON quickly into objects: by C parsers that keep neither the text of raw values nor that of numbers.

This is sufficient for most documents. For others, and for invalid ones, it returns no result, and
the exact parser decides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring
from types import ModuleType

from .documents import api_version_and_kind, leading_kind
from .errors import DecodeError
from .json_reader import (
    is_ordinary,
    may_nest_too_deep,
    named_members,
    orjson,
    reject_constant,
)
from .json_source import KEPT, exact_float
from .json_values import texts_missed
from .kinds import KindVersion

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from typing import Any

_scan = json.JSONDecoder(
    parse_float=exact_float, parse_constant=reject_constant
).raw_decode
_SPACE = " \t\n\r"


class _NotQuickly(Exception):
    """Raised if the text must be read with the exact parser."""


_ERRORS = (ValueError, RecursionError, _NotQuickly)


class QuickDecoder:
    """Decodes JSON to objects of versions.

    `found` is the kind of an `apiVersion` and a `kind`, or raises DecodeError; `codec` its module of JSON functions.
    """

    def __init__(
        self,
        found: Callable[[str, str], KindVersion],
        codec: Callable[[KindVersion], ModuleType],
    ) -> None:
        self._found = found
        self._codec = codec
        self._readers: dict[tuple[str, str], _Reader] = {}
        self._meets_raw = False

    def decode(
        self, data: bytes | str, silent: KindVersion | None
    ) -> tuple[KindVersion, object] | None:
        """Return the kind and the object of exact decoding, or None if exact decoding is required.

        `silent` is the kind if the text does not have it. Raises DecodeError for a string that is not of the form
        of its type, such as a time; exact decoding reports all other errors, with the text of numbers and raw values.
        """
        try:
            expected = self._expected(data) if self._meets_raw else None
            tree = _parsed(data) if expected is None else expected.parsed(data)
            reader = self._reader(silent, tree)
            if reader is not expected and (expected or reader.meets_raw):
                tree = reader.parsed(data)
        except _ERRORS:
            return None
        before = next(texts_missed)
        try:
            obj = reader.decode(tree)
        except DecodeError as error:
            if error.of_text and next(texts_missed) == before + 1:
                raise
            return None
        if next(texts_missed) == before + 1:
            if reader.kind.type_meta:  # which the document may have in other capitals
                obj.api_version, obj.kind = reader.api_version, reader.kind.kind
            return reader.kind, obj
        reader.meets_raw = self._meets_raw = bool(reader.raw_names)
        return None

    def _expected(self, data: bytes | str) -> _Reader | None:
        """Return the reader of the kind that the text starts with, if documents of that kind had raw JSON before."""
        reader = self._readers.get(leading_kind(data))
        return reader if reader is not None and reader.meets_raw else None

    def _reader(self, silent: KindVersion | None, tree: object) -> _Reader:
        key = (
            (silent.api_version, silent.kind) if silent else api_version_and_kind(tree)
        )
        reader = self._readers.get(key)
        if reader is None:
            kind = silent or self._found(*key)
            reader = self._readers[key] = _Reader(kind, self._codec(kind))
        return reader


class _Reader:
    """The functions that read a kind. `meets_raw`: an object with raw JSON was read."""

    __slots__ = ("api_version", "decode", "kind", "meets_raw", "raw_names")

    def __init__(self, kind: KindVersion, codec: ModuleType) -> None:
        raw_names: Mapping[str, frozenset[str]] = codec.RAW_NAMES
        self.kind = kind
        self.api_version = kind.api_version
        self.decode: Callable[[object], Any] = getattr(
            codec, f"decode_{kind.functions}"
        )
        self.raw_names = raw_names.get(kind.kind, frozenset())
        self.meets_raw = False

    def parsed(self, data: bytes | str) -> object:
        """The tree, in which raw JSON stays text. Raises one of _ERRORS."""
        if not self.raw_names:
            return _parsed(data)
        text = data if isinstance(data, str) else data.decode()
        return _parsed_keeping_raw(text, self.raw_names)


def _parsed(data: bytes | str) -> object:
    """Return the tree. Raises one of _ERRORS if it might differ from that of the exact parser."""
    if orjson is not None:
        return orjson.loads(data)
    text = data if isinstance(data, str) else data.decode()
    if not is_ordinary(text) or may_nest_too_deep(text):
        raise _NotQuickly
    start = 0 if text[:1] == "{" else len(text) - len(text.lstrip(_SPACE))
    tree, end = _scan(text, start)
    if end < len(text) and text[end:].strip(_SPACE):
        raise _NotQuickly
    return tree


def _parsed_keeping_raw(text: str, names: frozenset[str]) -> object:
    """Parse a text as `_parsed` does, but keep the values of members with these names as text.

    Each is parsed as a list of its text and an object: only a type of raw JSON accepts that, so that
    reading fails if a member of that name has another type.
    """
    members = named_members(text, names) if is_ordinary(text) else None
    if members is None or may_nest_too_deep(text):
        raise _NotQuickly
    pieces: list[str] = []
    position = 0
    for member in members:
        start = member.end()
        if start >= position:  # else it is within the value before
            value, end = _scan(text, start)
            if value is not None:
                kept = encode_basestring(KEPT + text[start:end])
                pieces += (text[position:start], "[", kept, ",{}]")
                position = end
    return _parsed("".join(pieces) + text[position:])
