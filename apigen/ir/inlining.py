"""Flattens inline fields: the parent gets the fields of the inline struct, in place of the inline field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Related
from apigen.diagnostics.quoting import quote
from apigen.ir.graphs import MOST_SHOWN, ring, walk
from apigen.ir.members import Member
from apigen.ir.model import NO_LIFECYCLE, Field, Inline, Struct, TypeDef
from apigen.ir.run import Run
from apigen.ir.types import TypeId
from apigen.language.model import UnionSpec

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
