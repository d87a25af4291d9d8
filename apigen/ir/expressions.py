"""Conversions as trees: of values between two types, expressions and tests, and the statements that run after all fields
have their values.

Nothing here is of a programming language: fields are those of the IR, functions those of the run-time library.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from apigen.dataclass import dataclass
from apigen.ir.model import (
    INTEGER_RANGES,
    EnumType,
    Field,
    FieldPath,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnownType,
    is_nullable,
    is_text,
    optional_parents,
    underlying,
)
from apigen.ir.places import BoundComparison, BoundStep
from apigen.language.model import Condition


class Sharing(Enum):
    """The parts of a value that may be shared with the source, if the caller allows it: all, nested values, or nothing."""

    ALL = auto()
    BELOW = auto()
    NOTHING = auto()


@dataclass(frozen=True, slots=True)
class Same:
    """An immutable value, which is used unchanged."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A number whose types have different ranges: it is checked if the target type is narrower, and never truncated."""

    version: Scalar
    hub: Scalar


@dataclass(frozen=True, slots=True)
class Copied:
    """A struct that versions and hubs share: of a group without hub, or of another release series."""

    type: TypeId


@dataclass(frozen=True, slots=True)
class Converted:
    """A struct of a version that is another one in the hub."""

    version: TypeId
    hub: TypeId


@dataclass(frozen=True, slots=True)
class EachItem:
    """A list, item by item."""

    item: ValueConversion


@dataclass(frozen=True, slots=True)
class EachValue:
    """A map, value by value."""

    value: ValueConversion


@dataclass(frozen=True, slots=True)
class UnlessNone:
    """An element that may be `None`, such as a named list that is a message of its own."""

    inner: ValueConversion


ValueConversion = Same | Narrowed | Copied | Converted | EachItem | EachValue | UnlessNone

_FLOATS = (Scalar.FLOAT32, Scalar.FLOAT64)


def unwrapped(value: EachItem | EachValue | UnlessNone) -> ValueConversion:
    """Return the conversion of the elements, one level down."""
    return value.item if isinstance(value, EachItem) else value.value if isinstance(value, EachValue) else value.inner


def innermost(value: ValueConversion) -> ValueConversion:
    """Return the conversion of the innermost elements of a list or map."""
    return elements(value)[1]


def elements(value: ValueConversion) -> tuple[str, ValueConversion]:
    """Return a `[]` for each level of lists and maps, and the conversion of the innermost elements."""
    brackets = ""
    while isinstance(value, EachItem | EachValue | UnlessNone):
        brackets += "" if isinstance(value, UnlessNone) else "[]"
        value = unwrapped(value)
    return brackets, value


def value_conversion(version: Type, hub: Type, hub_of: Mapping[TypeId, TypeId]) -> ValueConversion | None:
    """Return the conversion of values of a version's type to a hub's type and back; None if no checked one exists.

    Strings, enums and named strings convert to each other; integers to integers and floats to floats, range-checked; a
    struct to itself and its own hub type. Nothing is matched by position, and nothing is truncated.
    """
    version, hub = underlying(version), underlying(hub)
    if is_text(version) and is_text(hub):
        return Same()
    match version, hub:
        case ScalarType(a), ScalarType(b):
            return _scalars(a, b)
        case WellKnownType(known), WellKnownType(other):
            return Same() if known == other else None
        case ListType(item), ListType(hub_item):
            inner = _element(item, hub_item, hub_of)
            return EachItem(inner) if inner else None
        case MapType(_, value), MapType(_, hub_value):
            inner = _element(value, hub_value, hub_of)
            return EachValue(inner) if inner else None
        case StructType(a), StructType(b):
            if a == b:
                return Copied(a)
            return Converted(a, b) if hub_of.get(a, a) == b else None
    return None


def _element(version: Type, hub: Type, hub_of: Mapping[TypeId, TypeId]) -> ValueConversion | None:
    inner = value_conversion(version, hub, hub_of)
    if inner is None or inner == Same():
        return inner
    return UnlessNone(inner) if is_nullable(version) else inner


def _scalars(version: Scalar, hub: Scalar) -> ValueConversion | None:
    if version == hub:
        return Same()
    if (version in INTEGER_RANGES and hub in INTEGER_RANGES) or (version in _FLOATS and hub in _FLOATS):
        return Narrowed(version, hub)
    return None


def hub_type(type_: Type, hub_of: Mapping[TypeId, TypeId]) -> Type:
    """The hub's type for a version's type: the same expression over hub types."""
    match type_:
        case StructType(id_):
            return StructType(hub_of[id_]) if id_ in hub_of else type_
        case EnumType(id_):
            return EnumType(hub_of.get(id_, id_))
        case ListType(item):
            return ListType(hub_type(item, hub_of))
        case MapType(key, value):
            return MapType(hub_type(key, hub_of), hub_type(value, hub_of))
        case ScalarType() | WellKnownType():
            return type_
    return type(type_)(hub_of.get(type_.id, type_.id), hub_type(type_.target, hub_of), type_.nullable)


def narrows(from_: Scalar, to: Scalar) -> bool:
    """Return whether some value of `from_` does not fit `to`."""
    if from_ in INTEGER_RANGES and to in INTEGER_RANGES:
        return INTEGER_RANGES[from_][0] < INTEGER_RANGES[to][0] or INTEGER_RANGES[from_][1] > INTEGER_RANGES[to][1]
    return from_ is Scalar.FLOAT64 and to is Scalar.FLOAT32


@dataclass(frozen=True, slots=True)
class Variable:
    """A named value in the scope of the expression."""

    name: str


@dataclass(frozen=True, slots=True)
class Member:
    """The field of a struct."""

    of: Expression
    field: Field


@dataclass(frozen=True, slots=True)
class Element:
    """The element of a list at an index, or the value of a key of a map; it exists."""

    of: Expression
    index: int | str


@dataclass(frozen=True, slots=True)
class Entry:
    """The value of a key of a map, which may be absent unless `is_present`; `otherwise` is the value without the map or
    the key.
    """

    of: Expression
    key: str
    is_present: bool = False
    otherwise: str | None = None


@dataclass(frozen=True, slots=True)
class Literal:
    """A plain value."""

    value: None | bool | int | float | str


@dataclass(frozen=True, slots=True)
class Typed:
    """A plain value as one of a type, such as a quantity."""

    value: None | bool | int | float | str
    type: Type


@dataclass(frozen=True, slots=True)
class Zero:
    """The zero value of a type."""

    type: Type
    can_be_none: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """A new struct with a value in one field."""

    type: StructType
    field: Field
    value: Expression


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of these elements."""

    elements: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class TupleOf:
    """Several values."""

    elements: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Appended:
    """A new list: the elements of a list, none if it is `None`, and one more."""

    list: Expression
    element: Expression
    can_be_none: bool


@dataclass(frozen=True, slots=True)
class Convert:
    """The conversion of a value of one side, which is not `None`, to the other side; errors contain its `path`.

    `sharing`: the parts of the value that the result may share, if the caller allows it; None: the parts that the target
    of the assignment allows. `reverse`: the conversion is that of the other direction of the function.
    """

    value: Expression
    conversion: ValueConversion
    path: str = ""
    sharing: Sharing | None = Sharing.ALL
    reverse: bool = False


@dataclass(frozen=True, slots=True)
class FromJson:
    """The value of JSON text of the type `wire`, converted to the other side; `path` leads to the text, for errors."""

    text: Expression
    wire: Type
    conversion: ValueConversion
    path: str


@dataclass(frozen=True, slots=True)
class ToJson:
    """JSON text of the type `wire` of a value of the other side; `path` leads to the value, for errors."""

    value: Expression
    wire: Type
    conversion: ValueConversion
    path: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list of the entries of a map, in order of their keys.

    Each entry's value, converted, is the field `member` of an `item` (or, without `member`, the item itself), whose field
    `key` is the entry's key.
    """

    source: Expression
    item: TypeId
    key: Field
    member: Field | None
    conversion: ValueConversion
    path: str


@dataclass(frozen=True, slots=True)
class Entries:
    """The opposite of `Items`: a map of the items of a list.

    Of items with equal keys, the map contains the `last` or the `first`, as `duplicates` declares, or they are an `error`.
    `absent` is the value of an item whose member is unset.
    """

    source: Expression
    key: Field
    member: Field | None
    conversion: ValueConversion
    path: str
    duplicates: str
    absent: Typed | None = None


@dataclass(frozen=True, slots=True)
class Renamed:
    """A string, or its replacement."""

    value: Expression
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A value as text."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function of the run-time library."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Two values, calculated with `*`, `//`, `%` or `+`."""

    left: Expression
    operator: str
    right: Expression


@dataclass(frozen=True, slots=True)
class Choice:
    """One value if a test is true, otherwise another one."""

    test: Test
    value: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class OrElse:
    """The first of two values, or the second one if the first is zero, empty or `None`."""

    value: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class First:
    """A value of the first (or last) element of a list that passes a test, `None` without one; `item` is the element."""

    source: Expression
    value: Expression
    test: Test
    last: bool = False


@dataclass(frozen=True, slots=True)
class Here:
    """The value at the end of the steps of `Holds`."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The values of one field of all elements of a list; `sorted`: each once, in order."""

    source: Expression
    field: Field
    sorted: bool = False


@dataclass(frozen=True, slots=True)
class IsNone:
    """A value is `None`."""

    value: Expression


@dataclass(frozen=True, slots=True)
class IsZero:
    """The value of a field is zero, which is `None` if the field can be `None`."""

    value: Expression
    field: Field


@dataclass(frozen=True, slots=True)
class IsTrue:
    """A value, or the result of a function, is true or not empty."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Truth:
    """Whether a value is true or not empty, as a value of its own."""

    value: Expression


@dataclass(frozen=True, slots=True)
class IsOf:
    """A value that may be a number or text is the one or the other."""

    value: Expression
    scalar: Scalar


@dataclass(frozen=True, slots=True)
class Compared:
    """Two values, compared with `==`, `!=` or `<`."""

    left: Expression
    operator: str
    right: Expression


@dataclass(frozen=True, slots=True)
class IsWithin:
    """A number is not below `low` and not above `high`."""

    low: int
    value: Expression
    high: int


@dataclass(frozen=True, slots=True)
class IsOneOf:
    """A value is one of several texts."""

    value: Expression
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HasKey:
    """A map, which may be absent unless `is_present`, has a key."""

    map: Expression
    key: str
    is_present: bool = False


@dataclass(frozen=True, slots=True)
class Not:
    """A test is false."""

    test: Test


@dataclass(frozen=True, slots=True)
class Both:
    """All tests are true; later tests may use values that exist if the earlier ones are true."""

    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one test is true."""

    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """A test is true for an element of a list or map, called `variable`; the list may be `None` if `can_be_none`."""

    source: Expression
    variable: str
    test: Test
    in_map: bool = False
    can_be_none: bool = False


@dataclass(frozen=True, slots=True)
class Holds:
    """A test is true for the value at the end of steps from a variable, called `Here`; for any value, if there are
    several.
    """

    root: str
    steps: tuple[BoundStep, ...]
    test: Test


@dataclass(frozen=True, slots=True)
class IsSet:
    """A value counts as set, by its type."""

    value: Expression
    type: Type
    can_be_none: bool


@dataclass(frozen=True, slots=True)
class IsSelected:
    """An element of a list is one of a selection."""

    item: str
    comparisons: tuple[BoundComparison, ...]


@dataclass(frozen=True, slots=True)
class Meets:
    """The version's object, in a variable, meets a condition of the spec."""

    root: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class Agree:
    """Both tests are true, or both are false."""

    first: Test
    second: Test


Test = (
    IsNone
    | IsZero
    | IsTrue
    | Truth
    | IsOf
    | Compared
    | IsWithin
    | IsOneOf
    | HasKey
    | Not
    | Both
    | Either
    | Some
    | Holds
    | IsSet
    | IsSelected
    | Meets
    | Agree
    | Choice
    | Literal
)
"""Expressions that are true or false."""

Expression = (
    Variable
    | Member
    | Element
    | Entry
    | Typed
    | Zero
    | Made
    | ListOf
    | TupleOf
    | Appended
    | Convert
    | FromJson
    | ToJson
    | Items
    | Entries
    | Renamed
    | Text
    | Call
    | Arithmetic
    | OrElse
    | First
    | Here
    | Keys
    | Test
)
"""All expressions; the value of a test is true or false."""


def at(root: str, path: FieldPath) -> Expression:
    """Return the value at a path of the object in a variable."""
    value: Expression = Variable(root)
    for field in path:
        value = Member(value, field)
    return value


def negated(test: Test) -> Test:
    """Return the negation of a test."""
    return test.test if isinstance(test, Not) else Not(test)


def are_set(root: str, *paths: FieldPath) -> tuple[Test, ...]:
    """Return tests that are true if the values at these paths are not `None`."""
    return tuple(Not(IsNone(at(root, path))) for path in paths)


def guards(root: str, path: FieldPath) -> tuple[Test, ...]:
    """Return tests that are true if no parent of a path is `None`."""
    return are_set(root, *optional_parents(path))


def converted(
    value: Expression,
    conversion: ValueConversion,
    *,
    to_hub: bool,
    path: str = "",
    sharing: Sharing | None = Sharing.ALL,
    reverse: bool = False,
) -> Expression:
    """Return the conversion of a value of one side, which is not `None`, to the other side; the value itself if both
    are equal.
    """
    match conversion:
        case Same():
            return value
        case Narrowed(version, hub) if not (narrows(version, hub) if to_hub else narrows(hub, version)):
            return value
    return Convert(value, conversion, path, sharing, reverse)


def unless_none(value: Expression, if_set: Expression) -> Expression:
    """Return the expression `if_set` for a value that is not `None`, and `None` otherwise."""
    return if_set if if_set == value else Choice(IsNone(value), Literal(None), if_set)


def variables(tree: object) -> frozenset[str]:
    """The variables that an expression or test is about."""
    match tree:
        case Variable(name):
            return frozenset([name])
        case Holds(root, _, test):
            return variables(test) | {root}
        case Meets(root):
            return frozenset([root])
        case tuple():
            return frozenset[str]().union(*map(variables, tree))
    slots = getattr(type(tree), "__match_args__", ())
    own = type(tree).__module__ == __name__
    return frozenset[str]().union(*(variables(getattr(tree, name)) for name in slots)) if own else frozenset()


@dataclass(frozen=True, slots=True)
class Set:
    """A place, or a variable, gets a value."""

    place: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Build:
    """Set optional parents of a path that are `None` to empty structs."""

    root: str
    path: FieldPath


@dataclass(frozen=True, slots=True)
class When:
    """Statements for the case that all tests are true, and for the other case."""

    tests: tuple[Test, ...]
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class AtEach:
    """Statements for each value at the end of steps, which they call `Here`; with `present`, it is not `None`."""

    root: str
    steps: tuple[BoundStep, ...]
    statements: tuple[Statement, ...]
    present: bool = True


@dataclass(frozen=True, slots=True)
class Attempt:
    """Statements that may fail to read a value: that is ignored, or an error of the conversion."""

    statements: tuple[Statement, ...]
    is_ignored: bool


Statement = Set | Build | When | AtEach | Attempt
