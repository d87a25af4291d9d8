"""Expression trees of conversions, and of the conditions in tests of them.

Nothing here is of a programming language: fields are those of the IR, functions those of the run-time library.
"""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.ir.field_paths import FieldPath, optional_parents
from apigen.ir.model import Field
from apigen.ir.places import BoundComparison, BoundStep
from apigen.ir.types import Scalar, StructType, Type, TypeId
from apigen.ir.value_conversions import Narrowed, Same, Sharing, ValueConversion, narrows
from apigen.language.paths import Condition


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


@dataclass(frozen=True, slots=True)
class Group:
    """An expression in brackets, so that it is read as one, whatever it is."""

    value: Expression


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
    | Group
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
