"""Rejections of values that a server sets itself: zero values, defaults, and structs that a client omits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.dataclass import dataclass, replace
from apigen.ir.model import Presence
from apigen.ir.surface import (
    CelRule,
    Constraint,
    Field,
    Keyword,
    ListOf,
    MapOf,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    Union,
    nested_in,
)
from apigen.language.json_values import JsonValue, canonical_json
from apigen.review.effects.member import (
    Computed,
    Form,
    Member,
    Rejection,
    State,
    filled,
    is_zero,
    member_of,
    read,
    shown,
    slot_violation,
    written,
)
from apigen.review.effects.parts import has_defaults, is_certainly_defaulted
from apigen.review.gating import is_disabled
from apigen.review.prover.numbers import Numbers, exact
from apigen.review.prover.result import INCLUDED, NotIncluded
from apigen.review.prover.texts import Texts
from apigen.review.results import ABSENT, Missing

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
