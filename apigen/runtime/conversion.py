"""Helpers of generated conversions: checked numbers, decimal text, annotations, lists keyed by name.

A value that cannot be converted without loss raises ConversionError with its path; no value is rounded or truncated.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial

from .errors import ConversionError, DecodeError

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, Protocol, TypeVar

    class HasTypeMeta(Protocol):
        """An object with `apiVersion` and `kind`."""

        api_version: str
        kind: str

    M = TypeVar("M", bound=HasTypeMeta)
    T = TypeVar("T")
    V = TypeVar("V")

_RANGES = {
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "uint32": (0, 2**32 - 1),
    "uint64": (0, 2**64 - 1),
}
_LONGEST_DECIMAL = 64


@cache
def _decimal() -> re.Pattern[str]:
    """Return the pattern of an integer; compiled on first use, so that importing is fast."""
    import re

    return re.compile(r"[+-]?[0-9]+\Z", re.ASCII)


def fits(value: float, scalar: str) -> bool:
    """Return whether a number is one of the scalar type, exactly."""
    if scalar in _RANGES:
        low, high = _RANGES[scalar]
        return low <= value <= high
    from .json_numbers import to_float32

    return value != value or to_float32(value) == value


def checked_float32(value: float, path: str) -> float:
    """Return the number if a float32 can represent it exactly. Raises ConversionError."""
    if fits(value, "float32"):
        return value
    raise ConversionError(path, f"{value!r} does not fit a float32")


def exact_quotient(value: int, factor: int, path: str) -> int:
    """Return `value / factor`. Raises ConversionError if there is a remainder, because values are never rounded."""
    quotient, remainder = divmod(value, factor)
    if remainder:
        raise ConversionError(path, f"{value} is not a multiple of {factor}")
    return quotient


def annotated_number(text: str, scalar: str, path: str) -> int:
    """Return the number in the decimal text of an annotation. Raises ConversionError, also for empty text."""
    if not text:
        raise ConversionError(path, "expected a decimal number, found empty text")
    return _parsed(scalar, text, path)


def is_decimal(text: str, low: int, high: int) -> bool:
    """Return whether text is what `str` writes for an integer from `low` to `high`."""
    short = len(text) <= _LONGEST_DECIMAL and _decimal().match(text) is not None
    return short and str(int(text)) == text and low <= int(text) <= high


_CONTEXT: ContextVar[object] = ContextVar("conversion context", default=None)


@contextmanager
def with_conversion_context(context: object) -> Iterator[None]:
    """Set the context that hand-written functions get in the block, in this thread and task only."""
    token = _CONTEXT.set(context)
    try:
        yield
    finally:
        _CONTEXT.reset(token)


def conversion_context(function: str) -> Any:
    """Return the context of the conversion for a hand-written function. Raises ConversionError where the caller passed
    no context.
    """
    context = _CONTEXT.get()
    if context is None:
        raise ConversionError(
            "", f"{function} needs a context: pass `context` to `convert`"
        )
    return context


def group_of(api_version: str) -> str:
    """Return the group of an `apiVersion`; empty for `v1`, which is that of the core group."""
    return api_version.rpartition("/")[0]


def api_version_of(group: str, version: str) -> str:
    """Return the `apiVersion` of a version of a group; the core group, whose name is empty, has `v1` only."""
    return f"{group}/{version}" if group else "v1"


def parse_annotation(text: str, path: str) -> object:
    """Return the JSON in an annotation. Raises ConversionError."""
    from .json_reader import parse_json

    try:
        return parse_json(text)
    except DecodeError as error:
        raise ConversionError(path, error.problem) from error


def with_entry(
    entries: Mapping[str, str] | None, key: str, value: str
) -> dict[str, str]:
    """Return a copy of the map with one entry set."""
    return {**(entries or {}), key: value}


def without_key(entries: Mapping[str, V] | None, key: str) -> dict[str, V] | None:
    """Return a copy of the map without one entry; `None` if it has no other entry, the map itself if it has no such
    entry.
    """
    return without_keys(entries, (key,))


def without_keys(
    entries: Mapping[str, V] | None, keys: tuple[str, ...]
) -> dict[str, V] | None:
    """Return the same as `without_key`, without several entries."""
    if entries is None:
        return None
    for key in keys:
        if key in entries:
            return {k: v for k, v in entries.items() if k not in keys} or None
    return entries if isinstance(entries, dict) else dict(entries)


def with_key(item: T, attribute: str, key: str) -> T:
    """Set the name of an item that was created from an entry of a map, and return the item."""
    setattr(item, attribute, key)
    return item


def unique_entries(entries: Iterable[tuple[str, V]], path: str) -> dict[str, V]:
    """Return the map of named items. Raises ConversionError if two items have the same name."""
    found: dict[str, V] = {}
    for key, value in entries:
        if key in found:
            raise ConversionError(f"{path}[{key}]", "two items have this name")
        found[key] = value
    return found


def without_type_meta(obj: M) -> M:
    """Clear `apiVersion` and `kind` of a converted object, which items of a list do not have, and return the object."""
    obj.api_version = ""
    obj.kind = ""
    return obj


def _checked(scalar: str, value: int, path: str) -> int:
    """Return a number that is of the scalar type. Raises ConversionError."""
    if fits(value, scalar):
        return value
    article = "an" if scalar[0] == "i" else "a"
    raise ConversionError(path, f"{value} does not fit {article} {scalar}")


checked_int32 = partial(_checked, "int32")
checked_int64 = partial(_checked, "int64")
checked_uint32 = partial(_checked, "uint32")
checked_uint64 = partial(_checked, "uint64")


def _parsed(scalar: str, text: str, path: str) -> int:
    """Return the number of the scalar type in decimal text, 0 for empty text. Raises ConversionError."""
    if not text:
        return 0
    if len(text) > _LONGEST_DECIMAL or not _decimal().match(text):
        raise ConversionError(
            path, f"expected a decimal number, found {text[:_LONGEST_DECIMAL]!r}"
        )
    return _checked(scalar, int(text), path)


parse_int32 = partial(_parsed, "int32")
parse_int64 = partial(_parsed, "int64")
parse_uint32 = partial(_parsed, "uint32")
parse_uint64 = partial(_parsed, "uint64")
