"""Errors of validation, with the texts of Kubernetes: `spec.x: Required value`, `spec.y: Invalid value: 5: must be …`.

Types, texts and the way in which values are shown follow `k8s.io/apimachinery` (`pkg/util/validation/field` and
`pkg/api/validate`) as of July 2026. Where several texts were in use, the one of declarative validation is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from functools import cache

from .dataclasses import dataclass
from .enums import StrEnum
from .equality import semantic_equal, semantic_key
from .errors import counted
from .features import Features
from .field_paths import FieldPath

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from typing import Final, TypeAlias, TypeVar

    from .quantity import Quantity
    from .times import Duration

    K = TypeVar("K")
    V = TypeVar("V")


Shown: TypeAlias = (
    "None | bool | int | float | str | Quantity | Duration | Mapping[str, object]"
)
"""A value as an error shows it: plain, one that JSON has as text, or the keys of a list element."""


class ErrorType(StrEnum):
    """The type of an error; the value is the machine-readable reason of Kubernetes' status causes."""

    NOT_FOUND = "FieldValueNotFound"
    REQUIRED = "FieldValueRequired"
    DUPLICATE = "FieldValueDuplicate"
    INVALID = "FieldValueInvalid"
    NOT_SUPPORTED = "FieldValueNotSupported"
    FORBIDDEN = "FieldValueForbidden"
    TOO_LONG = "FieldValueTooLong"
    TOO_SHORT = "FieldValueTooShort"
    TOO_MANY = "FieldValueTooMany"
    TOO_FEW = "FieldValueTooFew"
    TYPE_INVALID = "FieldValueTypeInvalid"
    INTERNAL = "InternalError"


@cache
def _words() -> Mapping[ErrorType, str]:
    """Return the start of an error's text by type; a function, because the enum has no members before the first error."""
    return {
        ErrorType.NOT_FOUND: "Not found",
        ErrorType.REQUIRED: "Required value",
        ErrorType.DUPLICATE: "Duplicate value",
        ErrorType.INVALID: "Invalid value",
        ErrorType.NOT_SUPPORTED: "Unsupported value",
        ErrorType.FORBIDDEN: "Forbidden",
        ErrorType.TOO_LONG: "Too long",
        ErrorType.TOO_SHORT: "Too short",
        ErrorType.TOO_MANY: "Too many",
        ErrorType.TOO_FEW: "Too few",
        ErrorType.TYPE_INVALID: "Invalid value",
        ErrorType.INTERNAL: "Internal error",
    }


@cache
def _without_value() -> frozenset[ErrorType]:
    """The types of errors that do not show the value."""
    return frozenset(
        {
            ErrorType.REQUIRED,
            ErrorType.FORBIDDEN,
            ErrorType.TOO_LONG,
            ErrorType.TOO_SHORT,
            ErrorType.INTERNAL,
        }
    )


@dataclass(frozen=True, slots=True)
class FieldError:
    """An error in an object: its type, the path, the value, and a description.

    `keyword` is that of the violated constraint, as type definitions name it (`maximum`, `pattern`); empty for errors of
    other causes. Kubernetes has it as `Origin`.
    """

    type: ErrorType
    path: str
    value: Shown = None
    detail: str = ""
    keyword: str = ""

    def __str__(self) -> str:
        body = _words()[self.type]
        if self.type not in _without_value():
            body = f"{body}: {shown(self.value)}"
        return ": ".join(filter(None, (self.path, body, self.detail)))


@dataclass(frozen=True, slots=True)
class ValidationOptions:
    """The inputs of a validation, in addition to the object.

    `old` is the whole old object on an update and None on a creation. `allowed` names the enum values that are behind a
    gate and allowed now, because the gate is on or the old object has them already.
    """

    features: Features
    old: object = None
    allowed: Collection[str] = ()

    @property
    def updating(self) -> bool:
        """Return whether an object that exists is being changed."""
        return self.old is not None

    def allows(self, value: str) -> bool:
        """Return whether an enum value behind a gate (`RestartPolicy.OnTuesday`) is allowed."""
        return value in self.allowed


def required(path: FieldPath, detail: str = "") -> FieldError:
    """A required value is missing."""
    return FieldError(ErrorType.REQUIRED, str(path), None, detail)


def invalid(
    path: FieldPath, value: Shown, detail: str, keyword: str = ""
) -> FieldError:
    """The value breaks a rule."""
    return FieldError(ErrorType.INVALID, str(path), value, detail, keyword)


def too_small(
    path: FieldPath, value: float, minimum: float, *, exclusive: bool = False
) -> FieldError:
    """A number below the minimum, or equal to it if `exclusive`."""
    words = "greater than" if exclusive else "greater than or equal to"
    keyword = "exclusiveMinimum" if exclusive else "minimum"
    return invalid(path, value, f"must be {words} {shown(minimum)}", keyword)


def too_large(
    path: FieldPath, value: float, maximum: float, *, exclusive: bool = False
) -> FieldError:
    """A number above the maximum, or equal to it if `exclusive`."""
    words = "less than" if exclusive else "less than or equal to"
    keyword = "exclusiveMaximum" if exclusive else "maximum"
    return invalid(path, value, f"must be {words} {shown(maximum)}", keyword)


def not_multiple(path: FieldPath, value: float, step: float) -> FieldError:
    """A number that is not a multiple of `step`."""
    detail = f"must be a multiple of {shown(step)}"
    return invalid(path, value, detail, "multipleOf")


def not_matching(path: FieldPath, value: str, pattern: str) -> FieldError:
    """Text that does not match a pattern."""
    return invalid(path, value, f"must match the pattern '{pattern}'", "pattern")


def excluded(path: FieldPath, value: Shown, excluded_value: Shown) -> FieldError:
    """The one value that is not allowed."""
    return invalid(path, value, f"must not be equal to {shown(excluded_value)}", "not")


def type_invalid(path: FieldPath, value: Shown, detail: str) -> FieldError:
    """The value is of a type that the field cannot hold."""
    return FieldError(ErrorType.TYPE_INVALID, str(path), value, detail)


def not_supported(
    path: FieldPath, value: Shown, supported: Iterable[str]
) -> FieldError:
    """The value is not one of the values that an enum allows."""
    names = ", ".join(shown(name) for name in sorted(supported))
    return FieldError(
        ErrorType.NOT_SUPPORTED,
        str(path),
        value,
        f"supported values: {names}" if names else "",
    )


def not_found(path: FieldPath, value: Shown) -> FieldError:
    """The value refers to something that does not exist."""
    return FieldError(ErrorType.NOT_FOUND, str(path), value)


def duplicate(path: FieldPath, value: Shown) -> FieldError:
    """The value, or the keys of an element, occur more than once in the list."""
    return FieldError(ErrorType.DUPLICATE, str(path), value)


def forbidden(path: FieldPath, detail: str = "") -> FieldError:
    """A value that is fine in itself, but not here or not now."""
    return FieldError(ErrorType.FORBIDDEN, str(path), None, detail)


def too_long(path: FieldPath, limit: int) -> FieldError:
    """Text of more bytes than `limit`."""
    return FieldError(
        ErrorType.TOO_LONG,
        str(path),
        None,
        f"may not be more than {counted(limit, 'byte')}",
        "maxBytes",
    )


def too_long_characters(path: FieldPath, limit: int) -> FieldError:
    """Text of more characters than `limit`."""
    return FieldError(
        ErrorType.TOO_LONG,
        str(path),
        None,
        f"may not be more than {counted(limit, 'character')}",
        "maxLength",
    )


def too_short(path: FieldPath, limit: int) -> FieldError:
    """Text of fewer characters than `limit`."""
    return FieldError(
        ErrorType.TOO_SHORT,
        str(path),
        None,
        f"must be at least {counted(limit, 'character')}",
        "minLength",
    )


def too_many(path: FieldPath, actual: int, limit: int) -> FieldError:
    """A list or map of more entries than `limit`."""
    return FieldError(
        ErrorType.TOO_MANY,
        str(path),
        actual,
        f"must have at most {counted(limit, 'item')}",
        "maxItems",
    )


def too_few(path: FieldPath, actual: int, limit: int) -> FieldError:
    """A list or map of fewer entries than `limit`."""
    return FieldError(
        ErrorType.TOO_FEW,
        str(path),
        actual,
        f"must have at least {counted(limit, 'item')}",
        "minItems",
    )


def internal_error(path: FieldPath, detail: str) -> FieldError:
    """An internal error, which the client did not cause."""
    return FieldError(ErrorType.INTERNAL, str(path), None, detail)


def gated(path: FieldPath, value: str, condition: str) -> FieldError:
    """An enum value behind a gate that is off."""
    return invalid(path, value, f"only allowed if {condition}")


def immutable(path: FieldPath) -> FieldError:
    """The value changed, was set or was cleared, and must not be."""
    return invalid(path, None, "field is immutable")


def set_later(path: FieldPath) -> FieldError:
    """The value was unset on creation, and may not be set later."""
    return invalid(path, None, "field cannot be set once created")


def cleared(path: FieldPath) -> FieldError:
    """A value that must not be removed was removed."""
    return invalid(path, None, "field cannot be cleared once set")


def modified(path: FieldPath) -> FieldError:
    """The value was set, and may not be changed."""
    return invalid(path, None, "field cannot be modified once set")


def decreased(path: FieldPath, value: int, old: int) -> FieldError:
    """The number may only grow."""
    return invalid(path, value, f"may not be decreased from {old}")


def item_added(path: FieldPath) -> FieldError:
    """The element or entry is new, and none may be added."""
    return forbidden(path, "item may not be added")


def item_removed(path: FieldPath) -> FieldError:
    """An element or entry that must not be removed was removed."""
    return forbidden(path, "item may not be removed")


def union_errors(
    path: FieldPath,
    now: Mapping[str, bool],
    before: Mapping[str, bool] | None,
    *,
    optional: bool = False,
) -> Iterator[FieldError]:
    """Validate fields of which exactly one must be set, or at most one if `optional`.

    `now`: whether each member is set, `before`: whether it was set in the old object (`None` without one). A
    union of which the same members are set as before is not validated again.
    """
    if now == before:
        return
    names = [name for name, is_set in now.items() if is_set]
    members = ", ".join(f"`{name}`" for name in now)
    if len(names) > 1:
        how = "at most one of" if optional else "exactly one of"
        yield invalid(path, f"{{{', '.join(names)}}}", f"must specify {how}: {members}")
    if not names and not optional:
        yield invalid(path, "", f"must specify one of: {members}")


def discriminated_union_errors(
    path: FieldPath,
    discriminator: str,
    members: Mapping[str, str],
    now: tuple[str | None, Mapping[str, bool]],
    before: tuple[str | None, Mapping[str, bool]] | None,
    *,
    optional: bool = False,
) -> Iterator[FieldError]:
    """Validate fields of which the one that the discriminator names must be set, or none if `optional`.

    `members` has the discriminator's value of each member; `now` and `before` are the discriminator and which members are
    set. Values of the discriminator without a member are not validated here.
    """
    if now == before:
        return
    value, is_set = now
    for name, expected in members.items():
        if is_set[name] and value != expected:
            yield invalid(
                path.child(name),
                "",
                f"may only be specified when `{discriminator}` is {shown(expected)}",
            )
        elif not is_set[name] and value == expected and not optional:
            yield invalid(
                path.child(name),
                "",
                f"must be specified when `{discriminator}` is {shown(expected)}",
            )


def first_by(items: Iterable[V] | None, key: Callable[[V], K]) -> dict[K, V]:
    """The elements of a list by key, the first of each; the elements of an old list that new ones are paired with."""
    found: dict[K, V] = {}
    for item in items or ():
        found.setdefault(key(item), item)
    return found


def unpaired(
    items: Iterable[V] | None, others: Iterable[V] | None, key: Callable[[V], Hashable]
) -> Iterator[tuple[int, V]]:
    """Yield the elements of a list, with their index, whose key does not occur in another list."""
    keys = {key(other) for other in others or ()}
    return ((i, item) for i, item in enumerate(items or ()) if key(item) not in keys)


def repeated(
    items: Iterable[V], key: Callable[[V], Hashable]
) -> Iterator[tuple[int, V]]:
    """Yield the elements, with their index, whose key occurred before in the same list."""
    seen = set()
    for index, item in enumerate(items):
        identity = key(item)
        if identity in seen:
            yield index, item
        seen.add(identity)


def repeated_values(items: Iterable[V]) -> Iterator[tuple[int, V]]:
    """Yield the elements, with their index, that are semantically equal to an earlier one; for values without a hash."""
    seen: dict[Hashable, list[V]] = {}
    for index, item in enumerate(items):
        alike = seen.setdefault(semantic_key(item), [])
        if any(semantic_equal(item, other) for other in alike):
            yield index, item
        else:
            alike.append(item)


def shown(value: Shown) -> str:
    """Return a value in the form of Go's errors: strings quoted, `null` for None, other values as JSON."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _number(value)
        case str():
            return _quoted(value)
        case _:
            import json

            return json.dumps(
                value, ensure_ascii=False, separators=(",", ":"), default=str
            )


def _number(value: float) -> str:
    """Return a float as Go's `%v` prints it: shortest, with an exponent only if it is very large or small."""
    if value == 0 or not 1e-4 <= abs(value) < 1e21:
        return f"{value!r}".removesuffix(".0")
    from decimal import Decimal

    return f"{Decimal(repr(value)):f}".removesuffix(".0")


def _quoted(text: str) -> str:
    """`text` as Go's `%q` prints it."""
    return (
        '"'
        + "".join(
            _ESCAPES.get(c) or (c if c.isprintable() else _escaped(c)) for c in text
        )
        + '"'
    )


_ESCAPES: Final = {
    '"': '\\"',
    "\\": "\\\\",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}


def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
