"""A field as one side of a comparison handles it: how generated code decodes, defaults, validates and encodes it
(`docs/reference/spec-language.md`, Presence and Defaults).
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any

from apigen.dataclass import dataclass
from apigen.ir.model import Presence
from apigen.ir.surface import (
    Constraints,
    ConstraintValue,
    Default,
    Enum,
    Field,
    GateMark,
    Keyword,
    ListOf,
    MapOf,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    Type,
    definition,
    without_aliases,
)
from apigen.language.json_values import JsonValue, canonical_json
from apigen.review.prover.regex import Undecidable
from apigen.review.prover.texts import machine
from apigen.review.results import ABSENT, Missing


class Form(StrEnum):
    """Kinds of values that are omitted in different ways."""

    VALUE = "value"
    TEXT = "text"
    BYTES = "bytes"
    CONTAINER = "container"
    STRUCT = "struct"
    MOMENT = "moment"  # None is its zero: times and raw JSON


@dataclass(frozen=True, slots=True)
class Computed:
    """The unknown result of a computed default. `may_be_nothing`: it may leave the field unset; `values` are all possible
    results, None if the spec does not list them. `into`: the result is a struct in which only this field is set, to an
    unknown value.
    """

    text: str
    may_be_nothing: bool = True
    values: tuple[JsonValue | Computed, ...] | None = None
    into: str = ""


State = JsonValue | Missing | Computed
"""A value in memory; None if unset."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """The reason why a server rejects a value that it sets itself; uncertain if it depends on gates or unknown values."""

    reason: str
    is_certain: bool = True


_ZEROS: Mapping[Scalars, JsonValue] = {
    Scalars.STRING: "",
    Scalars.BOOL: False,
    Scalars.QUANTITY: "0",
    Scalars.DURATION: "0s",
    Scalars.BYTES: "",
}
_SAMPLES: Mapping[Scalars, JsonValue] = {
    Scalars.STRING: "a",
    Scalars.BOOL: True,
    Scalars.QUANTITY: "1",
    Scalars.DURATION: "1s",
    Scalars.BYTES: "YQ==",
    Scalars.TIME: "2001-02-03T04:05:06Z",
    Scalars.MICRO_TIME: "2001-02-03T04:05:06.000000Z",
    Scalars.RAW_EXTENSION: {"kind": "Any"},
    Scalars.FIELDS_V1: {"f:metadata": {}},
    Scalars.ANYTHING: {"any": 1},
}
_MOMENTS = frozenset(
    {Scalars.TIME, Scalars.MICRO_TIME, Scalars.RAW_EXTENSION, Scalars.FIELDS_V1, Scalars.ANYTHING, Scalars.NULL}
)


@dataclass(frozen=True, slots=True)
class Member:
    """A field with its type unfolded. `values` are those of a closed enum, None for other types; `gate`: its feature gates."""

    surface: Surface
    slot: Slot
    presence: Presence
    required: bool
    form: Form
    zero: JsonValue
    sample: JsonValue
    default: JsonValue | Missing | Computed
    values: tuple[str, ...] | None
    struct: Struct | None
    gate: GateMark | None

    @property
    def can_be_none(self) -> bool:
        """Return whether unset is distinct from zero."""
        if self.presence in (Presence.NULLABLE, Presence.OPTIONAL) or self.form is Form.MOMENT:
            return True
        return self.presence is Presence.OMIT_EMPTY and self.form in (Form.CONTAINER, Form.BYTES)

    @property
    def constraints(self) -> Constraints:
        """The constraints of the value."""
        return self.slot.constraints

    @property
    def start(self) -> JsonValue:
        """The value if nothing was decoded."""
        return None if self.can_be_none else self.zero

    @property
    def initial(self) -> State:
        """The value after defaulting, if nothing was decoded."""
        return filled(self, self.start)


def member_of(surface: Surface, field: Field, *, by_hand: bool = True) -> Member:
    """Return the field of one side, with its type unfolded, and with all constraints that are enforced.

    `by_hand`: including those that hand-written validation enforces.
    """
    slot = without_aliases(surface, field.slot)
    if by_hand and Keyword.ENFORCED_BY_HAND in slot.constraints:
        from apigen.review.prover.enforced import enforced  # few inputs have hand-written code

        slot = enforced(slot)
    known = definition(surface, slot.type)
    values = tuple(known.values) if isinstance(known, Enum) and not known.open else None
    base = known.base if isinstance(known, Enum) else slot.type
    form, zero, sample = shape(base)
    if isinstance(known, Enum):
        sample = next((value for value in known.values if value), sample)
    struct = known if isinstance(known, Struct) else None
    default = default_value(slot.default)
    return Member(
        surface, slot, field.presence, field.required, form, zero, sample, default, values, struct, field.gate
    )


def shape(type_: Type) -> tuple[Form, JsonValue, JsonValue]:
    """Return how values of a type are omitted, its zero, and a value that is not zero."""
    match type_:
        case ListOf():
            return Form.CONTAINER, [], [_inner(type_.item.type)]
        case MapOf():
            return Form.CONTAINER, {}, {"a": _inner(type_.value.type)}
        case Scalar(name):
            zero, sample = _ZEROS.get(name, 0), _SAMPLES.get(name, 1)
            if name in _MOMENTS:
                return Form.MOMENT, None, sample
            forms = {Scalars.STRING: Form.TEXT, Scalars.BYTES: Form.BYTES}
            return forms.get(name, Form.VALUE), zero, sample
        case _:
            return Form.STRUCT, {}, {}


def _inner(type_: Type) -> JsonValue:
    return shape(type_)[2]


def default_value(default: Default | None) -> JsonValue | Missing | Computed:
    """Return the value that a default sets."""
    if default is None:
        return Missing()
    if default.is_computed or default.gates:
        return _computed(default)
    try:
        value: JsonValue = json.loads(default.text)
    except ValueError:
        return Computed(default.text)
    return value


def _computed(default: Default) -> Computed:
    """Return the possible results of a default: always a value if the last case is an unconditional value."""
    cases = json.loads(default.cases) if default.cases else [{}]
    last = cases[-1]
    gives_always = "when" not in last and last.get("value") is not None
    is_unknown = all("from" in case and "into" not in case for case in cases) or not default.cases
    values = None if is_unknown else tuple(_result(case, default.text) for case in cases)
    return Computed(default.text, not gives_always, values)


def _result(case: dict[str, Any], text: str) -> JsonValue | Computed:
    """Return the result of one case; that of `from` is the unknown value of another field."""
    if "from" in case:
        return Computed(text, may_be_nothing=False, into=case.get("into", ""))
    value: JsonValue = case.get("value")
    return value


_LONGEST = 60


def quoted(names: Iterable[str], conjunction: str = ", ") -> str:
    """Return names as a list in a sentence."""
    return conjunction.join(f"`{name}`" for name in names)


def state_in_words(state: State) -> str:
    """Return a value in memory as text; the result of a computed default is unknown."""
    return f"the result of its default ({state.text})" if isinstance(state, Computed) else shown(state)


def shown(value: JsonValue | Missing) -> str:
    """Return the value as JSON, shortened if it is long; "unset" for a missing one."""
    if isinstance(value, Missing):
        return "unset"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


_LONGEST_TEXT = 1_000


def read(member: Member, sent: State) -> State:
    """Return the value in memory of a JSON value; null is treated as omitted."""
    return member.start if sent is None or isinstance(sent, Missing) else sent


def unreadable(member: Member, sent: State) -> str:
    """Return why a JSON value cannot be decoded; empty if it can. Only a duration is never null, as in Kubernetes."""
    is_duration = member.slot.type == Scalar(Scalars.DURATION)
    return "null is not a duration" if sent is None and is_duration and not member.can_be_none else ""


def written(member: Member, state: State) -> State:
    """Return the JSON value that is written; ABSENT if it is omitted."""
    match member.presence:
        case Presence.OPTIONAL:
            return ABSENT if state is None else state
        case Presence.OMIT_EMPTY:
            return ABSENT if state is None or is_zero(member, state) else state
        case _:
            return state


def on_wire(member: Member, state: State) -> State:
    """Return the value in protobuf; ABSENT if it is not written there."""
    if state is None or (member.form is Form.CONTAINER and is_zero(member, state)):
        return ABSENT
    return state


def filled(member: Member, state: State) -> State:
    """Return the state after defaulting."""
    if isinstance(member.default, Missing):
        return state
    default = member.slot.default
    if default is not None and default.overwrites:
        return member.default
    is_unset = state is None if member.can_be_none else is_zero(member, state)
    if member.form is Form.CONTAINER:
        takes_empty = default is None or not default.empty_is_set
        is_unset = state is None or (takes_empty and is_zero(member, state))
    return member.default if is_unset else state


def is_zero(member: Member, state: State) -> bool:
    """Return whether a state is the zero value, or empty."""
    return type(state) is type(member.zero) and state == member.zero


_OF_NUMBERS: Mapping[Keyword, Callable[[float, float], bool]] = {
    Keyword.MINIMUM: operator.ge,
    Keyword.EXCLUSIVE_MINIMUM: operator.gt,
    Keyword.MAXIMUM: operator.le,
    Keyword.EXCLUSIVE_MAXIMUM: operator.lt,
}
_OF_SIZES: Mapping[Keyword, Callable[[float, float], bool]] = {
    **dict.fromkeys((Keyword.MIN_LENGTH, Keyword.MIN_BYTES, Keyword.MIN_ITEMS, Keyword.MIN_PROPERTIES), operator.ge),
    **dict.fromkeys((Keyword.MAX_LENGTH, Keyword.MAX_BYTES, Keyword.MAX_ITEMS, Keyword.MAX_PROPERTIES), operator.le),
}
"""By bound: whether a number, or the size of a string, list or map, satisfies a limit."""


def slot_violation(slot: Slot, state: JsonValue) -> str:
    """Return the constraint that a value violates: a number, length, pattern, format or excluded value."""
    for keyword, constraint in slot.constraints.items():
        limit = constraint.value
        if not _satisfies(keyword, limit, state):
            return f"`{keyword.value}` is {limit}"
    return ""


def _satisfies(keyword: Keyword, limit: ConstraintValue, state: JsonValue) -> bool:
    if keyword is Keyword.NOT_VALUE:
        return limit not in (state, canonical_json(state))
    if keyword is Keyword.PATTERN and isinstance(state, str) and isinstance(limit, str):
        return matches(limit, state)
    if keyword is Keyword.FORMAT and isinstance(state, str) and isinstance(limit, str):
        return has_format(limit, state)
    if not isinstance(limit, int | float) or isinstance(limit, bool):
        return True
    if isinstance(state, bool | None):
        return True
    if keyword is Keyword.MULTIPLE_OF:
        return not (isinstance(state, int) and isinstance(limit, int) and limit) or state % limit == 0
    measured, bounds = (state, _OF_NUMBERS) if isinstance(state, int | float) else (len(state), _OF_SIZES)
    holds = bounds.get(keyword)
    return holds is None or holds(measured, limit)


def has_format(name: str, text: str) -> bool:
    """Return whether a string has a format. A format that generated code does not check counts as satisfied."""
    # imported here: it loads the validation of the runtime, which most reviews do not need
    from apigen.ir.formats import FORMATS

    return name not in FORMATS or FORMATS[name](text)


def matches(pattern: str, text: str) -> bool:
    """Return whether a pattern matches in a string. An unsupported pattern and a long string count as a match."""
    if len(text) > _LONGEST_TEXT:
        return True
    try:
        return machine(pattern).finds(text)
    except Undecidable:
        return True
