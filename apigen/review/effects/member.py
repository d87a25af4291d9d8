"""A field as one side of a comparison handles it: how generated code decodes, defaults, validates and encodes it
(`docs/reference/spec-language.md`, Presence and Defaults).
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence
from apigen.language.json_values import JsonValue, canonical_json
from apigen.review.gating import is_disabled
from apigen.review.prover.numbers import Numbers, exact
from apigen.review.prover.regex import Undecidable
from apigen.review.prover.result import INCLUDED, NotIncluded
from apigen.review.prover.texts import Texts, machine
from apigen.review.results import ABSENT, Missing
from apigen.review.surface import (
    CelRule,
    Constraint,
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
    Union,
    definition,
    nested_in,
    without_aliases,
)


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


ALWAYS_WRITTEN = frozenset({Presence.PLAIN, Presence.OMIT_EMPTY})
"""The presences of fields whose struct exists even if an object omits it."""


def omitted_structs(surface: Surface) -> Iterator[tuple[str, Member, Struct]]:
    """Yield the fields that are omitted if their struct is zero, each with its name and that struct."""
    for struct in surface.structs():
        for field in struct.fields.values():
            inner = definition(surface, field.slot.type) if field.presence is Presence.OMIT_EMPTY else None
            if isinstance(inner, Struct):
                yield f"{struct.name.name}.{field.name}", member_of(surface, field), inner


def parts_of(surface: Surface, struct: Struct, presences: frozenset[Presence] = ALWAYS_WRITTEN) -> list[Struct]:
    """Return a struct and those that are always present with it; `presences` are those of fields that contain them."""
    found = {struct.name: struct}
    waiting = [struct]
    while waiting:
        for field in waiting.pop().fields.values():
            inner = definition(surface, field.slot.type) if field.presence in presences else None
            if isinstance(inner, Struct) and inner.name not in found:
                found[inner.name] = inner
                waiting.append(inner)
    return list(found.values())


def members_in(surface: Surface, struct: Struct) -> Iterator[Member]:
    """Yield the fields of a struct, and of the structs that are always present with it."""
    for part in parts_of(surface, struct):
        yield from (member_of(surface, field) for field in part.fields.values())


def is_filled(member: Member) -> bool:
    """Return whether the default of an unset field sets it."""
    return not isinstance(member.default, Missing) and member.initial != member.start


def has_defaults(surface: Surface, struct: Struct | None) -> bool:
    """Return whether a default sets something in the struct, or in structs that are always present with it."""
    return struct is not None and any(is_filled(each) for each in members_in(surface, struct))


def is_certainly_defaulted(surface: Surface, struct: Struct | None) -> bool:
    """Return whether a default certainly sets something there.

    A computed default may give no value, and a disabled gate clears its field.
    """
    members = () if struct is None else members_in(surface, struct)
    filled_members = (each for each in members if is_filled(each) and not isinstance(each.default, Computed))
    return any(not is_disabled(each.gate, surface) for each in filled_members)


DEEPEST = 8

FORBIDDEN = "its default sets it, but it is forbidden"


def rejection(member: Member, state: State, depth: int = 0) -> str:
    """Return why validation certainly rejects an unset, zero or default state; empty if it does not.

    `depth` counts the structs around it; structs below the maximum depth are not validated: at `DEEPEST`, only the
    constraints of the field itself are.
    """
    return next((each.reason for each in rejections(member, state, depth) if each.is_certain), "")


def possible_rejection(member: Member, state: State) -> str:
    """Return why validation may reject a state, such as the unknown result of a default; empty if it never does."""
    return next((each.reason for each in rejections(member, state) if not each.is_certain), "")


def rejection_when_cleared(member: Member, depth: int = 0) -> str:
    """Return why a server rejects all new objects if a disabled gate clears the field together with its default.

    The same applies to a field of a struct that is always present. `depth` is as in `rejection`.
    """
    if is_disabled(member.gate, member.surface):
        return rejection(member, member.start)
    if member.struct is None or member.presence is not Presence.PLAIN or depth > DEEPEST:
        return ""
    for each in member.struct.fields.values():
        reason = rejection_when_cleared(member_of(member.surface, each), depth + 1)
        if reason:
            return f"`{each.name}` is rejected: {reason}"
    return ""


def rejections(member: Member, state: State, depth: int = 0) -> Iterator[Rejection]:
    """Yield the rejections of a state of a field, without those by other fields of its struct.

    The elements of a list or map are validated only if it is the default, and only a zero value is validated by rules:
    other values of clients are not known, and specs and CRDs with a default that its own rules reject are not valid.
    """
    if isinstance(state, Missing) or depth > DEEPEST:
        return
    if isinstance(state, Computed):
        yield from _of_results(member, state, depth)
        return
    if _is_missing(member, state):
        yield Rejection("it is required")
        return
    if Keyword.FORBIDDEN in member.constraints and is_set(member, state):
        yield Rejection(FORBIDDEN if _is_default(member, state) else "it is forbidden")
    if _is_validated(member, state):
        is_omitted = member.presence is Presence.OMIT_EMPTY and member.struct is not None and is_zero(member, state)
        is_sure = not is_omitted or is_certainly_defaulted(member.surface, member.struct)
        yield from (Rejection(each.reason, is_sure and each.is_certain) for each in _of_value(member, state, depth))
    if member.struct is None and is_zero(member, state) and not _is_default(member, state):
        yield from _by_rules(member, _known(member, state), None) if _is_written(member, state) else ()


def _of_results(member: Member, computed: Computed, depth: int) -> Iterator[Rejection]:
    """Yield the rejections of the possible results of a default, which are all uncertain."""
    found: Iterator[Rejection] = iter(())
    if computed.may_be_nothing:
        nothing = rejections(member, member.start, depth)
        yield from (
            Rejection(f"its default may give no value, and {each.reason}", is_certain=False) for each in nothing
        )
    if computed.values is not None:
        found = (each for value in computed.values for each in rejections(member, value, depth))
    elif computed.into and member.struct is not None and depth < DEEPEST:
        unknown = Computed(computed.text, may_be_nothing=False)
        found = rejections_inside(member, {computed.into: unknown}, depth)
    elif violated := _constraint_on_values(member):
        found = iter((Rejection(f"the result of its default may violate `{violated}`"),))
    yield from (replace(each, is_certain=False) for each in found)


def _of_value(member: Member, state: JsonValue, depth: int) -> Iterator[Rejection]:
    if member.values is not None and is_zero(member, state) and "" not in member.values:
        yield Rejection(f"an empty string is not one of {', '.join(member.values)}")
        return
    if member.struct is not None and isinstance(state, dict):
        if depth < DEEPEST:
            yield from rejections_inside(member, state, depth)
        return
    violated = slot_violation(member.slot, state)
    if violated:
        yield Rejection(violated)
    elif _is_default(member, state):
        for element, value in _elements(member, state):
            for each in rejections(element, value, depth + 1):
                yield replace(each, reason=f"{shown(value)} in its default is rejected: {each.reason}")


def _elements(member: Member, state: JsonValue) -> Iterator[tuple[Member, JsonValue]]:
    """Yield the elements and values of a list or map, each with its slot."""
    match member.slot.type, state:
        case ListOf(item), list():
            yield from ((_element(member, item), each) for each in state)
        case MapOf(_, value), dict():
            yield from ((_element(member, value), each) for each in state.values())


def _element(member: Member, slot: Slot) -> Member:
    return member_of(member.surface, Field("", slot, slot.place))


def _is_default(member: Member, state: State) -> bool:
    default = member.default
    values = default.values or () if isinstance(default, Computed) else (default,)
    return not isinstance(default, Missing) and state in values


def _is_missing(member: Member, state: JsonValue) -> bool:
    if not member.required:
        return False
    if member.presence is Presence.OMIT_EMPTY:
        is_created = is_certainly_defaulted(member.surface, member.struct)
        return state is None or (is_zero(member, state) and member.form is not Form.BYTES and not is_created)
    if member.presence is Presence.PLAIN and member.values is not None:
        return is_zero(member, state)
    return member.can_be_none and state is None


def _is_validated(member: Member, state: JsonValue) -> bool:
    if state is None:
        return False
    if member.required and (member.can_be_none or member.presence is Presence.OMIT_EMPTY):
        return True
    if member.form is Form.CONTAINER:
        leaves_out_empty = member.can_be_none or member.presence is Presence.OMIT_EMPTY
        return not (leaves_out_empty and is_zero(member, state))
    if member.can_be_none:
        return True
    if member.presence is Presence.OMIT_EMPTY or (member.form is Form.TEXT and not member.required):
        return not is_zero(member, state) or has_defaults(member.surface, member.struct)
    return True


def _is_written(member: Member, state: JsonValue) -> bool:
    """Return whether JSON contains a state; rules in CEL are evaluated on JSON."""
    is_created = state is not None and has_defaults(member.surface, member.struct)
    return is_created or not isinstance(written(member, state), Missing | None)


def is_always_written(member: Member, state: State) -> bool | None:
    """Return whether JSON contains a field that a client sets to a state, after defaults; None if it is not known."""
    found = filled(member, state)
    if not isinstance(found, Computed | Missing):
        return None if found is None and member.presence is not Presence.OPTIONAL else _is_written(member, found)
    known = () if isinstance(found, Missing) or found.may_be_nothing else found.values or ()
    are_written = [not isinstance(each, Computed) and _is_written(member, each) for each in known]
    return True if are_written and all(are_written) else None


def skips_empty(member: Member) -> bool:
    """Return whether an empty string is not validated by constraints, although JSON contains it."""
    is_text = member.form is Form.TEXT and member.presence is Presence.PLAIN and not member.required
    return is_text and filled(member, member.zero) == member.zero


def is_set(member: Member, state: State) -> bool:
    """Return whether a state counts as set; a computed one may be."""
    if isinstance(state, Computed):
        return True
    is_empty = is_zero(member, state) and (not member.can_be_none or member.form is Form.CONTAINER)
    return state is not None and not isinstance(state, Missing) and not is_empty


def is_certainly_set(member: Member, state: State) -> bool:
    """Return whether a state certainly counts as set; the result of a default may be no value, or zero."""
    return not isinstance(state, Computed) and is_set(member, state)


_OTHERS = frozenset(
    {Keyword.IMMUTABLE, Keyword.MONOTONIC, Keyword.UPDATE, Keyword.REQUIRES, Keyword.FORBIDS}
    | {Keyword.IF_ENABLED, Keyword.IF_DISABLED, Keyword.IF_MODE}
)
"""Keywords about updates, about other fields, or under a condition."""


def _constraint_on_values(member: Member) -> str:
    """Return a constraint of the field on values, or a rule; empty if it has neither."""
    words = (keyword.value for keyword in member.constraints if keyword not in _OTHERS)
    rules = (rule.name for rule in _rules(member))
    return next(words, "") or next(rules, "")


@dataclass(frozen=True, slots=True)
class _Created:
    """A struct that a server creates: its fields by name, with their states."""

    members: Mapping[str, Member]
    states: Mapping[str, State]

    @classmethod
    def of(cls, surface: Surface, struct: Struct, given: Mapping[str, State]) -> _Created:
        """Return the struct in which only some fields are given, and defaults set others."""
        members = {name: member_of(surface, field) for name, field in struct.fields.items()}
        return cls(members, {name: _state_in(member, given.get(name, ABSENT)) for name, member in members.items()})

    def presence(self, path: tuple[str, ...]) -> bool | None:
        """Return whether JSON contains the value at a path below the struct; None: not known."""
        if not path:
            return True
        found = self._at(path)
        if found is None:
            return None
        member, state = found
        is_null = state is None and member.presence is not Presence.OPTIONAL
        return None if is_null or isinstance(state, Computed | Missing) else _is_written(member, state)

    def values(self, path: tuple[str, ...]) -> Numbers | Texts | None:
        """Return the number or string at a path as a set; None for other values, and if it is not known."""
        found = self._at(path)
        return None if found is None else _known(*found)

    def _at(self, path: tuple[str, ...]) -> tuple[Member, State] | None:
        """Return the field at a path with its state; None if it is unknown, or if its struct is unset."""
        name, *rest = path or ("",)
        if name not in self.members:
            return None
        member, state = self.members[name], self.states[name]
        if not rest:
            return member, state
        if member.struct is None or not isinstance(state, dict):
            return None
        return _Created.of(member.surface, member.struct, state)._at(tuple(rest))


def _state_in(member: Member, given: State) -> State:
    state = filled(member, read(member, given))
    if not isinstance(given, Missing) or isinstance(state, Missing) or state == member.start:
        return state
    if not is_disabled(member.gate, member.surface):
        return state
    # servers clear the field while its gate is disabled
    known = state if isinstance(state, Computed) else Computed("", values=(state,))
    return replace(known, may_be_nothing=True)


def rejections_inside(member: Member, given: Mapping[str, State], depth: int = 0) -> Iterator[Rejection]:
    """Yield the rejections of the struct of a field that a server creates; `given` are the fields that are set in it."""
    struct = member.struct
    assert struct is not None
    created = _Created.of(member.surface, struct, given)
    for name in created.members:
        for each in (*_of_field(created, name, depth), *_by_subfields(member, created, name)):
            yield replace(each, reason=f"`{name}` is rejected: {each.reason}")
    for union in struct.unions:
        yield from _by_union(union, created)
    yield from _by_rules(member, None, created)


def _of_field(created: _Created, name: str, depth: int) -> Iterator[Rejection]:
    member, state = created.members[name], created.states[name]
    yield from rejections(member, state, depth + 1)
    for condition, words in blocks_by_gate(member):
        for each in rejections_by(member, state, words):
            yield Rejection(f"{each.reason} if {condition}", is_certain=False)
    yield from _by_mode(created, name)
    yield from _by_dependents(created, name)


def _by_subfields(holder: Member, created: _Created, name: str) -> Iterator[Rejection]:
    words = nested_in(holder.constraints, Keyword.SUBFIELDS).get(name)
    if isinstance(words, dict):
        yield from rejections_by(created.members[name], created.states[name], words)


_ABOUT_VALUES = (
    *(Keyword.MINIMUM, Keyword.MAXIMUM, Keyword.EXCLUSIVE_MINIMUM, Keyword.EXCLUSIVE_MAXIMUM, Keyword.MULTIPLE_OF),
    *(Keyword.MIN_LENGTH, Keyword.MAX_LENGTH, Keyword.MAX_BYTES, Keyword.PATTERN, Keyword.FORMAT),
    *(Keyword.MIN_ITEMS, Keyword.MAX_ITEMS, Keyword.UNIQUE_ITEMS, Keyword.MIN_PROPERTIES, Keyword.MAX_PROPERTIES),
    Keyword.FORBIDDEN,
)
"""Constraints that a zero value or a default may violate; others are about updates and other fields."""


def rejections_by(member: Member, state: State, words: Mapping[str, JsonValue]) -> Iterator[Rejection]:
    """Yield the rejections of a state by constraints in the words of the spec language: those of a block, or of a subfield."""
    if words.get("required") is True:
        if not is_set(member, state):
            yield Rejection("it is required")
        elif isinstance(state, Computed) and state.may_be_nothing and not is_set(member, member.start):
            yield Rejection("its default may give no value, and it is required", is_certain=False)
    yield from rejections(_only_with(member, words), state, DEEPEST)


def _only_with(member: Member, words: Mapping[str, JsonValue]) -> Member:
    """Return the field with these constraints instead of its own."""
    place = member.slot.place
    constraints = {
        keyword: Constraint(value, place)
        for keyword in _ABOUT_VALUES
        if isinstance(value := words.get(keyword.value), int | float | str) and value is not False
    }
    if Keyword.NOT_VALUE.value in words:
        constraints[Keyword.NOT_VALUE] = Constraint(canonical_json(words[Keyword.NOT_VALUE.value]), place)
    texts = words.get("rules")
    rules = tuple(CelRule(str(text), place) for text in texts) if isinstance(texts, list) else ()
    slot = replace(member.slot, constraints=constraints, rules=rules)
    return replace(member, slot=slot, required=False, values=None)


def blocks_by_gate(member: Member) -> Iterator[tuple[str, Mapping[str, JsonValue]]]:
    """Yield the constraints that apply while a gate is enabled or disabled, each with the condition in words."""
    for keyword, state in ((Keyword.IF_ENABLED, "enabled"), (Keyword.IF_DISABLED, "disabled")):
        for gate, words in nested_in(member.constraints, keyword).items():
            if isinstance(words, dict):
                yield f"`{gate}` is {state}", words


def mode_of(chooser: Member, state: State) -> str | None:
    """Return the name of the block of `ifMode` for a value; None if it has none. An omitted boolean is false."""
    if chooser.slot.type == Scalar(Scalars.BOOL):
        return "true" if state is True else "false"
    return state if isinstance(state, str) else None


def _by_mode(created: _Created, name: str) -> Iterator[Rejection]:
    member, state = created.members[name], created.states[name]
    for chooser_name, modes in nested_in(member.constraints, Keyword.IF_MODE).items():
        chooser = created.members.get(chooser_name)
        if chooser is None or not isinstance(modes, dict):
            continue
        chosen = created.states[chooser_name]
        for mode in _modes(chooser, chosen, modes):
            for each in _in_mode(member, state, modes.get(mode) if mode is not None else None):
                is_certain = each.is_certain and not isinstance(chosen, Computed)
                yield Rejection(f"{each.reason} if `{chooser_name}` is {mode or 'omitted'}", is_certain)


def _modes(chooser: Member, chosen: State, modes: Mapping[str, JsonValue]) -> list[str | None]:
    """Return the modes that a state of a field may choose."""
    if not isinstance(chosen, Computed):
        return [mode_of(chooser, chosen)]
    known = [*([chooser.start] if chosen.may_be_nothing else []), *(chosen.values or ())]
    if chosen.values is None or any(isinstance(each, Computed) for each in known):
        return [*modes, None]
    return [mode_of(chooser, each) for each in known]


def _in_mode(member: Member, state: State, words: JsonValue) -> Iterator[Rejection]:
    """Yield the rejections in one mode; the field must not be set in a mode that is not listed."""
    if isinstance(words, dict):
        yield from rejections_by(member, state, words)
    elif is_set(member, state):
        yield Rejection(FORBIDDEN, is_certainly_set(member, state))


def names_in(member: Member, keyword: Keyword) -> tuple[str, ...]:
    """Return the fields that a constraint of a field names."""
    constraint = member.constraints.get(keyword)
    return constraint.value if constraint is not None and isinstance(constraint.value, tuple) else ()


def _by_dependents(created: _Created, name: str) -> Iterator[Rejection]:
    member, state = created.members[name], created.states[name]
    if not is_set(member, state):
        return
    is_sure = is_certainly_set(member, state)
    for other in names_in(member, Keyword.REQUIRES):
        required = created.members.get(other)
        if required is not None and not is_certainly_set(required, created.states[other]):
            yield Rejection(f"it requires `{other}`", is_sure and not is_set(required, created.states[other]))
    for other in names_in(member, Keyword.FORBIDS):
        forbidden = created.members.get(other)
        if forbidden is not None and is_set(forbidden, created.states[other]):
            yield Rejection(f"it forbids `{other}`", is_sure and is_certainly_set(forbidden, created.states[other]))


def _by_union(union: Union, created: _Created) -> Iterator[Rejection]:
    members = [name for name in union.members if name in created.members]
    set_members = [name for name in members if is_set(created.members[name], created.states[name])]
    is_certain = not any(isinstance(created.states[name], Computed) for name in members)
    if union.on_wire:
        return
    if union.discriminator is None or union.discriminator not in created.states:
        if len(set_members) > 1 or not (set_members or union.optional):
            yield Rejection(f"one of {', '.join(union.members)} must be set", is_certain)
        return
    chosen = created.states[union.discriminator]
    selected = [name for name in members if union.members[name] == chosen]
    if isinstance(chosen, Computed):
        yield Rejection(f"the default of `{union.discriminator}` may select another member", is_certain=False)
    elif chosen is not None and (
        not set(set_members) <= set(selected) or (set_members != selected and not union.optional)
    ):
        words = ", ".join(selected) or "no member"
        yield Rejection(f"`{union.discriminator}` is {shown(chosen)}, which selects {words}", is_certain)


def _rules(member: Member) -> tuple[CelRule, ...]:
    """Return the rules of a field and of its struct that are evaluated for a new object."""
    of_type = () if member.struct is None else member.struct.slot.rules
    return tuple(each for each in (*of_type, *member.slot.rules) if each.optional_old_self or not each.is_transition)


def _by_rules(member: Member, itself: Numbers | Texts | None, created: _Created | None) -> Iterator[Rejection]:
    rules = _rules(member)
    if not rules:
        return
    # imported here, because few inputs have rules
    from apigen.review.prover.cel import Fields, implied

    fields = None if created is None else Fields(created.presence, created.values)
    for rule in rules:
        found = implied(rule.text, (), itself, fields)
        if isinstance(found, NotIncluded):
            yield Rejection(f"the rule `{rule.text}` rejects it")
        elif found != INCLUDED:
            yield Rejection(f"the rule `{rule.text}` may reject it", is_certain=False)


_NUMBERS = frozenset(
    {Scalars.INT32, Scalars.INT64, Scalars.UINT32, Scalars.UINT64, Scalars.INTEGER}
    | {Scalars.NUMBER, Scalars.FLOAT32, Scalars.FLOAT64}
)


def _known(member: Member, state: State) -> Numbers | Texts | None:
    """Return a number or string as the set of values that contains only it; None for other values."""
    scalar = member.slot.type.name if isinstance(member.slot.type, Scalar) else None
    if isinstance(state, str) and (scalar is Scalars.STRING or member.values is not None):
        return Texts(allowed=frozenset((state,)))
    if isinstance(state, int | float) and not isinstance(state, bool) and scalar in _NUMBERS:
        return Numbers(allowed=frozenset((exact(state),)))
    return None
