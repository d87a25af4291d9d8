"""The maximum cost of a CEL rule, as the API server estimates it before it accepts a CustomResourceDefinition.

The estimate is that of cel-go's `checker.Cost` with the functions of Kubernetes 1.36, from the sizes that a schema allows. Where
the type of a value is not known, the most expensive meaning counts, so that no estimate is below that of the API server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil

from apigen.codegen.json_schema.backend import Schema
from apigen.dataclass import dataclass, field
from apigen.language.json_values import JsonValue
from apigen.runtime.rules import names_in_rules
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


COST_LIMIT = 10_000_000
"""Maximum cost of a rule: its cost per evaluation times the number of values on which it is evaluated."""

TOTAL_LIMIT = 100_000_000
"""Maximum cost of all rules of a version."""

LARGEST_REQUEST = 3 * 1024 * 1024
"""Bytes of a request that the API server reads."""

_MOST = 2**64 - 1
"""A size or a cost that is not known; no sum or product is greater."""
_SMALLEST = {"boolean": 4, "number": 1, "integer": 1, "string": 2, "array": 2}
_SMALLEST_TEXTS = {"duration": 3, "date": 12, "date-time": 21}
_MOST_TEXT = {"duration": 32, "date": 12, "date-time": 32}
_LISTS = frozenset({"isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"})
_TRAVERSED = frozenset({"url", "jsonpatch.escapeKey", "lowerAscii", "upperAscii", "substring", "trim"})
_PARSED = frozenset({"cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver"})
_COMPARED = frozenset({"_<_", "_<=_", "_>_", "_>=_"})
_CONTAINED = {"containsIP": 4, "containsCIDR": 7}
"""The cost of comparing addresses, in addition to that of parsing one."""
_SETS = {"sets.contains": 1, "sets.intersects": 1, "sets.equivalent": 2}
"""The number of comparisons of each item of one list with each item of the other."""
_NAME_FORMAT = 128
"""Characters of the longest pattern of `format.named`, by which a text is validated."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes that a schema allows: maximum elements or bytes of a value, minimum bytes of its JSON, and those of
    its parts.
    """

    most: int = 0
    least_bytes: int = 2
    fields: Mapping[str, Sizes] = field(default_factory=dict)
    items: Sizes | None = None
    is_map: bool = False
    is_object: bool = False


def sizes_of(schema: Schema, *, is_root: bool = False) -> Sizes | None:
    """Return the maximum sizes of values of a structural schema; None for values that no rule can read."""
    if schema.get("x-kubernetes-int-or-string"):
        return Sizes(_text_limit(schema), 1)
    type_ = schema.get("type")
    if type_ == "array":
        items = schema.get("items")
        inner = sizes_of(items) if isinstance(items, dict) else None
        if inner is None:
            return None
        return Sizes(_bound(schema, "maxItems", (LARGEST_REQUEST - 2) // (inner.least_bytes + 1)), 2, items=inner)
    if type_ == "object":
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            inner = sizes_of(values)
            if inner is None:
                return None
            most = _bound(schema, "maxProperties", (LARGEST_REQUEST - 2) // (inner.least_bytes + 6))
            return Sizes(most, 2, items=inner, is_map=True)
        return _object(schema, is_root or bool(schema.get("x-kubernetes-embedded-resource")))
    if type_ == "string":
        form = str(schema.get("format"))
        if form in _MOST_TEXT:
            return Sizes(_MOST_TEXT[form], _SMALLEST_TEXTS[form])
        if form == "byte":
            return Sizes(_bound(schema, "maxLength", LARGEST_REQUEST - 2), 2)
        return Sizes(_text_limit(schema), 2)
    return Sizes(0, _SMALLEST[str(type_)]) if type_ in _SMALLEST else None


def _object(schema: Schema, is_root: bool) -> Sizes:
    properties, required = schema.get("properties"), schema.get("required")
    named: dict[str, JsonValue] = dict(properties) if isinstance(properties, dict) else {}
    if is_root:
        text: Schema = {"type": "string"}
        metadata: Schema = {"type": "object", "properties": {"name": text, "generateName": text}}
        named |= {"kind": text, "apiVersion": text, "metadata": metadata}
    fields: dict[str, Sizes] = {}
    least = 2
    for name, each in named.items():
        assert isinstance(each, dict)
        sizes = sizes_of(each)
        if sizes is not None:
            fields |= dict.fromkeys(names_in_rules(name), sizes)
            if isinstance(required, list) and name in required and each.get("default") is None:
                least += len(name.encode()) + sizes.least_bytes + 4
    return Sizes(0, least, fields, is_object=True)


def _bound(schema: Schema, word: str, otherwise: int) -> int:
    found = schema.get(word)
    return max(found, 0) if isinstance(found, int) else otherwise


def _text_limit(schema: Schema) -> int:
    """The most bytes of a text: a character has up to four."""
    if "maxLength" in schema:
        return _bound(schema, "maxLength", 0) * 4
    values = schema.get("enum")
    if isinstance(values, list) and values:
        return max(len(str(value).encode()) for value in values)
    return LARGEST_REQUEST - 2


@dataclass(frozen=True, slots=True)
class _Value:
    """An expression: its cost, the size of its value, the sizes at its place in the object, and those of keys and
    values.
    """

    cost: int
    size: int = _MOST
    place: Sizes | None = None
    keys: int | None = None
    values: int | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """The maximum cost of one evaluation of a rule, and the first field that it reads although the schema does
    not have it; empty without one.
    """

    cost: int
    unseen: str = ""


def estimated(expression: Expression, self_: Sizes) -> Estimate:
    """The estimate of a rule about a value of these sizes."""
    value = _Value(0, self_.most, self_)
    coster = _Coster(value)
    cost = min(coster.value(expression, {"self": value, "oldSelf": value}).cost, _MOST)
    return Estimate(cost, coster.unseen)


def _times(one: int, other: int) -> int:
    return min(one * other, _MOST)


def _tenth(size: int) -> int:
    """Return the cost of reading a string."""
    return min(ceil(size / 10) if size < 2**50 else size, _MOST)


class _Coster:
    """Computes the cost of a rule. `root` is `self`; like the API server, its size is used for fields that are not found in it."""

    def __init__(self, root: _Value) -> None:
        self._root = root
        self.unseen = ""
        """The first field that the rule reads although the schema does not declare it."""

    def value(self, expression: Expression, variables: Mapping[str, _Value]) -> _Value:
        match expression:
            case Constant(size):
                return _Value(0, size)
            case Name(name):
                known = variables.get(name, self._root)
                return _Value(1, known.size, known.place, known.keys, known.values)
            case Select(operand, name, test):
                operand_value = self.value(operand, variables)
                place = None if operand_value.place is None else operand_value.place.fields.get(name)
                if operand_value.place is not None and operand_value.place.is_object and place is None:
                    self.unseen = self.unseen or name
                if test:
                    return _Value(operand_value.cost, 1)
                if operand_value.place is not None and operand_value.place.is_map:
                    place = operand_value.place.items
                size = _MOST if place is None else place.most
                return _Value(
                    operand_value.cost + 1,
                    operand_value.values if place is None and operand_value.values is not None else size,
                    place,
                )
            case ListOf(items):
                each = [self.value(item, variables) for item in items]
                most = max((one.size for one in each), default=0)
                return _Value(10 + sum(one.cost for one in each), len(items), None, 1, most)
            case MapOf(keys, values, is_message):
                names = [self.value(key, variables) for key in keys]
                value_costs = [self.value(each_value, variables) for each_value in values]
                cost = (40 if is_message else 30) + sum(one.cost for one in (*names, *value_costs))
                sizes = (max((one.size for one in group), default=0) for group in (names, value_costs))
                return _Value(cost, len(values), None, *sizes)
            case Comprehension():
                return self._comprehension(expression, variables)
            case Call():
                return self._call(expression, variables)

    def _comprehension(self, loop: Comprehension, variables: Mapping[str, _Value]) -> _Value:
        range_ = self.value(loop.range, variables)
        start = self.value(loop.start, variables)
        inner = {**variables, loop.accumulator: start}
        if isinstance(loop.range, ListOf) and not loop.range.items and not loop.accumulator.startswith(("@", "__")):
            result = self.value(loop.result, inner)  # cel.bind: the loop is never run
            return _Value(range_.cost + start.cost + result.cost, result.size, result.place, result.keys, result.values)
        is_map = range_.place is not None and range_.place.is_map
        body = {**inner, loop.variable: self._element(range_, is_key=bool(loop.second) or is_map)}
        if loop.second:
            body[loop.second] = self._element(range_, is_key=False)
        step = self.value(loop.step, body)
        each = self.value(loop.condition, body).cost + step.cost
        result = self.value(loop.result, inner)
        cost = min(range_.cost + start.cost + result.cost + _times(range_.size, each), _MOST)
        if isinstance(loop.start, ListOf | MapOf):
            return _Value(cost, range_.size, None, step.keys, step.values)
        return _Value(cost, start.size)

    def _element(self, holder: _Value, *, is_key: bool) -> _Value:
        """Return an item or value of a list or map, or a key, without a known size."""
        if holder.place is None:
            return self._root
        if is_key:
            return _Value(0, 0 if holder.place.is_map else _MOST)
        items = holder.place.items
        return _Value(0) if items is None else _Value(0, items.most, items)

    def _call(self, call: Call, variables: Mapping[str, _Value]) -> _Value:
        target = None if call.target is None else self.value(call.target, variables)
        arguments = [self.value(argument, variables) for argument in call.arguments]
        before = sum(each.cost for each in arguments) + (0 if target is None else target.cost)
        operands = ([] if target is None else [target]) + arguments
        function = call.function
        if function in ("_&&_", "_||_"):
            return _Value(before, 1)
        if function == "_?_:_":
            return _either(arguments)
        if function == "_[_]" or function == "_[?_]":
            item = self._element(operands[0], is_key=False)
            size = item.size if operands[0].values is None else operands[0].values
            return _Value(before + 1, size, item.place)
        if function == "dyn":
            one = arguments[0]
            return _Value(before + 1, one.size, one.place, one.keys, one.values)
        if function == "_+_":
            return _sum(arguments, call.is_scalar, before)
        own, size = _own_cost(function, operands, call)
        return _Value(min(before + own, _MOST), 1 if call.is_scalar else size)


def _own_cost(function: str, operands: list[_Value], call: Call) -> tuple[int, int]:
    """Return the cost of a call without its arguments, and the size of its result."""
    first = operands[0].size if operands else 0
    second = operands[1].size if len(operands) > 1 else 0
    own, size = 1, _MOST
    if function in ("_==_", "_!=_"):
        own, size = _tenth(min(first, second)), 1
    elif function in _COMPARED:
        own, size = max(_tenth(min(first, second)), 1), 1
    elif function in ("@in", "_in_", "in"):
        place = operands[1].place
        own, size = (1 if place is not None and place.is_map else max(second, 1)), 1
    elif function in ("startsWith", "endsWith"):
        own, size = _tenth(second), 1
    elif function == "contains":
        own, size = _times(_tenth(first), _tenth(second)), 1
    elif function in ("matches", "find", "findAll"):
        own, size = _times(_tenth(first + 1), ceil(second / 4)), first
    elif function in _LISTS:
        place = operands[0].place
        is_text = function.endswith("ndexOf") and place is not None and place.items is None
        own = _tenth(first) if is_text else _times(first, 1 + _tenth(_item_size(operands[0])))
    elif function in _TRAVERSED:
        own, size = _tenth(first), first
    elif function in ("string", "bytes", "strings.quote"):
        own, size = max(_tenth(first), 1), _times(first, 4) + 2
    elif function in ("replace", "split"):
        own = _tenth(2 * first)
        size = _replaced(operands, call) if function == "replace" else _parts(first, call)
    elif function == "join":
        own, size = _joined(operands)
    elif function in _CONTAINED:
        own = _CONTAINED[function] + _tenth(second)
    elif function == "ip.isCanonical":
        own = _tenth(2 * first)
    elif function in _SETS:
        own, size = 1 + _times(_SETS[function], _times(first, second)), 1
    elif function == "validate":
        own = _times(_tenth(second), _NAME_FORMAT // 4)
    elif function in _PARSED or function == "format":
        own = max(_tenth(first), 1)
    return min(own, _MOST), size


def _replaced(operands: list[_Value], call: Call) -> int:
    """The length of a text in which something is replaced."""
    text, new = operands[0].size, operands[2].size if len(operands) > 2 else 0
    old = call.arguments[0]
    least = old.size if isinstance(old, Constant) else 0
    if not least:
        return min(_times(text + 1, new) + text, _MOST)
    return text if new <= least else _times(ceil(text / least), new)


def _parts(most: int, call: Call) -> int:
    """Return the maximum number of parts into which a string is split."""
    limit = call.arguments[1] if len(call.arguments) > 1 else None
    return limit.number if isinstance(limit, Constant) and limit.number is not None else most


def _joined(operands: list[_Value]) -> tuple[int, int]:
    most = _times(operands[0].size, _item_size(operands[0]))
    if len(operands) > 1:
        most = min(most + _times(operands[0].size, operands[1].size), _MOST)
    return _tenth(most), most


def _either(arguments: list[_Value]) -> _Value:
    test, one, other = arguments
    keys = None if one.keys is None or other.keys is None else max(one.keys, other.keys)
    values = None if one.values is None or other.values is None else max(one.values, other.values)
    return _Value(test.cost + max(one.cost, other.cost), max(one.size, other.size), None, keys, values)


def _sum(arguments: list[_Value], is_scalar: bool, before: int) -> _Value:
    one, other = arguments
    if is_scalar:
        return _Value(before + 1, 1)
    size = min(one.size + other.size, _MOST)
    keys = None if one.keys is None or other.keys is None else max(one.keys, other.keys)
    values = None if one.values is None or other.values is None else max(one.values, other.values)
    is_list = keys is not None or any(each.place is not None and each.place.items is not None for each in arguments)
    return _Value(min(before + (1 if is_list else max(_tenth(size), 1)), _MOST), size, None, keys, values)


def _item_size(value: _Value) -> int:
    """Return the size of the items of a list, over which a list function iterates."""
    if value.place is not None and value.place.items is not None:
        return value.place.items.most
    return _MOST if value.values is None else value.values
