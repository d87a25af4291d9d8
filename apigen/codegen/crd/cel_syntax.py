"""CEL expressions as trees, read from the library's parse result (`cel.expr.CheckedExpr`) with macros expanded."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.runtime.wire_reading import read_fields

_SCALARS = frozenset({1, 2, 3, 4})
"""The primitive types of `cel.expr.Type` of which every value counts as one: bool, int64, uint64, double."""
_MOMENTS = frozenset({2, 3})
"""The well-known types that are timestamps and durations."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal; `size` is the length of a text, and 1 for anything else. `number` is the value of an integer."""

    size: int
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Name:
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Select:
    """`operand.field`, or `has(operand.field)` if it is only a `test`."""

    operand: Expression
    field: str
    test: bool


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function or operator. `overloads` are those that the types of its arguments leave open."""

    function: str
    target: Expression | None
    arguments: tuple[Expression, ...]
    overloads: tuple[str, ...]
    is_scalar: bool


@dataclass(frozen=True, slots=True)
class ListOf:
    """`[item, …]`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class MapOf:
    """`{key: value, …}`, or a message, which has no keys."""

    keys: tuple[Expression, ...]
    values: tuple[Expression, ...]
    is_message: bool


@dataclass(frozen=True, slots=True)
class Comprehension:
    """The expansion of macros such as `all`, `exists`, `map` and `filter`: a loop with an accumulator."""

    variable: str
    second: str
    range: Expression
    accumulator: str
    start: Expression
    condition: Expression
    step: Expression
    result: Expression


Expression = Constant | Name | Select | Call | ListOf | MapOf | Comprehension


def parse(checked: bytes) -> Expression:
    """The tree of a serialized `cel.expr.CheckedExpr`, as the library packs it. Raises WireError for other bytes."""
    body = _members(checked).get(2, [b""])[0]
    members = _members(body)
    references = dict(_reference(entry) for entry in members.get(2, []))
    scalars = {number for number, is_scalar in map(_type, members.get(3, [])) if is_scalar}
    return _Parser(references, scalars).expression(members[4][0])


def _members(data: bytes) -> dict[int, list[bytes]]:
    """The fields of a message that are bytes, by number."""
    found: dict[int, list[bytes]] = {}
    for tag, number, body in read_fields(data):
        value = body if tag & 7 else number.to_bytes(10, "big")
        found.setdefault(tag >> 3, []).append(value)
    return found


def _number(members: dict[int, list[bytes]], field: int) -> int:
    return int.from_bytes(members[field][0], "big") if field in members else 0


def _text(members: dict[int, list[bytes]], field: int) -> str:
    return members[field][0].decode() if field in members else ""


def _reference(entry: bytes) -> tuple[int, tuple[str, ...]]:
    members = _members(entry)
    overloads = _members(members[2][0]).get(3, []) if 2 in members else []
    return _number(members, 1), tuple(each.decode() for each in overloads)


def _type(entry: bytes) -> tuple[int, bool]:
    members = _members(entry)
    type_ = _members(members[2][0]) if 2 in members else {}
    is_scalar = _number(type_, 3) in _SCALARS if 3 in type_ else 5 in type_ and _number(type_, 5) in _MOMENTS
    return _number(members, 1), is_scalar


class _Parser:
    def __init__(self, references: dict[int, tuple[str, ...]], scalars: set[int]) -> None:
        self._references = references
        self._scalars = scalars

    def expression(self, data: bytes) -> Expression:
        members = _members(data)
        form = next(number for number in members if number != 2)
        inner = _members(members[form][0]) if members[form][0] else {}
        match form:
            case 3:
                text = inner.get(6) or inner.get(7)
                size = 1 if not text else len(text[0].decode()) if 6 in inner else len(text[0])
                return Constant(size, _number(inner, 3) if 3 in inner else None)
            case 4:
                return Name(_text(inner, 1))
            case 5:
                return Select(self.expression(inner[1][0]), _text(inner, 2), bool(_number(inner, 3)))
            case 6:
                id_ = _number(members, 2)
                target = self.expression(inner[1][0]) if 1 in inner else None
                arguments = tuple(self._all(inner, 3))
                overloads = self._references.get(id_, ())
                return Call(_text(inner, 2), target, arguments, overloads, id_ in self._scalars)
            case 7:
                return ListOf(tuple(self._all(inner, 1)))
            case 8:
                entries = [_members(entry) for entry in inner.get(2, [])]
                keys = tuple(self.expression(entry[3][0]) for entry in entries if 3 in entry)
                values = tuple(self.expression(entry[4][0]) for entry in entries if 4 in entry)
                return MapOf(keys, values, 1 in inner)
            case _:
                parts = {number: self.expression(inner[number][0]) for number in (2, 4, 5, 6, 7)}
                names = (_text(inner, 1), _text(inner, 8), _text(inner, 3))
                return Comprehension(names[0], names[1], parts[2], names[2], parts[4], parts[5], parts[6], parts[7])

    def _all(self, members: dict[int, list[bytes]], field: int) -> Iterator[Expression]:
        return map(self.expression, members.get(field, []))
