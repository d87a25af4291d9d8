"""The errors of this package: they have one base class, and the path of the invalid value."""

from __future__ import annotations

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    _T = TypeVar("_T")

_SHOWN = 40
_LISTED = 20
"""Maximum number of errors of a group in its text."""


class ApiError(ValueError):
    """A value that cannot be decoded, converted or encoded.

    `path` leads to the value, in Kubernetes' notation (`spec.rules[2].kind`; empty for the whole document),
    `problem` is a sentence about it. The text of the error is both, as `path: problem`.

    `document` is the number of the document or object, counted from 1, if there are several (`decode_all`,
    `encode_all`), and `line` is the line on which that document starts. Otherwise both are 0.
    """

    document: int = 0
    line: int = 0

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        text = f"{self.path}: {self.problem}" if self.path else self.problem
        if not self.document:
            return text
        line = f" (line {self.line})" if self.line else ""
        return f"document {self.document}{line}: {text}"


class DecodeError(ApiError):
    """Input that is malformed, or that does not match its type."""

    of_text = False
    """Whether a string was rejected for its text, which every way of decoding a document reports alike."""


class DecodeErrors(DecodeError, ExceptionGroup[DecodeError]):
    """All errors of a document, raised by `decode(..., errors="all")`; `exceptions` has one DecodeError for each.

    `except DecodeError` and `except ApiError` catch the group, `except* DecodeError` handles its errors.
    `path` and `problem` are those of a single error; with several, `problem` lists them.
    """

    def __new__(cls, errors: Sequence[DecodeError]) -> DecodeErrors:
        return ExceptionGroup.__new__(cls, _problem_of_all(errors), errors)

    def __init__(self, errors: Sequence[DecodeError]) -> None:
        if len(errors) == 1:
            super().__init__(errors[0].path, errors[0].problem)
        else:
            super().__init__("", _problem_of_all(errors))

    def derive(self, errors: Sequence[Any], /) -> Any:
        """Return a group of some of the errors, for `split`, `subgroup` and `except*`."""
        return DecodeErrors(errors)

    def __reduce__(self) -> tuple[Any, ...]:
        return (DecodeErrors, (list(self.exceptions),), self.__dict__)


class UnknownKindError(DecodeError):
    """A document of a kind or version that the scheme does not have."""


class StrictDecodingError(DecodeError):
    """Fields that `decode(..., unknown="error")` rejects: `errors` has a DecodeError for each unknown or repeated field."""

    def __init__(self, errors: Sequence[DecodeError]) -> None:
        super().__init__(
            "", "; ".join(f'{each.problem} "{each.path}"' for each in errors)
        )
        self.errors = tuple(errors)

    def __reduce__(self) -> tuple[Any, ...]:
        return (StrictDecodingError, (self.errors,), self.__dict__)


class ConversionError(ApiError):
    """A value that the version converted to cannot hold."""

    is_located = False
    """Whether the path starts at the object that was converted; see `checking.locate_conversion`."""


class EncodeError(ApiError):
    """A value that could not be read back: of a wrong type, out of range, NaN, raw bytes that are not JSON."""


class SchemeError(ApiError):
    """The scheme has no such kind, version or media type."""


def several_documents(line: int) -> DecodeError:
    """Return the error for an input with a second document, which starts at a line, if only one is allowed."""
    return DecodeError(
        "",
        f"the input holds several documents (the second one starts at line {line}); read them with `decode_all`",
    )


def _problem_of_all(errors: Sequence[DecodeError]) -> str:
    lines = [
        f"{error.path}: {error.problem}" if error.path else error.problem
        for error in errors[:_LISTED]
    ]
    if len(errors) > 1:
        lines.insert(0, f"{len(errors)} errors:")
    if len(errors) > _LISTED:
        lines.append(f"and {len(errors) - _LISTED} more")
    return "\n  ".join(lines)


def joined(path: str, step: str) -> str:
    """Return the path of a step (`name`, `[2]`, `name.other`) below a path."""
    return (
        f"{path}.{step}" if path and step and not step.startswith("[") else path + step
    )


def class_name(cls: type) -> str:
    """Return the name of a class with its module."""
    return f"{cls.__module__}.{cls.__qualname__}"


def wrong_type(path: str, expected: str, value: object) -> DecodeError:
    """Return the error for a decoded JSON value of another type: `spec.name: expected a string, found a number (5)`.

    `expected` includes its article.
    """
    return DecodeError(path, f"expected {expected}, found {describe(value)}")


def describe(value: object) -> str:
    """Return a description of a decoded JSON value, with the value itself if it is short."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"a boolean ({'true' if value else 'false'})"
    if isinstance(value, (int, float)):
        return f"a number ({_number(value)})"
    if isinstance(value, str):
        return f"a string ({shortened(value)})"
    if isinstance(value, (list, tuple)):
        return f"a list ({counted(len(value), 'element')})"
    if isinstance(value, dict):
        return f"an object ({counted(len(value), 'member')})"
    return f"a {type(value).__name__}"


def unfit(expected: str, value: object) -> EncodeError:
    """Return the error for a Python value that a field cannot hold: `expected a string, found 7`.

    `expected` includes its article. The path is added by `checking`.
    """
    return EncodeError("", f"expected {expected}, found {_described(value)}")


def unfit_object(cls: type[object], value: object) -> EncodeError:
    """Return the error for a value of another class than a field has."""
    expected = with_article(cls.__name__)
    found = _described(value)
    if found == expected:  # the same kind in another version
        expected, found = (
            f"{name} of {module}"
            for name, module in (
                (expected, cls.__module__),
                (found, type(value).__module__),
            )
        )
    return EncodeError("", f"expected {expected}, found {found}")


def not_utf8(error: UnicodeEncodeError) -> EncodeError:
    """Return the error for a string that UTF-8 cannot hold."""
    return EncodeError(
        "",
        f"UTF-8 cannot hold character {error.start} of the string, half of a surrogate pair",
    )


def with_article(noun: str) -> str:
    """Return `a Pod`, `an Ingress`, `a User`, `an Upgrade`."""
    has_short_u = noun[:2] in ("Un", "Up") and noun[2:3] != "i"  # not as in Unit
    return f"an {noun}" if noun[:1] in "AEIOaeio" or has_short_u else f"a {noun}"


def _described(value: object) -> str:
    if value is None or type(value) is bool:
        return repr(value)
    if type(value) in (int, float):
        number = _number(value)  # type: ignore[arg-type]
        return f"an integer {number}" if number[0] == "o" else number
    if type(value) is str:
        return f"the string {shortened(value)}"
    if type(value) is bytes:
        return "bytes"
    return with_article(type(value).__name__)


def _number(value: float) -> str:
    if isinstance(value, int) and value.bit_length() > 4 * _SHOWN:
        return "of many digits"  # also keeps clear of Python's limit on int to str
    return str(value)


def rejecting_once(parse: Callable[[str], _T]) -> Callable[[str], _T]:
    """Return `parse`, which is not called again for the text that it rejected last.

    The extension leaves a document with an error to Python, which parses the same text again and reports the error.
    """
    last = ("", "")

    def parse_once(text: str) -> _T:
        nonlocal last
        rejected, problem = last  # one tuple, as other threads assign it, too
        if problem and text == rejected:
            raise ValueError(problem)
        try:
            return parse(text)
        except ValueError as error:
            last = text, str(error)
            raise

    return parse_once


def shortened(text: str) -> str:
    """Return the text in quotes for a message, shortened if it is long."""
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}…"


def counted(count: int, noun: str) -> str:
    """Return `1 element`, `2 elements`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
