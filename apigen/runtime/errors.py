"""The errors of this package: one base class, each error knows the path to the value at fault."""

from __future__ import annotations

_SHOWN = 40


class ApiError(ValueError):
    """A value that cannot be decoded, converted or encoded.

    `path` leads to the value, in Kubernetes' notation (`spec.rules[2].kind`; empty for the whole document),
    `problem` is a sentence about it. The text of the error is both, as `path: problem`.
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}" if self.path else self.problem


class DecodeError(ApiError):
    """Input that is malformed, or that does not have the shape of its type."""


class ConversionError(ApiError):
    """A value that the version converted to cannot hold."""


class EncodeError(ApiError):
    """An object that the format cannot hold: a number out of range, NaN, raw bytes that are not JSON."""


class SchemeError(ApiError):
    """The scheme has no such kind, version or media type."""


def wrong_type(path: str, expected: str, value: object) -> DecodeError:
    """Return the error for a decoded JSON value of another type: `spec.name: expected a string, found a number (5)`.

    `expected` comes with its article.
    """
    return DecodeError(path, f"expected {expected}, found {describe(value)}")


def describe(value: object) -> str:
    """Return what a decoded JSON value is, in words, and what it looks like if that is short."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"a boolean ({'true' if value else 'false'})"
    if isinstance(value, (int, float)):
        return f"a number ({_number(value)})"
    if isinstance(value, str):
        return f"a string ({shortened(value)})"
    if isinstance(value, (list, tuple)):
        return f"a list ({_counted(len(value), 'element')})"
    if isinstance(value, dict):
        return f"an object ({_counted(len(value), 'member')})"
    return f"a {type(value).__name__}"


def _number(value: float) -> str:
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:
        return "of many digits"  # also keeps clear of Python's limit on int to str
    return str(value)


def shortened(text: str) -> str:
    """Return the text in quotes for a message, cut off where it gets long."""
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}…"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
