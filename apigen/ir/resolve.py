"""Spec model to IR: every name, number and type bound, everything checked that needs no hub.

Each declared type of a version is read on its own; structs stay drafts until inline fields are flattened: the parent gets the
fields of the inline struct, in place of the inline field. Kinds that are (`is:`) a struct declared elsewhere become structs of
their own, with the fields of that one: Kubernetes registers types of meta/v1, such as `ListOptions`, as kinds of other groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeGuard

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.quoting import listing, quote
from apigen.ir.checks import Checks
from apigen.ir.features import resolve_features
from apigen.ir.graphs import MOST_SHOWN, ring, walk
from apigen.ir.groups import (
    LifecycleReader,
    check_groups,
    check_order,
    check_second_hubs,
    lifecycle_of,
    lifecycle_readers,
    lists_of,
    operations_of,
    resolve_group,
    resolve_kinds,
    second_hub,
    with_lists,
)
from apigen.ir.model import (
    NO_LIFECYCLE,
    Alias,
    Api,
    Enum,
    EnumValue,
    Field,
    Inline,
    Kind,
    Lifecycle,
    NamedType,
    Presence,
    Release,
    Replacement,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    struct_in,
    underlying,
)
from apigen.ir.names import field_name, given_name_problem, is_identifier, member_name, snake_case
from apigen.ir.numbers import Ledger, check_history, remembered, reserved_numbers
from apigen.ir.run import Run
from apigen.ir.scope import Names, Scope, declare, resolve_type
from apigen.ir.series import check_series, series_in, series_releases
from apigen.ir.stability import next_release
from apigen.ir.unions import resolve_unions
from apigen.language.model import NO_LIFECYCLE as NO_LIFECYCLE_SPEC
from apigen.language.model import (
    ApiSpec,
    EnumValueSpec,
    FieldSpec,
    GroupSpec,
    LifecycleSpec,
    Located,
    LockedType,
    LockFile,
    NamedExpr,
    Tombstone,
    TypeForm,
    TypeSpec,
    UnionSpec,
    VersionFile,
)
from apigen.language.shapes import declared


@dataclass(frozen=True, slots=True)
class VersionContext:
    """A version: its scope, its lock, its lifecycle and the kinds of its group, lists by name with their kind."""

    run: Run
    scope: Scope
    lock: LockFile | None
    lifecycle: LifecycleSpec
    lifecycles: LifecycleReader
    kinds: Mapping[str, Kind]
    lists: Mapping[str, str]
    has_protobuf: bool = True

    @property
    def lock_place(self) -> Place | None:
        """The location of the lock."""
        return self.lock.place if self.lock else None

    def id(self, name: str) -> TypeId:
        """The identity of a type of this version."""
        return TypeId(self.scope.group, self.scope.version, name)


def tombstones(declared: tuple[Tombstone, ...], locked: LockedType | None) -> tuple[Tombstone, ...]:
    """Return the tombstones of a type, in written order; those without a number have that of the lock."""
    known = {field.json_name: field.number for field in locked.fields} if locked else {}
    return tuple(_numbered(each, known.get(each.name)) for each in declared)


def _numbered(tombstone: Tombstone, number: int | None) -> Tombstone:
    if number is None or tombstone.protobuf is not None:
        return tombstone
    return replace(tombstone, protobuf=Located(number, tombstone.place))


Member = Field | Inline


class MemberReader:
    """Reads the fields of one struct."""

    def __init__(
        self, owner: TypeId, context: VersionContext, py_names: Mapping[str, str], numbers: Mapping[str, int]
    ) -> None:
        self._owner = owner
        self._context = context
        self._py_names = py_names
        self._numbers = numbers

    def read(self, spec: FieldSpec) -> Member | None:
        """Return the field, or None, with errors, if it must be omitted."""
        type_ = resolve_type(spec.type, self._context.scope, self._context.run) if spec.type else None
        member = None
        if type_ is not None:
            member = self._inline(spec, type_) if spec.inline else self._field(spec, type_)
        if member is None:
            self._context.run.leave_out(self._owner, spec.name)
        return member

    def _field(self, spec: FieldSpec, type_: Type) -> Field | None:
        py_name = self._py_names.get(spec.name)
        if py_name is None:
            return None
        presence = _presence(spec)
        if spec.hub_type is not None and struct_in(type_) is None:
            message = f"`hubType` is for structs, and {quote(spec.name)} is {type_}"
            self._context.run.error("AG0602", spec.hub_type.place, message, hint="remove `hubType`")
        is_always_written = presence in (Presence.PLAIN, Presence.NULLABLE)
        return Field(
            json_name=spec.name,
            py_name=py_name,
            type=type_,
            presence=presence,
            place=spec.place,
            required=spec.required.value if spec.required is not None else is_always_written,
            number=self._numbers.get(spec.name),
            protobuf_name=_protobuf_name(spec, py_name),
            doc=spec.doc.value if spec.doc else None,
            default=spec.default,
            defaults=spec.defaults,
            hub=spec.hub,
            hub_type=spec.hub_type,
            gate=spec.feature_gate,
            constraints=spec.constraints,
            item_constraints=spec.item_constraints,
            key_constraints=spec.key_constraints,
            value_constraints=spec.value_constraints,
            merge=spec.merge,
            lifecycle=element_lifecycle(spec.lifecycle, self._owner, self._context.lifecycles),
            ignore=spec.ignore,
        )

    def _inline(self, spec: FieldSpec, type_: Type) -> Inline | None:
        struct = underlying(type_)
        if not isinstance(struct, StructType):
            place = spec.type.place if spec.type else spec.place
            self._context.run.error("AG0313", place, f"only a struct can be inline, but the type is `{type_}`")
            return None
        idle = _idle_words(spec)
        if idle:
            self._context.run.error(
                "AG0503",
                spec.place,
                f"{quote(spec.name)} is inline and has no value of its own, so {listing(idle, 'and')} cannot apply",
                hint="declare it on the fields of the struct",
            )
        return Inline(
            name=spec.name,
            type=struct,
            number=self._numbers.get(spec.name),
            protobuf_name=_protobuf_name(spec, spec.name),
            place=spec.place,
            doc=spec.doc.value if spec.doc else None,
            ignore=spec.ignore,
            defaults=spec.defaults,
        )


def _presence(spec: FieldSpec) -> Presence:
    """The loader has seen to it that at most one flag is set."""
    if spec.nullable:
        return Presence.NULLABLE
    if spec.optional:
        return Presence.OPTIONAL
    return Presence.OMIT_EMPTY if spec.omit_empty else Presence.PLAIN


def element_lifecycle(spec: LifecycleSpec, owner: TypeId, reader: LifecycleReader) -> Lifecycle:
    """Return the lifecycle of a field or enum value; its replacement is in the same type."""
    if spec is NO_LIFECYCLE_SPEC or spec == NO_LIFECYCLE_SPEC:
        return NO_LIFECYCLE
    check_order(spec, reader.run)
    replacement = None
    if spec.replacement is not None:
        wire = reader.wire_names.get(owner.group, owner.group)
        replacement = Replacement(wire, owner.version, owner.name, spec.replacement.value)
    return lifecycle_of(spec, replacement)


def _protobuf_name(spec: FieldSpec, fallback: str) -> str:
    """Return the name in `.proto` files: the declared one, the JSON name, or the Python name if the JSON name is not an
    identifier.
    """
    if spec.protobuf_name is not None:
        return spec.protobuf_name.value
    return spec.name if is_identifier(spec.name) else fallback


def _idle_words(spec: FieldSpec) -> tuple[str, ...]:
    words = {
        "nullable": spec.nullable,
        "optional": spec.optional,
        "omitEmpty": spec.omit_empty,
        "required": spec.required is not None,
        "pyName": spec.py_name is not None,
        "default": bool(spec.default),
        "hub": spec.hub is not None,
        "hubType": spec.hub_type is not None,
        "featureGate": spec.feature_gate is not None,
    }
    blocks = (declared(block) for block in (spec.constraints, spec.merge, spec.lifecycle))
    return (*(word for word, is_set in words.items() if is_set), *chain.from_iterable(blocks))


MAX_INLINE_DEPTH = 16
"""Maximum nesting of inline structs; Kubernetes needs two levels."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A struct with its members in declared order: inline fields are not flattened, and unions are not bound.

    `struct` has no members yet, unless all of them are fields.
    """

    struct: Struct
    members: tuple[Member, ...]
    unions: tuple[UnionSpec, ...] = ()


def flatten(
    drafts: Mapping[TypeId, Draft],
    run: Run,
    series: Mapping[str, str],
) -> dict[TypeId, Struct]:
    """All structs with their fields; inline fields that lead back to themselves or bring a name twice are reported.

    `series` are the release series of groups, by folder.
    """

    def flattened(id_: TypeId, members: tuple[Member, ...]) -> Struct:
        if drafts[id_].struct.fields is members:
            return drafts[id_].struct
        return _Flattener(drafts[id_].struct, run, series).flatten(members, flat)

    inlining = {id_: draft for id_, draft in drafts.items() if any(isinstance(m, Inline) for m in draft.members)}
    walked = walk(inlining, lambda id_: _inlined(drafts[id_].members, drafts))
    flat: dict[TypeId, Struct] = {}
    flat |= {id_: flattened(id_, draft.members) for id_, draft in drafts.items() if id_ not in inlining}
    depth = dict.fromkeys(flat, 0)
    for cycle in walked.cycles:
        _report_cycle(cycle, drafts, run)
    for id_ in (each for each in walked.order if each in inlining):
        draft = drafts[id_]
        members = tuple(m for m in draft.members if isinstance(m, Field) or m.type.id in flat)
        depth[id_] = max((depth[n] + 1 for n in _inlined(members, drafts)), default=0)
        if depth[id_] > MAX_INLINE_DEPTH:
            run.error(
                "AG0313",
                draft.struct.place,
                f"structs are inlined in `{id_.name}` more than {MAX_INLINE_DEPTH} levels deep",
            )
            members, depth[id_] = tuple(m for m in members if isinstance(m, Field)), 0
        for left_out in {m.name for m in draft.members if isinstance(m, Inline)} - {_name(m) for m in members}:
            run.leave_out(id_, left_out)
        flat[id_] = flattened(id_, members)
    return {id_: flat[id_] for id_ in drafts}


def with_inlined_blocks(structs: Mapping[TypeId, TypeDef], series: Mapping[str, str]) -> dict[TypeId, TypeDef]:
    """Return the types with the unions, defaults and lenses of the structs inlined in them.

    A struct of another release series contributes its unions, and its defaults if the inline field opts in.
    """
    return {
        id_: _with_blocks(t, structs, series) if isinstance(t, Struct) and t.inlines else t
        for id_, t in structs.items()
    }


def _with_blocks(struct: Struct, structs: Mapping[TypeId, TypeDef], series: Mapping[str, str]) -> Struct:
    unions, defaults = list(struct.unions), list(struct.defaults)
    lenses, hub_only = list(struct.lenses), list(struct.hub_only)
    for inline in struct.inlines:
        inner = structs[inline.type.id]
        if isinstance(inner, Struct):
            via = (*inline.via, inline.name)
            unions += [replace(union, via=via) for union in inner.unions]
            is_value = series.get(inner.id.group) != series.get(struct.id.group)
            if not is_value or inline.defaults:
                defaults += inner.defaults
            if not is_value:
                lenses += inner.lenses
                hub_only += inner.hub_only
    return replace(
        struct, unions=tuple(unions), defaults=tuple(defaults), lenses=tuple(lenses), hub_only=tuple(hub_only)
    )


def _as_value(field: Field, inline: Inline) -> Field:
    """A field of a struct of another release series: its gate, lifecycle and lens, and mostly its default, do not
    apply.
    """
    default = field.default if inline.defaults else ()
    return replace(field, gate=None, lifecycle=NO_LIFECYCLE, hub=None, default=default, defaults=inline.defaults)


class _Flattener:
    """Collect the fields of one struct, and report repeated names."""

    def __init__(self, struct: Struct, run: Run, series: Mapping[str, str]) -> None:
        self._struct = struct
        self._series = series
        self._run = run
        self._names: dict[str, Place] = {}
        self._fields: list[Field] = []
        self._inlines: dict[TypeId, Inline] = {}

    def flatten(self, members: Iterable[Member], flat: Mapping[TypeId, Struct]) -> Struct:
        for member in members:
            if isinstance(member, Field):
                self._add_field(member, member.place)
            elif self._claim(member.name, member.place, member.place):
                self._stand_in(member, flat[member.type.id])
        return replace(self._struct, fields=tuple(self._fields), inlines=tuple(self._inlines.values()))

    def _stand_in(self, inline: Inline, inner: Struct) -> None:
        inlines = [inline, *(replace(i, via=(inline.name, *i.via)) for i in inner.inlines)]
        for one in inlines:
            first = self._inlines.get(one.type.id)
            if first is not None:
                self._run.error(
                    "AG0313",
                    inline.place,
                    f"the fields of `{one.type.id.name}` are inlined in `{self._struct.id.name}` twice",
                    related=[Related(first.place, "here first")],
                )
                self._run.leave_out(self._struct.id, inline.name)
                return
        self._inlines |= {one.type.id: one for one in inlines}
        for name in self._run.left_out(inner.id):
            self._run.leave_out(self._struct.id, name)
        is_value = self._series.get(inner.id.group) != self._series.get(self._struct.id.group)
        for field in inner.fields:
            if is_value:
                field = _as_value(field, inline)
            self._add_field(replace(field, via=(inline.name, *field.via)), inline.place)

    def _add_field(self, field: Field, here: Place) -> None:
        if self._claim(field.json_name, field.place, here):
            self._fields.append(field)

    def _claim(self, name: str, place: Place, here: Place) -> bool:
        first = self._names.get(name)
        if first is None:
            self._names[name] = place
            return True
        self._run.error(
            "AG0314",
            here,
            f"{quote(name)} is declared twice in `{self._struct.id.name}`, at least once by an inlined struct",
            hint="rename one of them, or remove `inline: true`",
            related=[Related(p, "one is here") for p in (first, place) if p != here],
        )
        return False


def _inlined(members: Iterable[Member], drafts: Mapping[TypeId, Draft]) -> tuple[TypeId, ...]:
    return tuple([m.type.id for m in members if isinstance(m, Inline) and m.type.id in drafts])


def _name(member: Member) -> str:
    return member.name if isinstance(member, Inline) else member.json_name


def _report_cycle(cycle: tuple[TypeId, ...], drafts: Mapping[TypeId, Draft], run: Run) -> None:
    first, *others = ring(cycle, lambda id_: drafts[id_].struct.place)[:MOST_SHOWN]
    run.error(
        "AG0315",
        drafts[first].struct.place,
        f"`{first.name}` contains itself: " + " has ".join(quote(id_.name) for id_ in (first, *others)) + " inline",
        related=[Related(drafts[o].struct.place, f"{quote(o.name)} is declared here") for o in others if o != first],
    )


_Specs = Mapping[TypeId, TypeSpec]


def with_alias_kinds(spec: ApiSpec) -> ApiSpec:
    """Return the spec with a struct for each kind that is an alias of a struct; other aliases are unchanged."""
    if not any(map(_has_alias_as_kind, spec.groups)):
        return spec
    types = {
        TypeId(group.folder, file.name, type_.name): type_
        for group in spec.groups
        for file in group.version_files
        for type_ in file.types
    }
    return replace(spec, groups=tuple(_of_group(group, types) for group in spec.groups))


def _has_alias_as_kind(group: GroupSpec) -> bool:
    kinds = frozenset(kind.name for kind in group.kinds)
    return any(t.form is TypeForm.ALIAS and t.name in kinds for file in group.version_files for t in file.types)


def _of_group(group: GroupSpec, types: _Specs) -> GroupSpec:
    kinds = frozenset(kind.name for kind in group.kinds)
    files = tuple(
        replace(file, types=tuple(_of_type(t, file, group, types) if t.name in kinds else t for t in file.types))
        for file in group.version_files
    )
    return replace(group, version_files=files)


def _of_type(spec: TypeSpec, file: VersionFile, group: GroupSpec, types: _Specs) -> TypeSpec:
    found = struct_behind(TypeId(group.folder, file.name, spec.name), types)
    if spec.form is not TypeForm.ALIAS or found is None:
        return spec
    source = NamedExpr(found.name, found.group, found.version, spec.place)
    return replace(spec, form=TypeForm.STRUCT, alias=None, alias_of=source)


def struct_behind(id_: TypeId, types: _Specs) -> TypeId | None:
    """Return the struct at the end of a chain of aliases; None if the chain ends at another type or is a cycle."""
    seen: set[TypeId] = set()
    while id_ not in seen:
        seen.add(id_)
        spec = types.get(id_)
        if spec is None or spec.form is TypeForm.STRUCT:
            return id_ if spec is not None else None
        if not isinstance(spec.alias, NamedExpr):
            return None
        id_ = TypeId(spec.alias.group or id_.group, spec.alias.version or id_.version, spec.alias.name)
    return None


def fill_alias_kinds(read: dict[TypeId, Draft | TypeDef], specs: Mapping[TypeId, TypeSpec]) -> None:
    """Fill the kinds in `read` that are aliases of a struct with all that the struct has."""
    for id_, spec in specs.items():
        draft = read.get(id_)
        if spec.alias_of is None or not isinstance(draft, Draft):
            continue
        source = read.get(TypeId(spec.alias_of.group or "", spec.alias_of.version or "", spec.alias_of.name))
        if isinstance(source, Draft):
            read[id_] = _with_contents_of(draft, source)


def _with_contents_of(draft: Draft, source: Draft) -> Draft:
    """The kind with all that `source` has: fields with their numbers, tombstones, unions, defaults, constraints."""
    source_struct = source.struct
    struct = replace(
        draft.struct,
        fields=source_struct.fields,
        doc=draft.struct.doc or source_struct.doc,
        tombstones=source_struct.tombstones,
        reserved=source_struct.reserved,
        defaults=source_struct.defaults,
        lenses=source_struct.lenses,
        hub_only=source_struct.hub_only,
        constraints=source_struct.constraints,
        merge=source_struct.merge,
        alias_of=source_struct.id,
    )
    return Draft(struct, source.members, source.unions)


class PyNames:
    """Assign Python names to the members of one type; `locked` is its entry in the lock, `lock` the location of the
    entry.
    """

    def __init__(self, locked: LockedType | None, lock: Place | None, run: Run) -> None:
        self._locked_fields = {field.json_name: field for field in locked.fields} if locked else {}
        self._known = {name: field.py_name for name, field in self._locked_fields.items() if field.py_name}
        self._lock = lock
        self._run = run

    def assign(
        self, specs: Iterable[FieldSpec | EnumValueSpec], derive: Callable[[str], str | None]
    ) -> Mapping[str, str]:
        """Return the Python names of members by their JSON names; those that cannot be named are omitted."""
        names: dict[str, str] = {}
        for spec in specs:
            self._name(spec.name, spec.place, spec.py_name, derive(spec.name), names)
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
    py_names = PyNames(locked, context.lock_place, context.run).assign(spec.values, member_name)
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
    if spec.alias_of is None:  # its history is that of the struct whose fields it copies
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
    named = (field for field in spec.fields if not field.inline)
    py_names = PyNames(locked, context.lock_place, context.run).assign(named, field_name)
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


def resolve(spec: ApiSpec, report: Report, *, is_checked: bool = True, release: Release | None = None) -> Api:
    """Return the IR of a spec folder. Errors are in `report`; broken parts are omitted from the IR.

    Later stages work on the result only if the report has no errors. Without `is_checked`, declarations are bound, but
    constraints, defaults and gates are not checked. `release` is the next release, which fixes name, if it is known.
    """
    run = Run(report, spec.broken, release, spec.left_features)
    check_groups(spec, run)
    spec = with_lists(with_alias_kinds(spec), run)
    check_second_hubs(spec, run)
    names = declare(spec, run)
    kinds = {group.folder: resolve_kinds(group, spec, run) for group in spec.groups}
    readers = lifecycle_readers(spec, run)
    groups = tuple(
        resolve_group(group, kinds[group.folder], readers[group.folder], series_in(spec, group.series))
        for group in spec.groups
    )
    features = resolve_features(spec, run)
    read = _read_types(
        version for g in spec.groups for version in _versions(g, kinds[g.folder], readers[g.folder], names, run)
    )
    series = {group.folder: group.series for group in groups}
    types = _flattened(read, run, series)
    plain = frozenset(id_ for group in groups for v in group.versions if not v.defaulted for id_ in v.types)
    checks = Checks(types, frozenset(feature.name for feature in features), operations_of(groups), run, plain)
    _bind_unions(read, types, checks)
    if is_checked:
        check_series(spec, run)
        from apigen.ir.check_types import check_types  # reviews do without

        check_types(groups, checks)
    releases = series_releases(spec, run)
    return Api(groups, features, with_inlined_blocks(types, series), spec.own_series, releases)


def _flattened(read: Mapping[TypeId, Draft | TypeDef], run: Run, series: Mapping[str, str]) -> dict[TypeId, TypeDef]:
    structs = flatten({id_: type_ for id_, type_ in read.items() if isinstance(type_, Draft)}, run, series)
    return {id_: structs[id_] if isinstance(type_, Draft) else type_ for id_, type_ in read.items()}


def _bind_unions(read: Mapping[TypeId, Draft | TypeDef], types: dict[TypeId, TypeDef], checks: Checks) -> None:
    """Put into `types` the structs with their unions, which name flattened fields."""
    for id_, draft in read.items():
        struct = types[id_]
        if isinstance(draft, Draft) and isinstance(struct, Struct) and draft.unions:
            types[id_] = replace(struct, unions=resolve_unions(draft.unions, struct, checks))


_Version = tuple[VersionContext, tuple[TypeSpec, ...]]


def _read_types(versions: Iterable[_Version]) -> Mapping[TypeId, Draft | TypeDef]:
    read: dict[TypeId, Draft | TypeDef] = {}
    alias_kinds: dict[TypeId, TypeSpec] = {}
    for context, types in versions:
        locked = {type_.name: type_ for type_ in context.lock.types} if context.lock else {}
        for spec in types:
            type_ = read_type(spec, locked.get(spec.name), context)
            if type_ is not None:
                read[context.id(spec.name)] = type_
            if spec.alias_of is not None:
                alias_kinds[context.id(spec.name)] = spec
    fill_alias_kinds(read, alias_kinds)
    return read


def _versions(
    group: GroupSpec, kinds: Iterable[Kind], reader: LifecycleReader, names: Names, run: Run
) -> Iterator[_Version]:
    """Yield the context and the types of each version, with the parts of the group that are resolved before its types."""
    lifecycles = {header.name: header.lifecycle for header in group.versions}
    locks = {lock.version: lock for lock in group.locks}
    for file in group.version_files:
        context = VersionContext(
            run=run,
            scope=Scope(names, group.folder, file.name),
            lock=locks.get(file.name),
            lifecycle=lifecycles.get(file.name, LifecycleSpec()),
            lifecycles=reader,
            kinds={kind.name: kind for kind in kinds},
            lists=lists_of(group),
            has_protobuf=group.has_protobuf,
        )
        yield context, file.types
