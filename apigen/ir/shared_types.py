"""What resolving one side of a comparison has come to, for the other: most types say the same, and name what is the same.

Both sides then have the same values of the IR. A type is taken over where everything that it was made of is the same: what is
written of it (the very same value, as both sides were read by one `SharedFiles`), what the lock has of it, its kind, and what
the types are that it names. What was taken over was resolved without an error there, and would be here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.ir.context import VersionContext
from apigen.ir.inlining import Draft
from apigen.ir.model import Kind, Struct, TypeDef
from apigen.ir.scope import Names, TypesByName
from apigen.ir.types import ListType, MapType, NamedType, StructType, Type, TypeId
from apigen.spec.model import LifecycleSpec, ListExpr, LockedType, MapExpr, NamedExpr, TypeExpr, TypeSpec

Read = Draft | TypeDef
"""A type as it was read: a struct without what stands inline in it."""

_NO_TYPES: TypesByName = {}


class SharedTypes:
    """The types of one side; with `first`, those of the second, which takes over what it can from that one.

    `read` are they without what stands inline in them, `flat` the structs with that, `types` all of them as they are in the
    end: whoever resolves a side leaves them here.
    """

    def __init__(self, first: SharedTypes | None = None) -> None:
        self._first = first
        self._given: dict[TypeId, _Given] = {}
        self._names = Names({})
        self._differing: frozenset[TypeId] = frozenset()
        self._differing_names: frozenset[str] = frozenset()
        self.read: Mapping[TypeId, Read] = {}
        self.flat: Mapping[TypeId, Struct] = {}
        self.types: Mapping[TypeId, TypeDef] = {}

    def begin(self, names: Names) -> None:
        """Say what the names of this side mean."""
        self._names = names
        if self._first is not None:
            self._differing = frozenset(_differing(self._first._names, names))
            self._differing_names = frozenset(id_.name for id_ in self._differing)

    def taken(self, spec: TypeSpec, locked: LockedType | None, context: VersionContext) -> Read | None:
        """What the other side read of a type; None where anything about it is another."""
        id_ = context.id(spec.name)
        given = self._given[id_] = _given(spec, locked, context)
        known = None if self._first is None else self._first._given.get(id_)
        if self._first is None or known is None or given != known or _looks_around(given):
            return None
        if id_ in self._differing or self._names_differing(spec, id_):
            return None
        return self._first.read.get(id_)

    def _names_differing(self, spec: TypeSpec, id_: TypeId) -> bool:
        """Whether a type names one that is not the same on both sides; what is built in may have the name of one that is."""
        names = self._differing_names
        return any(
            each.name in names
            and TypeId(each.group or id_.group, each.version or id_.version, each.name) in self._differing
            for each in _names_in(spec)
        )

    def flattened(
        self, id_: TypeId, draft: Draft, inlined: Iterable[TypeId], flat: Mapping[TypeId, Struct]
    ) -> Struct | None:
        """The struct of the other side, where its draft is this one, and so is all that stands inline in it."""
        first = self._first
        if first is None or first.read.get(id_) is not draft:
            return None
        return first.flat.get(id_) if all(first.flat.get(each) is flat[each] for each in inlined) else None

    def settled(self, id_: TypeId, type_: TypeDef) -> TypeDef:
        """The type of the other side in place of one that says the same."""
        known = None if self._first is None else self._first.types.get(id_)
        if not isinstance(known, Struct) or not isinstance(type_, Struct) or known is type_:
            return type_
        return known if known.fields is type_.fields and known == type_ else type_


@dataclass(frozen=True, slots=True)
class _Given:
    """What a type was made of, beside the types that it names. `lifecycle` is that of its version, where it takes part in it."""

    spec: TypeSpec
    locked: tuple[object, ...] | None
    kind: Kind | None
    list_of: str | None
    lifecycle: LifecycleSpec | None
    wire_name: str | None


def _given(spec: TypeSpec, locked: LockedType | None, context: VersionContext) -> _Given:
    kind, list_of = context.kinds.get(spec.name), context.lists.get(spec.name)
    lifecycle = None if kind is None and list_of is None else context.lifecycle
    wire_name = context.lifecycles.wire_names.get(context.scope.group)
    return _Given(spec, None if locked is None else _numbers(locked), kind, list_of, lifecycle, wire_name)


def _numbers(locked: LockedType) -> tuple[object, ...]:
    """What a lock says of a type, but for where it says so."""
    fields = tuple((field.json_name, field.py_name, field.number) for field in locked.fields)
    return fields, locked.highest, locked.reserved


def _looks_around(given: _Given) -> bool:
    """Whether a type says something of others that is bound when it is read: what replaces it, or whose fields it has."""
    replacements = given.spec.lifecycle.replacement, given.lifecycle and given.lifecycle.replacement
    return given.spec.taken_from is not None or any(each is not None for each in replacements)


def _differing(old: Names, new: Names) -> Iterator[TypeId]:
    """The names that do not mean the same on both sides."""
    for group in old.groups.keys() | new.groups.keys():
        before, after = old.groups.get(group, {}), new.groups.get(group, {})
        for version in before.keys() | after.keys():
            mine, theirs = before.get(version, _NO_TYPES), after.get(version, _NO_TYPES)
            for name in mine.keys() | theirs.keys():
                if name not in mine or name not in theirs or not _is_same(mine[name], theirs[name]):
                    yield TypeId(group, version, name)


def _is_same(old: Type | None, new: Type | None) -> bool:
    """Whether two types are equal, and say the same of kinds within objects, which makes no difference to equality."""
    match old, new:
        case StructType(), StructType():
            return old == new and old.has_type_meta == new.has_type_meta
        case ListType(), ListType():
            return _is_same(old.item, new.item)
        case MapType(), MapType():
            return _is_same(old.key, new.key) and _is_same(old.value, new.value)
        case NamedType(), NamedType():
            return (old.id, old.nullable) == (new.id, new.nullable) and _is_same(old.target, new.target)
    return old == new


def _names_in(spec: TypeSpec) -> Iterator[NamedExpr]:
    """The types that a type says by itself, as it says them."""
    for expr in (spec.alias, *(field.type for field in spec.fields)):
        if isinstance(expr, NamedExpr):
            yield expr
        elif expr is not None:
            yield from _named(expr)


def _named(expr: TypeExpr) -> Iterator[NamedExpr]:
    match expr:
        case NamedExpr():
            yield expr
        case ListExpr(item):
            yield from _named(item)
        case MapExpr(key, value):
            yield from _named(key)
            yield from _named(value)
