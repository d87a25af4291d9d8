"""Check that no data is lost silently: every hub field has a field in every version, or a declaration there.

Also the values of the hub that JSON in an annotation does not preserve, which are known once all types have plans.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import TypeGuard

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import listing
from apigen.hub.holding import fields_of, if_another_type, is_another_type, structs_in_fields
from apigen.hub.lenses.annotation import Carried, type_to_declare
from apigen.hub.lenses.drop import ByHand
from apigen.hub.lenses.named_list import NamedList
from apigen.hub.lenses.preserved import Preserved, Snapshot
from apigen.hub.lenses.request import hub_only_fix
from apigen.hub.proof import KnownLosses, Plans, Types, nested_types
from apigen.hub.steps import Side, Step, TypePlan
from apigen.ir.expressions import Converted, innermost
from apigen.ir.graphs import reached
from apigen.ir.model import (
    Field,
    Presence,
    Struct,
    TypeDef,
    TypeId,
    is_bytes,
    is_container,
    struct_behind,
    struct_in,
    struct_of,
)
from apigen.ir.stability import Stability, stability

Places = frozenset[str]
_MOST_TRAILS = 3
"""The most annotations that a fix names."""
_LONGEST_NAME = 63
"""Characters that the name of an annotation may have behind its prefix."""


def types_with_unmapped_fields(plans: Mapping[TypeId, TypePlan], types: Mapping[TypeId, TypeDef]) -> frozenset[TypeId]:
    """Return the version types that do not map, directly or below, all fields of their hub type.

    Their conversion alone loses these fields: a type that contains them maps them.
    """
    known: dict[TypeId, set[str]] = {}

    def unmapped(id_: TypeId) -> set[str]:
        if id_ in known:
            return known[id_]
        known[id_] = set()  # of a type that contains itself, only the outer one is examined
        plan, unmapped_places = plans[id_], set[str]()
        if not plan.restores_hub():
            own = plan.hub_places()
            unmapped_places.update(place for place, _ in uncovered(struct_of(plan.hub, types), "", own, types))
            for _, nested, _, place in nested_types(plan):
                unmapped_places |= {below for each in unmapped(nested) if (below := f"{place}.{each}") not in own}
        known[id_] = unmapped_places
        return unmapped_places

    return frozenset(id_ for id_ in plans if unmapped(id_))


def uncovered(
    hub: Struct, above: str, declared: Places, types: Mapping[TypeId, TypeDef]
) -> Iterator[tuple[str, Field]]:
    """Yield the hub fields below the path `above` that are not `declared`, with their paths."""
    for hub_field in hub.fields:
        place = f"{above}{hub_field.json_name}"
        if place in declared:
            continue
        if not any(d.startswith((f"{place}.", f"{place}[")) for d in declared):
            yield place, hub_field
            continue
        nested = struct_behind(hub_field.type, types)
        if nested is not None:
            yield from uncovered(nested, f"{place}.", declared, types)


@dataclass(frozen=True, slots=True)
class _Trail:
    """The hub path from a kind to a type in it."""

    kind: Struct
    path: str

    def below(self, place: str) -> _Trail:
        """Return the trail to a type at a hub path of this one."""
        return _Trail(self.kind, f"{self.path}.{place}" if self.path else place)

    @property
    def can_preserve(self) -> bool:
        """Return whether an annotation can hold a field: it holds one field of an object with metadata, not one of each
        element.
        """
        return "[]" not in self.path and self.kind.field("metadata") is not None

    def entry(self, place: str, as_type: str | None, *, is_named_by_path: bool) -> str:
        """Return the entry of `hubOnly:` that preserves a hub field of the type in an annotation of the kind."""
        path = f"{self.path}.{place}" if self.path else place
        name = path if is_named_by_path and len(path) <= _LONGEST_NAME else path.rpartition(".")[2]
        words = f"annotation: {self.kind.id.group}/{name}"
        if as_type is not None:
            words += f", as: {as_type}"
        return f"{path}: {{{words}}}"


@dataclass(slots=True)
class Coverage:
    """Checks places, not types: a hub field that a type above reaches by path counts as mapped there."""

    plans: Mapping[TypeId, TypePlan]
    types: Mapping[TypeId, TypeDef]
    report: Report
    followed: Mapping[str, str]
    """The version that the hub of each group follows."""
    failed: Mapping[TypeId, Collection[str]] = field(default_factory=dict)
    """Hub fields of each type whose lenses have errors: they count as mapped."""
    _seen: set[tuple[TypeId, Places]] = field(default_factory=set)
    _visited: set[TypeId] = field(default_factory=set)

    def check(self) -> None:
        """Walk down from every kind, and from the types that no kind reaches."""
        for id_ in self.plans:
            struct = self.types[id_]
            if isinstance(struct, Struct) and (struct.kind is not None or struct.list_of is not None):
                self._check_type(id_, frozenset())
        for id_ in self.plans:
            if id_ not in self._visited and not self.failed:  # a field with errors may lead to it
                self._check_type(id_, frozenset())

    def _check_type(self, id_: TypeId, from_above: Places) -> None:
        if (id_, from_above) in self._seen:
            return
        self._seen.add((id_, from_above))
        self._visit(id_)
        plan = self.plans[id_]
        if plan.restores_hub():
            self._visit_restored(id_)
            return
        version, hub = struct_of(id_, self.types), struct_of(plan.hub, self.types)
        declared = plan.hub_places() | from_above | frozenset(self.failed.get(id_, ()))
        for place, lost in uncovered(hub, "", declared, self.types):
            self._report(version, place, lost)
        failed = self.failed.get(id_, ())
        for _, nested, _, place in nested_types(plan):
            if any(place == each or each.startswith(f"{place}.") for each in failed):  # any field in it may be meant
                self._visit_restored(nested)
                continue
            prefix = f"{place}."
            below = frozenset(each.removeprefix(prefix) for each in declared if each.startswith(prefix))
            self._check_type(nested, below)

    def _visit(self, id_: TypeId) -> None:
        """Record a type, and the pairs of its lists that are maps in the hub: only the values in them are converted."""
        self._visited.add(id_)
        self._visited.update(s.item for s in self.plans[id_].steps if isinstance(s, NamedList) and s.member is not None)

    def _visit_restored(self, id_: TypeId) -> None:
        """The types of a kind that restores all of its hub; only those of its metadata are checked."""
        self._visit(id_)
        for _, nested, _, place in nested_types(self.plans[id_]):
            if place == "metadata":
                self._check_type(nested, frozenset())
            elif nested not in self._visited:
                self._visit_restored(nested)

    def _report(self, version: Struct, place: str, lost: Field) -> None:
        id_ = version.id
        hint = f"add a field with `hub: {place}` to {id_.version} `{id_.name}`"
        renamed = self._rename(version, place)
        if renamed is not None:
            hint = f"if `{place}` is another name of an existing field, {renamed}; if not, {hint}"
        if (preserving := self._preserving(id_, place, lost)) is not None:
            hint += f", or {preserving}"
        by_hand = next((step for step in self.plans[id_].steps if _is_by_hand(step)), None)
        if by_hand is not None:
            add = hub_only_fix(version, f"{place}: {{byHand: REASON}}")
            hint = f"if the hand-written conversion of `{by_hand.place}` sets it, {add}; if not, {hint}"
        if stability(id_.version) is Stability.ALPHA:
            dropped = f"`hubOnly: {{{place}: {{drop: REASON}}}}` on `{id_.name}`"
            hint += f", or, if no release has {id_.version} yet, drop it: {dropped}"
        if is_another_type(id_, {one: plan.hub for one, plan in self.plans.items()}, self.types):
            hint = if_another_type(id_, hint)
        self.report.error(
            "AG0701",
            version.place,
            f"{version.id.version} `{version.id.name}` has no field for `{place}` of the hub, so the conversion would lose it",
            hint=hint,
            related=[Related(lost.place, "the hub field")],
        )

    def _preserving(self, id_: TypeId, place: str, lost: Field) -> str | None:
        """Return how to preserve a hub field of a type in all kinds that contain the type; None if that is not possible."""
        leading = self._leading_to(id_)
        trails = tuple(islice(self._trails(id_, place, leading), _MOST_TRAILS + 1))
        kinds = [trail.kind for trail in trails]
        if trails and len(trails) <= _MOST_TRAILS and all(trail.can_preserve for trail in trails):
            as_type = type_to_declare(lost.type, id_, {one: plan.hub for one, plan in self.plans.items()})
            entries: dict[TypeId, list[str]] = {}
            for trail in trails:
                is_named_by_path = self._has_another(trail.kind, lost) or kinds.count(trail.kind) > 1
                entry = trail.entry(place, as_type, is_named_by_path=is_named_by_path)
                entries.setdefault(trail.kind.id, []).append(entry)
            fixes = [hub_only_fix(struct_of(kind, self.types), ", ".join(of_kind)) for kind, of_kind in entries.items()]
            return f"preserve the value in an annotation: {' and '.join(fixes)}"
        kinds = [kind for kind in self._kinds() if kind.id in leading and not self.plans[kind.id].restores_hub()]
        if (
            not trails
            or id_.version == self.followed.get(id_.group)
            or any(kind.field("metadata") is None for kind in kinds)
        ):
            return None
        names = listing(tuple(sorted({kind.id.name for kind in kinds})), "and")
        entry = f"preserve: {{annotation: {kinds[0].id.group}/conversion-data, when: unchanged}}"
        return f"preserve all values that {id_.version} has no fields for in an annotation: add `{entry}` to {names} in group.yaml"

    def _has_another(self, kind: Struct, field: Field) -> bool:
        """Return whether the hub of a kind has several fields with the name of a field."""
        below = reached({self.plans[kind.id].hub}, lambda id_: structs_in_fields(id_, self.types, without="metadata"))
        return [each.json_name for id_ in below for each in fields_of(id_, self.types)].count(field.json_name) > 1

    def _kinds(self) -> Iterator[Struct]:
        structs = (self.types[id_] for id_ in self.plans)
        return (struct for struct in structs if isinstance(struct, Struct) and struct.kind is not None)

    def _leading_to(self, id_: TypeId) -> frozenset[TypeId]:
        """The types that contain a type, at any depth, and the type itself."""
        containing: dict[TypeId, list[TypeId]] = {}
        for one, plan in self.plans.items():
            for _, nested, _, _ in nested_types(plan):
                containing.setdefault(nested, []).append(one)
        return reached({id_}, lambda one: containing.get(one, ()))

    def _trails(self, id_: TypeId, place: str, leading: Collection[TypeId]) -> Iterator[_Trail]:
        """Yield the trails from kinds to a type on which no containing type maps a hub field of it."""

        def below(one: TypeId, mapped: Places, trail: _Trail, passed: frozenset[TypeId]) -> Iterator[_Trail]:
            if one == id_ and place not in mapped:
                yield trail
            plan = self.plans[one]
            if plan.restores_hub():
                return
            declared = plan.hub_places() | mapped
            for _, nested, _, at in nested_types(plan):
                if nested in leading and nested not in passed:
                    inner = frozenset(each.removeprefix(f"{at}.") for each in declared if each.startswith(f"{at}."))
                    yield from below(nested, inner, trail.below(at), passed | {nested})

        for kind in self._kinds():
            if kind.id in leading:
                yield from below(kind.id, frozenset(), _Trail(kind, ""), frozenset({kind.id}))

    def _rename(self, version: Struct, place: str) -> str | None:
        """Return the lens for a hub field that has another name in one version: in `version`, or in the one that the field is
        from if the hub follows `version`. None if no field, or more than one, has the type and no counterpart.
        """
        hub = self.types[self.plans[version.id].hub]
        lost = hub.field(place) if isinstance(hub, Struct) else None
        if lost is None or not isinstance(hub, Struct):
            return None
        structs = [self.types[id_] for id_, plan in self.plans.items() if plan.hub == hub.id]
        of_hub = [each for each in structs if isinstance(each, Struct)]
        alike = {each.json_name for each in hub.fields if each.type == lost.type}
        if version.id.version == self.followed.get(version.id.group):
            origins = [(each, f) for each in of_hub for f in each.fields if f.place == lost.place]
            names = [f.json_name for f in version.fields if f.json_name in alike]
            candidates = [(*origin, name) for origin in origins[:1] for name in names if origin[0].field(name) is None]
        else:
            known = next((each for each in of_hub if each.id.version == self.followed.get(each.id.group)), None)
            own = [f for f in version.fields if _hub_name(f) in alike]
            candidates = [(version, f, place) for f in own if known is not None and known.field(_hub_name(f)) is None]
        if len(candidates) != 1:
            return None
        [(struct, renamed, target)] = candidates
        element = f"`{renamed.json_name}` of {struct.id.version} `{struct.id.name}`"
        if renamed.hub is None:
            return f"add `hub: {target}` to {element}"
        return f"write `hub: {target}` in place of `hub: {_hub_name(renamed)}` on {element}"


def _hub_name(field: Field) -> str:
    """Return the name of the hub field of a field with the same name or with `hub: NAME`; "" for any other lens."""
    if field.hub is None:
        return field.json_name
    return str(field.hub.to) if field.hub.words() == {"to"} else ""


def _is_by_hand(step: Step) -> TypeGuard[ByHand]:
    return isinstance(step, ByHand) and step.side is Side.VERSION and not step.is_adjusted


def with_unpreserved(plans: Plans, types: Types) -> dict[TypeId, TypePlan]:
    """Return the plans; their steps that store JSON in an annotation know what it does not preserve.

    First those of single values: their losses are part of what the JSON of whole objects (`preserve:`) does not preserve.
    """
    lossy = KnownLosses().lossy_types(plans, Side.HUB)
    of_values = {
        id_: replace(
            plan,
            steps=tuple(
                (
                    replace(step, unpreserved=tuple(_of_value(step, plans, types, lossy)))
                    if isinstance(step, Carried | Snapshot)
                    else step
                )
                for step in plan.steps
            ),
        )
        for id_, plan in plans.items()
    }
    return {
        id_: replace(
            plan,
            steps=tuple(
                (
                    replace(step, unpreserved=tuple(_of_object(step, plan, of_values, types)))
                    if isinstance(step, Preserved)
                    else step
                )
                for step in plan.steps
            ),
        )
        for id_, plan in of_values.items()
    }


def _of_value(step: Carried | Snapshot, plans: Plans, types: Types, lossy: frozenset[TypeId]) -> Iterator[str]:
    struct = struct_in(step.wire) if step.wire is not None else None
    if struct is None:
        return
    if _drops_empty_below(struct, types):
        yield "an empty list or map that its JSON omits"
    value = innermost(step.value)
    if isinstance(value, Converted) and value.version in lossy:
        yield f"a value that {value.version.version} `{value.version.name}` does not preserve"


def _drops_empty(field: Field) -> bool:
    """Return whether JSON omits an empty value and an omitted one is `None`."""
    return field.presence is Presence.OMIT_EMPTY and (is_container(field.type) or is_bytes(field.type))


def _drops_empty_below(struct: TypeId, types: Types) -> bool:
    """Return whether JSON omits empty values of a struct, or of a struct in it."""
    below = reached({struct}, lambda id_: structs_in_fields(id_, types))
    return any(_drops_empty(field) for id_ in below for field in fields_of(id_, types))


def _of_object(step: Preserved, plan: TypePlan, plans: Plans, types: Types) -> Iterator[tuple[Field, str]]:
    lost = dict(_lost(plan, plans, types, "", frozenset()))
    followed = plans.get(step.followed)
    lost_in_followed = dict(_lost(followed, plans, types, "", frozenset())) if followed is not None else {}
    hub = struct_of(plan.hub, types)
    for member in hub.fields:
        if member.json_name == "metadata":
            continue
        lost_in_field = {path: each for path, each in lost.items() if _top(path) == member.json_name}
        when = []
        if any(_has_empty(each, types) for each in lost_in_field.values()):
            when.append("an empty list or map that its JSON omits")
        if any(
            path.startswith(other) or other.startswith(path) for path in lost_in_field for other in lost_in_followed
        ):
            when.append(f"a value that {step.followed.version} does not preserve either")
        if when:
            yield member, f"it holds {' or '.join(when)}"


def _top(path: str) -> str:
    return path.partition(".")[0].partition("[")[0]


def _lost(
    plan: TypePlan, plans: Plans, types: Types, above: str, seen: frozenset[TypeId]
) -> Iterator[tuple[str, Field]]:
    """The fields of the hub that a version does not always preserve, apart from `preserve:`."""
    hub = types[plan.hub]
    if plan.version in seen or not isinstance(hub, Struct):
        return
    yield from ((above + place, lost) for place, lost in uncovered(hub, "", plan.hub_places(), types))
    for step in plan.steps:
        for loss in step.losses() if not isinstance(step, Preserved) else ():
            top = hub.field(_top(loss.place))
            if loss.side is Side.HUB and top is not None:
                yield above + loss.place, _field_at(loss.place, top, types)
    for _, inner, _, path in nested_types(plan):
        yield from _lost(plans[inner], plans, types, f"{above}{path}.", seen | {plan.version})


def _field_at(place: str, field: Field, types: Types) -> Field:
    """The field at the end of a place that begins with `field`."""
    for name in place.replace("[]", "").split(".")[1:]:
        inner = struct_in(field.type)
        struct = types.get(inner) if inner is not None else None
        below = struct.field(name) if isinstance(struct, Struct) else None
        if below is None:
            break
        field = below
    return field


def _has_empty(field: Field, types: Types) -> bool:
    inner = struct_in(field.type)
    return _drops_empty(field) or (inner is not None and _drops_empty_below(inner, types))
