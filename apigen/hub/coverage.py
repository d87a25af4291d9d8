"""Check that no data is lost silently: every hub field has a field in every version, or a declaration there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Related, Report
from apigen.hub.lenses.move import Move
from apigen.hub.lenses.named_list import NamedList
from apigen.hub.steps import TypePlan
from apigen.ir.field_paths import spell
from apigen.ir.model import Field, Struct, TypeDef
from apigen.ir.types import StructType, TypeId, underlying
from apigen.ir.value_conversions import Converted, elements

Places = frozenset[str]


def without_home(plan: TypePlan, types: Mapping[TypeId, TypeDef]) -> tuple[str, ...]:
    """The places of a plan's hub type that the type itself says nothing of: types above it must."""
    hub = types[plan.hub]
    assert isinstance(hub, Struct)
    own = frozenset(place for step in plan.steps for place in step.hub_places())
    return tuple(place for place, _ in _uncovered(hub, "", own, types))


def _uncovered(
    hub: Struct, above: str, declared: Places, types: Mapping[TypeId, TypeDef]
) -> Iterator[tuple[str, Field]]:
    for hub_field in hub.fields:
        place = f"{above}{hub_field.json_name}"
        if place in declared:
            continue
        if not any(d.startswith((f"{place}.", f"{place}[")) for d in declared):
            yield place, hub_field
            continue
        inner = underlying(hub_field.type)
        nested = types.get(inner.id) if isinstance(inner, StructType) else None
        if isinstance(nested, Struct):
            yield from _uncovered(nested, f"{place}.", declared, types)


@dataclass(slots=True)
class Coverage:
    """Checks places, not types: a hub field that a type above reaches by path counts as mapped there."""

    plans: Mapping[TypeId, TypePlan]
    types: Mapping[TypeId, TypeDef]
    report: Report
    failed: Mapping[TypeId, Collection[str]] = field(default_factory=dict)
    """Hub fields of each type whose lenses have errors: they count as mapped."""
    _seen: set[tuple[TypeId, Places]] = field(default_factory=set)
    _visited: set[TypeId] = field(default_factory=set)
    _kinds: dict[TypeId, set[TypeId]] = field(default_factory=dict)
    """The hubs of the kinds that each type is part of."""

    def check(self) -> None:
        """Walk down from every kind, and from the types that no kind reaches."""
        for id_ in self.plans:
            struct = self.types[id_]
            if isinstance(struct, Struct) and (struct.kind is not None or struct.list_of is not None):
                self._add_kind(id_, self.plans[id_].hub)
        for id_ in self.plans:
            struct = self.types[id_]
            if isinstance(struct, Struct) and (struct.kind is not None or struct.list_of is not None):
                self._judge(id_, frozenset())
        for id_ in self.plans:
            if id_ not in self._visited and not self.failed:  # a field with errors may lead to it
                self._judge(id_, frozenset())

    def _judge(self, id_: TypeId, from_above: Places) -> None:
        if (id_, from_above) in self._seen:
            return
        self._seen.add((id_, from_above))
        self._visited.add(id_)
        plan = self.plans[id_]
        version, hub = self.types[id_], self.types[plan.hub]
        assert isinstance(version, Struct) and isinstance(hub, Struct)
        own = frozenset(place for step in plan.steps for place in step.hub_places())
        declared = own | from_above | frozenset(self.failed.get(id_, ()))
        for place, lost in _uncovered(hub, "", declared, self.types):
            self._report(version, place, lost)
        for place, nested in _nested(plan):
            self._judge(nested, _below(declared, place))

    def _add_kind(self, id_: TypeId, kind: TypeId) -> None:
        kinds = self._kinds.setdefault(id_, set())
        if kind not in kinds:
            kinds.add(kind)
            for _, nested in _nested(self.plans[id_]):
                self._add_kind(nested, kind)

    def _is_another_type(self, id_: TypeId) -> bool:
        """Whether a type is part of no kind that the types of the same hub type in other versions are part of."""
        own, hub = self._kinds.get(id_, set()), self.plans[id_].hub
        others = [other for other, plan in self.plans.items() if plan.hub == hub and other != id_]
        return bool(own and others) and all(own.isdisjoint(self._kinds.get(other, ())) for other in others)

    def _report(self, version: Struct, place: str, lost: Field) -> None:
        id_ = version.id
        hint = f"rename a field with `hub: {place}`, or say it: `hubOnly: {{{place}: {{annotation: KEY}}}}` or `{{drop: reason}}`"
        if id_ in self.plans and self._is_another_type(id_):
            name = f"{id_.version.capitalize()}{id_.name}"
            hint = (
                f"no kind has {id_.name} both in {id_.version} and in another version: if they are different types,"
                f" write `hub: {name}` on {id_.name} of {id_.version}; if not, {hint}"
            )
        self.report.error(
            "AG0701",
            version.place,
            f"{version.id.name} of {version.id.version} has no home for `{place}` of the hub, and nothing says what becomes of it",
            hint=hint,
            related=[Related(lost.place, "it comes from here")],
        )


def _nested(plan: TypePlan) -> Iterator[tuple[str, TypeId]]:
    for step in plan.steps:
        if isinstance(step, NamedList) and isinstance(step.value, Converted):
            yield f"{spell(step.hub)}[]", step.value.version
        if isinstance(step, Move):
            suffix, value = elements(step.value)
            if isinstance(value, Converted):
                yield spell(step.hub) + suffix, value.version


def _below(declared: Places, place: str) -> Places:
    prefix = f"{place}."
    return frozenset(d.removeprefix(prefix) for d in declared if d.startswith(prefix))
