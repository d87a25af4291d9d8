"""Second pass: one declared type of a version, from spec to IR; structs stay drafts until inline fields are flattened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeGuard

from apigen.dataclass import replace
from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import quote
from apigen.ir.context import VersionContext, tombstones
from apigen.ir.history import check_history, remembered
from apigen.ir.inlining import Draft
from apigen.ir.lifecycle import check_order
from apigen.ir.members import Member, MemberReader, element_lifecycle
from apigen.ir.model import NO_LIFECYCLE, Alias, Enum, EnumValue, Field, Inline, Lifecycle, Release, Struct
from apigen.ir.names import field_name, given_name_problem, member_name, snake_case
from apigen.ir.numbers import Ledger, reserved_numbers
from apigen.ir.run import Run
from apigen.ir.second_hubs import second_hub
from apigen.ir.stability import next_release
from apigen.ir.types import NamedType, TypeId
from apigen.language.model import EnumValueSpec, FieldSpec, LifecycleSpec, Located, LockedType, TypeForm, TypeSpec


class PyNames:
    """Assign Python names to the members of one type; `locked` is its entry in the lock, `lock` the location of the
    entry.
    """

    def __init__(self, locked: LockedType | None, lock: Place | None, run: Run) -> None:
        self._locked_fields = {field.json_name: field for field in locked.fields} if locked else {}
        self._known = {name: field.py_name for name, field in self._locked_fields.items() if field.py_name}
        self._lock = lock
        self._run = run

    def fields(self, specs: Iterable[FieldSpec]) -> Mapping[str, str]:
        """The Python names of a struct's fields by JSON name; those that cannot be named are omitted."""
        names: dict[str, str] = {}
        for spec in specs:
            if not spec.inline:
                self._name(spec.name, spec.place, spec.py_name, field_name(spec.name), names)
        return names

    def values(self, specs: Iterable[EnumValueSpec]) -> Mapping[str, str]:
        """The member names of an enum by value; those that cannot be named are omitted."""
        names: dict[str, str] = {}
        for spec in specs:
            self._name(spec.name, spec.place, spec.py_name, member_name(spec.name), names)
        return names

    def _name(
        self, name: str, place: Place, declared: Located[str] | None, derived: str | None, names: dict[str, str]
    ) -> None:
        known = self._known.get(name)
        if declared is not None:
            if self._is_usable(name, declared, known):
                names[name] = declared.value
        elif known is not None:
            names[name] = known
        elif derived is not None:
            names[name] = derived
        else:
            self._run.error(
                "AG0311",
                place,
                f"no Python name can be derived from {quote(name)}",
                hint="set one with `pyName:`",
            )

    def _is_usable(self, name: str, declared: Located[str], known: str | None) -> bool:
        problem = given_name_problem(declared.value)
        if problem is not None:
            self._run.error("AG0312", declared.place, f"the Python name {quote(declared.value)} {problem}")
            return False
        if known is not None and known != declared.value:
            self._run.error(
                "AG0410",
                declared.place,
                f"{quote(name)} has the assigned Python name `{known}`, not {quote(declared.value)}",
                hint=f"write `pyName: {known}`, or remove it",
                related=remembered(self._locked_fields.get(name), self._lock, f"`{known}`"),
            )
            return False
        return True


def read_enum(spec: TypeSpec, locked: LockedType | None, context: VersionContext) -> Enum:
    """The enum with the values that have a name in Python."""
    id_ = context.id(spec.name)
    _check(id_, spec, context)
    py_names = PyNames(locked, context.lock_place, context.run).values(spec.values)
    values = []
    for value in spec.values:
        if value.name not in py_names:
            context.run.leave_out(id_, value.name)
            continue
        values.append(
            EnumValue(
                value=value.name,
                py_name=py_names[value.name],
                place=value.place,
                doc=value.doc.value if value.doc else None,
                gate=value.feature_gate,
                lifecycle=element_lifecycle(value.lifecycle, id_, context.lifecycles),
                tolerated=_tolerated(value, context),
            )
        )
    return Enum(
        id=id_,
        place=spec.place,
        values=tuple(values),
        snake_name=snake_case(spec.name),
        doc=spec.doc.value if spec.doc else None,
        unknown=spec.unknown.value if spec.unknown else None,
        open=spec.open,
        closed=spec.closed,
        tombstones=tombstones(spec.tombstones, locked),
        hub_name=spec.hub.value if spec.hub else None,
        ignore=spec.ignore,
    )


def _tolerated(spec: EnumValueSpec, context: VersionContext) -> Release | None:
    """The first of the two releases in which a value is rolled out; the second one is a later one."""
    if spec.tolerated is None:
        return None
    tolerated, introduced = spec.tolerated.value, spec.lifecycle.introduced
    if introduced is not None and introduced.value <= tolerated:
        context.run.error(
            "AG0541",
            introduced.place,
            f"introduced in {introduced.value}, but tolerated from {tolerated} on",
            hint=f'introduce it in the next release or later: `introduced: "{next_release(tolerated)}"`',
            related=[Related(spec.tolerated.place, "tolerated from this release on")],
        )
    return tolerated


def _check(id_: TypeId, spec: TypeSpec, context: VersionContext) -> None:
    run = context.run
    known = [value.name for value in spec.values]
    if not known and not run.is_broken(id_):
        run.error(
            "AG0316", spec.place, f"`{spec.name}` has no values", hint="declare `is: string` for arbitrary strings"
        )
    if spec.unknown is None or spec.unknown.value in known or run.is_broken_member(id_, spec.unknown.value):
        return
    run.error(
        "AG0318",
        spec.unknown.place,
        f"`unknown: {spec.unknown.value}` is not a value of the enum `{spec.name}`",
        hint=run.did_you_mean(spec.unknown.value, known),
    )


def read_type(spec: TypeSpec, locked: LockedType | None, context: VersionContext) -> Draft | Enum | Alias | None:
    """Return a type with everything bound that does not depend on other types. None for a broken alias."""
    if spec.taken_from is None:  # its history is that of the struct whose fields it copies
        check_history(context.id(spec.name), spec, locked, context.lock_place, context.run)
    if spec.form is not TypeForm.STRUCT:
        _reject_lifecycle(spec, context)
    match spec.form:
        case TypeForm.ENUM:
            return read_enum(spec, locked, context)
        case TypeForm.ALIAS:
            return _alias(spec, context)
    return _struct(spec, locked, context)


def _struct(spec: TypeSpec, locked: LockedType | None, context: VersionContext) -> Draft:
    id_ = context.id(spec.name)
    py_names = PyNames(locked, context.lock_place, context.run).fields(spec.fields)
    numbers = _numbers(spec, locked, context)
    reader = MemberReader(id_, context, py_names, numbers)
    members = tuple(member for member in map(reader.read, spec.fields) if member is not None)
    list_of = context.lists.get(spec.name)
    struct = Struct(
        id=id_,
        place=spec.place,
        fields=_fields(members),
        snake_name=snake_case(spec.name),
        doc=spec.doc.value if spec.doc else None,
        tombstones=tombstones(spec.tombstones, locked),
        reserved=reserved_numbers(spec, locked),
        defaults=spec.defaults,
        lenses=spec.lenses,
        hub_only=spec.hub_only,
        second_hubs=tuple(second_hub(second, id_) for second in spec.also_hub),
        gates=spec.gates,
        constraints=spec.constraints,
        merge=spec.merge,
        lifecycle=_lifecycle(spec, list_of, context),
        hub_name=spec.hub.value if spec.hub else None,
        kind=context.kinds.get(spec.name),
        list_of=context.id(list_of) if list_of is not None else None,
        ignore=spec.ignore,
    )
    return Draft(struct, members, spec.unions)


def _numbers(spec: TypeSpec, locked: LockedType | None, context: VersionContext) -> Mapping[str, int]:
    """The numbers of the fields in protobuf; none, in a group without it."""
    if context.has_protobuf:
        return Ledger(spec, locked, context.lock_place, context.run).assign()
    for field in spec.fields:
        if field.protobuf is not None and spec.name not in context.lists:
            message = f"{quote(field.name)} has a number, but the group declares `protobuf: none`"
            context.run.error("AG0413", field.protobuf.place, message, hint="remove one of the two")
    return {}


def _fields(members: tuple[Member, ...]) -> tuple[Field, ...]:
    """Return the members if all of them are fields with different names, so that flattening has no effect; otherwise an
    empty tuple.
    """
    fields = members if _are_fields(members) else ()
    return fields if len({field.json_name for field in fields}) == len(fields) else ()


def _are_fields(members: tuple[Member, ...]) -> TypeGuard[tuple[Field, ...]]:
    return not any(isinstance(member, Inline) for member in members)


def _alias(spec: TypeSpec, context: VersionContext) -> Alias | None:
    id_ = context.id(spec.name)
    named = context.scope.names.groups[id_.group][id_.version].get(spec.name)
    if not isinstance(named, NamedType):
        return None
    return Alias(
        id=id_,
        place=spec.place,
        target=named.target,
        snake_name=snake_case(spec.name),
        nullable=named.nullable,
        doc=spec.doc.value if spec.doc else None,
        constraints=spec.constraints,
        item_constraints=spec.item_constraints,
        key_constraints=spec.key_constraints,
        value_constraints=spec.value_constraints,
        merge=spec.merge,
        hub_name=spec.hub.value if spec.hub else None,
        ignore=spec.ignore,
    )


def _lifecycle(spec: TypeSpec, list_of: str | None, context: VersionContext) -> Lifecycle:
    """Return the lifecycle of a kind or its list: that of its type, completed with that of its version."""
    own, version = spec.lifecycle, context.lifecycle
    kind = list_of or spec.name
    if kind not in context.kinds:
        _reject_lifecycle(spec, context)
        return NO_LIFECYCLE
    merged = LifecycleSpec(
        introduced=own.introduced or version.introduced,
        deprecated=own.deprecated or version.deprecated,
        removed=own.removed or version.removed,
        replacement=own.replacement,
    )
    read = context.lifecycles.read(merged, kind)
    check_order(merged, context.run)
    replacement = read.replacement or context.lifecycles.of_version(version.replacement, kind)
    if replacement is not None and list_of is not None and not replacement.kind.endswith("List"):
        replacement = replace(replacement, kind=f"{replacement.kind}List")
    return replace(read, replacement=replacement)


def _reject_lifecycle(spec: TypeSpec, context: VersionContext) -> None:
    own = spec.lifecycle
    first = own.introduced or own.deprecated or own.removed or own.replacement
    if first is not None and not context.run.broken.kind(context.scope.group, spec.name):
        message = f"`{spec.name}` is not a kind; only kinds have a lifecycle of their own"
        context.run.error("AG0543", first.place, message, hint="declare it on the fields that use the type")
