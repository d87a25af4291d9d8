"""JSON that an object carries without looking into it: `RawExtension` and `FieldsV1`."""

from __future__ import annotations

from .dataclasses import dataclass
from .json_source import JsonText


@dataclass(frozen=True, slots=True)
class RawExtension(JsonText):
    """Any JSON value, kept as the text it came in (`runtime.RawExtension`). Equal when the texts are."""

    raw: bytes

    @staticmethod
    def of(value: object) -> RawExtension:
        """Return the extension for a tree of dict, list, str, int, float, bool and None. Raises EncodeError."""
        from .json_writer import json_bytes  # importing a version does not wait for it

        return RawExtension(json_bytes(value))

    def value(self) -> object:
        """Parse the text. Raises DecodeError if it is not JSON, which protobuf does not rule out."""
        from .json_reader import parse_json

        return parse_json(self.raw)


@dataclass(frozen=True, slots=True, eq=False)
class FieldsV1(JsonText):
    """A set of field names as JSON (`metav1.FieldsV1`). Two are equal if their contents are, regardless of spaces and order."""

    raw: bytes

    @staticmethod
    def of(value: object) -> FieldsV1:
        """Return the set for a tree of dicts. Raises EncodeError."""
        from .json_writer import json_bytes  # importing a version does not wait for it

        return FieldsV1(json_bytes(value))

    def value(self) -> object:
        """Parse the text. Raises DecodeError if it is not JSON, which protobuf does not rule out."""
        from .json_reader import parse_json

        return parse_json(self.raw)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FieldsV1):
            return NotImplemented
        return self.raw == other.raw or _same_json(self, other)

    def __hash__(self) -> int:
        try:
            value = self.value()
        except ValueError:
            return hash(self.raw)
        if isinstance(value, dict):
            return hash(frozenset(value))
        return hash(len(value)) if isinstance(value, list) else hash(value)


def _same_json(a: FieldsV1, b: FieldsV1) -> bool:
    try:
        pairs = [(a.value(), b.value())]
    except ValueError:
        return False
    while pairs:  # not by recursion: hostile nesting is deeper than Python's stack
        x, y = pairs.pop()
        if isinstance(x, dict) and isinstance(y, dict):
            if x.keys() != y.keys():
                return False
            pairs.extend((x[name], y[name]) for name in x)
        elif isinstance(x, list) and isinstance(y, list):
            if len(x) != len(y):
                return False
            pairs.extend(zip(x, y, strict=True))
        elif isinstance(x, bool) != isinstance(y, bool) or x != y:
            return False
    return True
