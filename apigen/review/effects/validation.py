"""Effects of a field that only one side has, and of its default on structs that an object omits, which are then no longer zero, and
are validated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.ir.model import Presence
from apigen.ir.surface import (
    Default,
    Element,
    Enum,
    Field,
    Keyword,
    Scalar,
    Scalars,
    Struct,
    Surface,
    TypeName,
    UnknownFields,
    definition,
    field_at,
    nested_in,
    without_aliases,
)
from apigen.language.json_values import JsonValue
from apigen.review.effects.member import (
    Computed,
    Form,
    Member,
    Rejection,
    State,
    filled,
    member_of,
    on_wire,
    read,
    shown,
    slot_violation,
    state_in_words,
    written,
)
from apigen.review.effects.nested_defaults import OuterDefaults
from apigen.review.effects.parts import (
    ALWAYS_WRITTEN,
    has_defaults,
    is_certainly_defaulted,
    is_filled,
    members_in,
    omitted_structs,
    parts_of,
)
from apigen.review.effects.rejections import (
    FORBIDDEN,
    blocks_by_gate,
    is_set,
    mode_of,
    names_in,
    possible_rejection,
    rejection,
    rejection_when_cleared,
    rejections_by,
    rejections_inside,
)
from apigen.review.gating import is_disabled
from apigen.review.results import (
    CLIENTS,
    Direction,
    Effect,
    Effects,
    Example,
    Impact,
    Missing,
    Side,
    alike,
    breaks,
    depends,
    joined,
)


def _of_defaulted_structs(default: Surface, other: Surface, name: TypeName) -> Iterator[Rejection]:
    """Yield the rejections of structs that contain a type and that the other side omits."""
    for holder, member, inner in omitted_structs(default):
        if not any(each.name == name for each in parts_of(default, inner)):
            continue
        before = other.type(inner.name)
        if isinstance(before, Struct) and any(
            is_filled(each) and not is_disabled(each.gate, other) for each in members_in(other, before)
        ):
            continue
        for each in rejections_inside(member, {}):
            yield Rejection(f"`{holder}` is no longer zero, and {each.reason}", each.is_certain)


def defaults_at(surface: Surface, element: Element, outer: OuterDefaults) -> Iterator[Default]:
    """Yield the defaults that set an omitted field, or something in its struct; some only at some places of the field."""
    field = field_at(surface, element)
    if field is None:
        return
    struct = definition(surface, field.slot.type) if field.presence in ALWAYS_WRITTEN else None
    parts = parts_of(surface, struct) if isinstance(struct, Struct) else []
    inside = ((part.name, each) for part in parts for each in part.fields.values())
    for holder, each in ((element.type_name, field), *inside):
        member = member_of(surface, each)
        if member.slot.default is not None and is_filled(member):
            yield member.slot.default
        yield from outer.setting((holder, each.name))


_OF_DEFAULTED_STRUCTS = {
    Side.NEW: {
        Direction.OLD_CLIENT: "older clients that omit a struct with it are rejected",
        Direction.STORED: "stored objects that omit a struct with it are not valid",
    },
    Side.OLD: {
        Direction.NEW_CLIENT: "an older server rejects objects that omit a struct with it",
        Direction.ROLLBACK: "the previous release rejects objects that omit a struct with it",
    },
}


def effects_of_defaulted_struct(knows: Surface, other: Surface, element: Element, side: Side) -> Effects:
    """Return the effects of the default of a field on structs that an object omits, and that the default creates.

    A struct that is zero is omitted and not validated (`omitEmpty`); with a default in it, it is neither. `side` is the one
    that has the field or its default, `knows`; if it ratchets, it does not validate unchanged values again. There are no effects
    if the struct is not rejected, if the other side validates it, too, or for other elements than fields.
    """
    field = field_at(knows, element)
    filling = None if field is None else member_of(knows, field)
    if filling is None or not is_filled(filling):
        return {}
    found = [*_of_defaulted_structs(knows, other, element.type_name)]
    is_sure = not isinstance(filling.default, Computed) and not is_disabled(filling.gate, knows)
    certain = next((each for each in found if is_sure and each.is_certain), None)
    return {
        each: (breaks if each in CLIENTS and certain else depends)(f"{text}: {(certain or found[0]).reason}")
        for each, text in _OF_DEFAULTED_STRUCTS[side].items()
        if found and (each in CLIENTS or not knows.ratchets)
    }


def rejection_of_default(member: Member, holder: Struct, other: Struct | None) -> str:
    """Return the first reason for which the default of a field is rejected in some object; empty if it never is.

    It is a field of `holder`; `other` is that struct on the side without the field. Rejections of all objects, or under a
    condition, are not included.
    """
    by_siblings = _by_siblings(member, holder, other) if is_set(member, member.initial) else iter(())
    return possible_rejection(member, member.initial) or next(by_siblings, "")


def _by_siblings(member: Member, holder: Struct, other: Struct | None) -> Iterator[str]:
    for name in names_in(member, Keyword.REQUIRES):
        if name in holder.fields and not _is_always_set(member_of(member.surface, holder.fields[name])):
            yield f"it requires `{name}`"
    for name in names_in(member, Keyword.FORBIDS):
        field = holder.fields.get(name)
        sibling = None if field is None else member_of(member.surface, field)
        is_known = other is None or name in other.fields
        if sibling is not None and (is_known or is_set(sibling, sibling.initial)):
            yield f"it forbids `{name}`"


def _is_always_set(member: Member) -> bool:
    state = member.initial
    return not state.may_be_nothing if isinstance(state, Computed) else is_set(member, state)


def effects_under_conditions(
    member: Member, holder: Struct, other: Surface, rejected: Mapping[Direction, str]
) -> Effects:
    """Return the effects of conditions of `ifMode`, `ifEnabled` or `ifDisabled` that reject an object without the field, in
    each direction of `rejected`, which has the start of the text. `holder` has the field, and the `other` side does not.

    Clients choose modes, and operators choose gates. The gate of the field itself does not matter: validation also requires
    disabled fields, but a default is cleared before it is forbidden.
    """
    found = [*_in_blocks(member), *_in_other_modes(member, holder, other)]
    return joined(
        {each: Effect(impact, f"{subject}: {text}") for each, subject in rejected.items()} for impact, text in found
    )


def _in_blocks(member: Member) -> Iterator[tuple[Impact, str]]:
    state = member.initial
    for is_sure, condition, words in _blocks(member):
        for each in rejections_by(member, state, words):
            is_certain = (
                is_sure and each.is_certain and not (is_set(member, state) and is_disabled(member.gate, member.surface))
            )
            yield Impact.BREAKS if is_certain else Impact.DEPENDS, f"{each.reason} if {condition}"


def _blocks(member: Member) -> Iterator[tuple[bool, str, Mapping[str, JsonValue]]]:
    """Yield the blocks of constraints; a client can choose each mode, but a gate depends on the operator."""
    for name, modes in nested_in(member.constraints, Keyword.IF_MODE).items():
        for mode, words in modes.items() if isinstance(modes, dict) else ():
            if isinstance(words, dict):
                yield True, f"`{name}` is {mode}", words
    yield from ((False, *block) for block in blocks_by_gate(member))


def _in_other_modes(member: Member, holder: Struct, other: Surface) -> Iterator[tuple[Impact, str]]:
    """Check modes that are not listed: the field must not be set, but a default sets it."""
    state, other_holder = member.initial, other.type(holder.name)
    # a computed default may give no value, and a disabled gate clears it
    is_given = not isinstance(state, Computed) and not is_disabled(member.gate, member.surface)
    known = other_holder.fields if isinstance(other_holder, Struct) else {}
    for name, modes in nested_in(member.constraints, Keyword.IF_MODE).items() if is_set(member, state) else ():
        if name in holder.fields:
            chooser = member_of(member.surface, holder.fields[name])
            for impact, mode in _other_modes(chooser, modes if isinstance(modes, dict) else {}, other, known.get(name)):
                yield impact if is_given else Impact.DEPENDS, f"{FORBIDDEN} if `{name}` is {mode}"


def _other_modes(
    chooser: Member, modes: Mapping[str, JsonValue], other: Surface, known: Field | None
) -> Iterator[tuple[Impact, str]]:
    """Yield the unlisted modes that an object of the other side may have; without the mode field, `known`, it omits it."""
    start = chooser.initial
    if isinstance(start, Computed):
        yield Impact.DEPENDS, "the result of its default"
    elif mode_of(chooser, start) not in modes and not rejection(chooser, start):
        yield Impact.BREAKS, mode_of(chooser, start) or "omitted"
    for impact, mode in _modes_of(other, known) if known is not None else ():
        if mode not in modes:
            yield impact, mode


def _modes_of(surface: Surface, field: Field) -> Iterator[tuple[Impact, str]]:
    """Yield the modes that a client may choose; for an arbitrary string, the mode "another"."""
    behind = definition(surface, field.slot.type)
    if isinstance(behind, Enum):
        for value in behind.values.values():
            yield Impact.DEPENDS if is_disabled(value.gate, surface) else Impact.BREAKS, value.value
    elif without_aliases(surface, field.slot).type == Scalar(Scalars.BOOL):
        yield from ((Impact.BREAKS, word) for word in ("true", "false"))
        return
    if not isinstance(behind, Enum) or behind.open:
        yield Impact.BREAKS, "another value"


_BACKWARD = (Direction.NEW_CLIENT, Direction.ROLLBACK)
_STATUS = "status"


@dataclass(frozen=True, slots=True)
class NotValidated:
    """The structs of a surface that may be zero in an accepted object, although validation would reject that.

    A struct that is always written is validated even if it is omitted, as if it had been sent empty. Two are not:

    - a struct that is omitted if it is zero (`omitEmpty`), unless a default creates it: `omitted`, with the structs that
      are always present in it. `defaulted` are those that a default creates: they are validated. A struct with a computed
      default is in both.
    - a status that is a subresource: create resets it, and an update only validates what differs from that, and from
      defaults. `in_status`: the structs that are always present in one.
    """

    omitted: frozenset[TypeName]
    defaulted: frozenset[TypeName]
    in_status: frozenset[TypeName]

    @classmethod
    def of(cls, surface: Surface, outer: OuterDefaults) -> NotValidated:
        """Return those of a surface; `outer` are its defaults."""
        omitted: set[TypeName] = set()
        defaulted: set[TypeName] = set()
        for _, _, struct in omitted_structs(surface):
            parts = parts_of(surface, struct)
            if not is_certainly_defaulted(surface, struct):
                omitted |= {part.name for part in parts}
            above = ((part.name, field) in outer.by_path for part in parts for field in part.fields)
            if has_defaults(surface, struct) or any(above):
                defaulted |= {part.name for part in parts_of(surface, struct, frozenset({Presence.PLAIN}))}
        in_status = {part.name for status in _statuses(surface) for part in parts_of(surface, status)}
        return cls(frozenset(omitted), frozenset(defaulted), frozenset(in_status))


def effects_of_omission(
    old: Member, new: Member, name: TypeName, sides: tuple[NotValidated, NotValidated], *, has_wire: bool
) -> Effects:
    """Return the effects on the field of a struct that is omitted if it is zero; `sides` are the base and the revision.

    `has_wire`: the field has a protobuf number, and protobuf writes such a struct.
    """
    before, after = sides
    effects: dict[Direction, Effect] = {}
    for direction in Direction:
        is_backward = direction in _BACKWARD
        writer, reader = (new, old) if is_backward else (old, new)
        sender, receiver = (after, before) if is_backward else (before, after)
        is_validated_when_written = has_wire and (direction in CLIENTS or not reader.surface.ratchets)
        text = ""
        if name in sender.omitted:
            text = _arrival(
                writer,
                reader,
                is_validated=name in receiver.defaulted,
                is_validated_when_written=is_validated_when_written,
            )
        lost = _departure(writer, reader) if name in receiver.omitted else ""
        if text:
            effects[direction] = depends(f"objects that omit a struct with it: {text}")
        elif lost:
            effects[direction] = depends(f"a struct that contains only {lost} is dropped")
    return effects


def rejection_of_update(member: Member) -> str:
    """Return why an update of a client that does not know the field is rejected; empty if it is not.

    A computed default may have another result after the update.
    """
    words = [keyword.value for keyword in (Keyword.IMMUTABLE, Keyword.UPDATE) if keyword in member.constraints]
    is_computed = isinstance(member.initial, Computed)
    return f"`{words[0]}` rejects another result of its default" if words and is_computed else ""


def _arrival(writer: Member, reader: Member, *, is_validated: bool, is_validated_when_written: bool) -> str:
    """Return the effect on the zero of the writer; empty without one, or if another rule reports it.

    `is_validated`: it is validated even if the struct is omitted; `is_validated_when_written`: at least if protobuf writes it.
    """
    state = writer.initial
    if state != writer.start:
        return ""  # then the struct is not omitted there
    arrived = reader.initial
    reason = rejection(reader, arrived) if is_validated else ""
    if reason:
        return f"they are rejected: {reason}"
    if arrived not in (reader.start, state):
        return f"they get {state_in_words(arrived)}"
    reason = _rejection_on_wire(writer, reader) if is_validated_when_written else ""
    return f"they are rejected in protobuf, which writes the zero: {reason}" if reason else ""


def _rejection_on_wire(writer: Member, reader: Member) -> str:
    """Return why the zero that protobuf writes is rejected: a reader with explicit presence validates a struct that is not zero."""
    sent = on_wire(writer, writer.start)
    if isinstance(sent, Missing):
        return ""
    arrived = filled(reader, read(reader, sent))
    return "" if arrived == reader.start else rejection(reader, arrived)


def _departure(writer: Member, reader: Member) -> str:
    """Return a value that is distinct from unset only for the writer: for the reader, a struct with only it is zero, and omitted."""
    for state in (writer.initial, writer.zero):
        if isinstance(state, Computed | Missing) or state == writer.start or rejection(writer, state):
            continue
        sent = written(writer, state)
        if not isinstance(sent, Missing) and filled(reader, read(reader, sent)) == reader.start:
            return shown(state)
    return ""


def _statuses(surface: Surface) -> Iterator[Struct]:
    """Yield the structs of statuses that are always present, of kinds that have status as a subresource."""
    for version in surface.versions():
        for kind in version.kinds.values():
            root = surface.type(kind.root) if _STATUS in kind.subresources else None
            field = root.fields.get(_STATUS) if isinstance(root, Struct) else None
            if field is None:
                continue
            member, status = member_of(surface, field), definition(surface, field.slot.type)
            if isinstance(status, Struct) and member.initial is not None:
                yield status


def added_effects(member: Member, unknown: UnknownFields) -> dict[Direction, Effect]:
    """Return the effects of a field that the base does not know; `unknown`: how it treats unknown fields."""
    effects: dict[Direction, Effect] = {}
    state = member.initial
    reason = _reason(member, state)
    if reason:
        effects[Direction.OLD_CLIENT] = breaks(f"older clients, which do not send it, are rejected: {reason}")
        effects[Direction.STORED] = breaks(f"updates of stored objects without it are rejected: {reason}")
    else:
        cleared = rejection_when_cleared(member)
        if cleared:
            text = f"older clients are rejected by a server that clears the field while its gate is disabled: {cleared}"
            effects[Direction.OLD_CLIENT] = depends(text)
        if _is_rewritten(member, state):
            text = f"stored objects, which do not have it, are rewritten with {state_in_words(state)}"
            effects[Direction.STORED] = depends(text)
    if unknown is UnknownFields.KEPT:
        sent = "older clients may send an undeclared field of this name, which was not validated like this field"
        stored = "stored objects may have an undeclared field of this name, which was not validated like this field"
        return joined((effects, {Direction.OLD_CLIENT: depends(sent), Direction.STORED: depends(stored)}))
    if unknown is UnknownFields.REJECTED:
        effects[Direction.NEW_CLIENT] = breaks("an older server rejects objects with unknown fields")
        effects[Direction.ROLLBACK] = breaks("the previous release rejects objects with unknown fields")
        return effects
    text = "an older server drops the value of newer clients, or rejects it if it is strict"
    effects[Direction.NEW_CLIENT] = depends(text)
    effects[Direction.ROLLBACK] = depends("the previous release drops it when it writes the object")
    return effects


def is_always_present(member: Member) -> bool:
    """Return whether objects without the field are written with it, although it has no default."""
    return isinstance(member.default, Missing) and not isinstance(written(member, member.start), Missing | None)


def removed_effects(member: Member, unknown: UnknownFields) -> dict[Direction, Effect]:
    """Return the effects of a field that the revision does not know; `unknown`: how it treats unknown fields."""
    effects = _lost(unknown)
    state = member.initial
    reason = _reason(member, state)
    if reason:
        effects[Direction.NEW_CLIENT] = breaks(f"an older server rejects objects without it: {reason}")
        effects[Direction.ROLLBACK] = breaks(f"the previous release rejects objects without it: {reason}")
    else:
        words = "the field unset" if state is None else state_in_words(state)
        unvalidated = ", or a value that was not validated like the field" if unknown is UnknownFields.KEPT else ""
        effects[Direction.ROLLBACK] = depends(
            f"the previous release finds {words} in objects that the newer one wrote{unvalidated}"
        )
        cleared = rejection_when_cleared(member)
        if cleared:
            text = f"an older server rejects objects, because it clears the field while its gate is disabled: {cleared}"
            effects[Direction.NEW_CLIENT] = depends(text)
    text = "newer clients may set an undeclared field of this name to a value that an older server rejects"
    return joined((effects, {Direction.NEW_CLIENT: depends(text)} if unknown is UnknownFields.KEPT else {}))


def example_of(member: Member, side: Side) -> tuple[Example, ...]:
    """Return a value of the field, written by the side that knows it; empty if a random one might be rejected."""
    if member.form is Form.STRUCT or slot_violation(member.slot, member.sample):
        return ()
    return (Example(side, member.sample),)


def _lost(unknown: UnknownFields) -> dict[Direction, Effect]:
    if unknown is UnknownFields.KEPT:
        kept = depends("it remains in objects as an undeclared field that is no longer validated")
        return alike(kept, Direction.OLD_CLIENT, Direction.STORED)
    if unknown is UnknownFields.REJECTED:
        rejected = breaks("objects with unknown fields are rejected")
        return alike(rejected, Direction.OLD_CLIENT, Direction.STORED)
    return {
        Direction.OLD_CLIENT: breaks("the server drops the value of older clients, or rejects it if it is strict"),
        Direction.STORED: breaks("the value in stored objects is dropped when they are read"),
    }


def _reason(member: Member, state: State) -> str:
    """Return why an object without the field is rejected; a schema that requires it may reject what generated code accepts."""
    reason = rejection(member, state)
    is_filled = state is not None and not isinstance(member.default, Missing)
    return reason or ("its schema requires it" if member.required and state is None and not is_filled else "")


def _is_rewritten(member: Member, state: State) -> bool:
    """Return whether an object without the field is rewritten with it; zero may be omitted, and defaults of readers are."""
    of_readers = member.slot.default is not None and member.slot.default.of_readers
    return not of_readers and not isinstance(written(member, state), Missing | None)
