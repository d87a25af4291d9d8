"""A field as one side of a comparison handles it: how it decodes, defaults, rejects and encodes values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum

from apigen.dataclass import dataclass, field
from apigen.ir.model import Presence
from apigen.language.json_values import JsonValue
from apigen.language.path_parser import parse_path
from apigen.language.paths import Name
from apigen.review.results import Missing
from apigen.review.surface import (
    Constraints,
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
    results, None if the spec does not list them.
    """

    text: str
    may_be_nothing: bool = True
    values: tuple[JsonValue, ...] | None = None


State = JsonValue | Missing | Computed
"""A value in memory; None if unset."""

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
    """A field with its type unfolded. `values` are those of a closed enum, None for other types; `gate`: its feature gates.

    `inside` caches the results of `rejection` for its struct by depth: the same field is checked with many states.
    """

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
    inside: dict[int, str] = field(default_factory=dict, compare=False, repr=False)

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
    values = tuple(case["value"] for case in cases) if all("value" in case for case in cases) else None
    return Computed(default.text, not gives_always, values)


def filled_from_above(surface: Surface) -> frozenset[str]:
    """Return the names of fields that a type defaults by path. The places of these paths are not resolved."""
    names: set[str] = set()
    for struct in surface.structs():
        for path, slot in struct.defaults.items():
            steps = parse_path(path, slot.place).steps
            names.update([step.name for step in steps if isinstance(step, Name)][-1:])
    return frozenset(names)


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
