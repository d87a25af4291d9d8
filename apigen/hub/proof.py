"""The proof: the values of every field of every version that a round trip does not preserve.

A type loses values on the way through the hub, a kind also on the way from one version through another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics.quoting import counted
from apigen.hub.lenses.annotation import Carried
from apigen.hub.lenses.drop import ByHand
from apigen.hub.lenses.move import Move
from apigen.hub.lenses.named_list import NamedList
from apigen.hub.steps import HubModel, Loss, Side, Step, TypePlan
from apigen.ir.expressions import Converted, elements, innermost, variables
from apigen.ir.graphs import reached
from apigen.ir.model import Struct, TypeDef, TypeId, spell, struct_of

Types = Mapping[TypeId, TypeDef]
Plans = Mapping[TypeId, TypePlan]


@dataclass(frozen=True, slots=True)
class KnownLosses:
    """The losses of each type itself, computed once."""

    _found: dict[TypeId, tuple[Loss, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def own(self, type_plan: TypePlan, side: Side) -> tuple[Loss, ...]:
        """The losses of a type itself on one side."""
        found = self._found.get(type_plan.version)
        if found is None:
            found = tuple(
                loss
                for step in type_plan.steps
                for loss in step.losses()
                if loss.rejects or not type_plan.is_restored(loss.side, step, loss.place)
            )
            self._found[type_plan.version] = found
        return tuple(loss for loss in found if loss.side is side)

    def has_rejections(self, type_plan: TypePlan, side: Side) -> bool:
        """Return whether an object of the type alone shows which of its own values are rejected; types below it are not
        considered.
        """
        rejecting = [loss for loss in self.own(type_plan, side) if loss.rejects]
        return bool(rejecting) and all(variables(loss.test).isdisjoint(("other", "back")) for loss in rejecting)

    def lossy_types(self, plans: Plans, side: Side) -> frozenset[TypeId]:
        """Return the version types that lose a value on one side, or contain a type that does."""
        return with_holders({id_ for id_, plan in plans.items() if self.own(plan, side)}, plans, side)


def with_holders(found: set[TypeId], plans: Plans, side: Side = Side.VERSION) -> frozenset[TypeId]:
    """Return the given version types, and the types that contain one of them, unless they restore it on this side."""
    holders: dict[TypeId, set[TypeId]] = {}
    for id_, type_plan in plans.items():
        for step in type_plan.steps:
            inner = carried_type(step) or nested_type(step)
            if inner is not None and not type_plan.is_restored(side, step, place_of(step, side)):
                holders.setdefault(inner, set()).add(id_)
    return reached(found, lambda id_: holders.get(id_, ()))


def place_of(step: Step, side: Side) -> str:
    """Return the place on a side that a step converts; empty without one."""
    if side is Side.VERSION:
        return spell(step.version) if isinstance(step, Move | NamedList) else ""
    return next(iter(step.hub_places()), "")


def carried_type(step: object) -> TypeId | None:
    """Return the version type of the structs that an annotation carries, if these convert."""
    value = innermost(step.value) if isinstance(step, Carried) else None
    return value.version if isinstance(value, Converted) else None


def nested_type(step: object) -> TypeId | None:
    """The version type that a step converts one by one, if it does."""
    if not isinstance(step, Move | NamedList):
        return None
    value = innermost(step.value)
    return value.version if isinstance(value, Converted) else None


Sentences = Mapping[str, tuple[str, ...]]
"""The sentences about the values of each place that are lost, or not verified; none if every value is preserved."""


@dataclass(frozen=True, slots=True)
class TypeProof:
    """The results for a type of a version: for its own places, and for the hub's places through it."""

    version: TypeId
    fields: Sentences
    hub_places: Sentences


def prove(hub_model: HubModel, types: Types) -> Iterator[TypeProof]:
    """Yield a proof for each converted struct of a version, from the plan from which its code is generated."""
    known_losses = KnownLosses()
    for plan in hub_model.plans.values():
        names = [field.json_name for field in struct_of(plan.version, types).fields]
        losses = known_losses.own(plan, Side.VERSION)
        others = (loss.place for loss in losses if not any(_is_in(loss.place, name) for name in names))
        hub_losses, by_hand = known_losses.own(plan, Side.HUB), _by_hand(plan, Side.HUB)
        yield TypeProof(
            plan.version,
            _sentences((*names, *others), losses, _by_hand(plan, Side.VERSION)),
            _sentences((*(loss.place for loss in hub_losses), *by_hand), hub_losses, by_hand),
        )


def hand_written_sentence(place: str, reason: str) -> str:
    """Return the sentence for a field that a hand-written function converts."""
    return f"`{place}` is not verified, because a hand-written function converts it [{reason}]"


def _by_hand(plan: TypePlan, side: Side) -> Sentences:
    """Return the places that hand-written functions convert, with the sentence of each."""
    steps = (step for step in plan.steps if isinstance(step, ByHand) and step.side is side)
    return {step.place: (hand_written_sentence(step.place, step.reason),) for step in steps}


def _sentences(places: Iterable[str], losses: tuple[Loss, ...], by_hand: Sentences) -> Sentences:
    """Return the sentences about each place: that of a hand-written function, or those of all losses in it."""
    found: dict[str, tuple[str, ...]] = {}
    for place in places:
        lost = (loss.sentence() for loss in losses if _is_in(loss.place, place))
        found[place] = by_hand.get(place) or tuple(dict.fromkeys(lost))
    return found


def _is_in(place: str, outer: str) -> bool:
    return place == outer or place.startswith((f"{outer}.", f"{outer}["))


@dataclass(frozen=True, slots=True)
class Affected:
    """The objects that lose a value: of which kind of a version, at which path of it."""

    version: TypeId
    path: str


@dataclass(frozen=True, slots=True)
class Lost:
    """One way in which a version of a kind does not preserve a value.

    `version` is the kind in the version whose conversions lose it, `type_plan` that of the type with the value, and
    `chain` the steps that lead from the kind to it. `path` is the path in the version or, for `Side.HUB`, in the hub;
    `others` counts the further paths to the same type. `loss` is None where a hand-written function converts the value,
    for `reason`.
    """

    version: TypeId
    side: Side
    type_plan: TypePlan
    chain: tuple[Step, ...]
    place: str
    path: str
    loss: Loss | None
    reason: str
    affected: tuple[Affected, ...]
    others: int = 0

    @property
    def is_never(self) -> bool:
        """Return whether no value is preserved."""
        return self.loss is not None and not self.loss.when

    def sentence(self) -> str:
        """Return the sentence of the proof, the generated docs and the review."""
        return hand_written_sentence(self.place, self.reason) if self.loss is None else self.loss.sentence()

    def path_of(self, version: TypeId) -> str:
        """Return where objects of an affected version have the value."""
        return next(each.path for each in self.affected if each.version == version)

    def reaches(self, first: TypeId, second: TypeId) -> bool:
        """Return whether objects of `first` lose it when they are converted to `second` and back."""
        by = first if self.side is Side.VERSION else second
        return self.version == by and any(each.version == first for each in self.affected)


@dataclass(frozen=True, slots=True)
class Cell:
    """The losses of one version through another one: fields that are never preserved, conditions, and unproven
    fields.
    """

    never: int = 0
    conditions: int = 0
    unproven: int = 0

    @property
    def text(self) -> str:
        """The cell in a few words."""
        if self.never:
            more = f" (+{self.conditions})" if self.conditions else ""
            return f"loses {counted(self.never, 'field')}{more}"
        if self.conditions:
            return f"lossless unless ({self.conditions})"
        return f"not verified ({self.unproven})" if self.unproven else "lossless"


@dataclass(frozen=True, slots=True)
class KindProof:
    """A kind with its versions, and the losses of conversions between them."""

    hub: TypeId
    versions: tuple[TypeId, ...]
    lost: tuple[Lost, ...]

    def cell(self, first: TypeId, second: TypeId) -> Cell:
        """Return what `first` loses when it is converted to `second` and back; for `second == first`, to the hub and
        back.
        """
        found = [each for each in self.lost if each.reaches(first, second)]
        never = {each.path_of(first) for each in found if each.is_never}
        by_hand = {each.path_of(first) for each in found if each.loss is None} - never
        conditions = {(each.path_of(first), each.sentence()) for each in found if each.loss and each.loss.when}
        return Cell(len(never), len(conditions), len(by_hand))


def label(version: TypeId) -> str:
    """Return how people write the version of a type."""
    return f"{version.group}/{version.version}" + (f" (as {version.seen_as})" if version.seen_as else "")


def prove_kinds(hub_model: HubModel, types: Types) -> Iterator[KindProof]:
    """Return a proof for each kind that has conversions, in the order of its versions."""
    by_hub: dict[TypeId, list[TypeId]] = {}
    for id_, plan in hub_model.plans.items():
        struct = types[id_]
        if isinstance(struct, Struct) and struct.kind is not None:
            by_hub.setdefault(plan.hub, []).append(id_)
    walk = _Walk(hub_model.plans)
    for hub, versions in by_hub.items():
        lost = [each for version in versions for each in walk.lost(version, versions)]
        never_in_hub = {(each.version, each.path) for each in lost if each.side is Side.VERSION and each.is_never}
        found: list[Lost] = []
        for each in lost:
            affected = tuple(
                a for a in each.affected if each.side is Side.VERSION or (a.version, a.path) not in never_in_hub
            )
            if affected:  # other values do not reach the hub
                found.append(replace(each, affected=affected))
        yield KindProof(hub, tuple(versions), tuple(found))


class _Walk:
    """Find the losses of a kind in all types that it contains."""

    def __init__(self, plans: Plans) -> None:
        self._plans = plans
        known = KnownLosses()
        self._own = {id_: tuple(_of_type(plan, known)) for id_, plan in plans.items()}
        self._worth = with_holders({id_ for id_, own in self._own.items() if own}, plans)

    def lost(self, version: TypeId, versions: list[TypeId]) -> Iterator[Lost]:
        """Return the losses of one version of a kind; equal losses of a type at several paths are one."""
        equal_losses: dict[tuple[TypeId, int], list[Lost]] = {}
        for below in self._reached(version, _Reached(self._plans[version]), frozenset()):
            for number, (side, place, loss, reason) in enumerate(self._own[below.plan.version]):
                if side is Side.HUB and below.is_restored and loss is not None and not loss.rejects:
                    continue
                path = _joined(below.path if side is Side.VERSION else below.hub_path, place)
                if loss is not None and not loss.rejects and self._is_restored(version, side, below, path):
                    continue
                affected = tuple(self._affected(below.plan, version, versions, side, path))
                if affected:
                    each = Lost(version, side, below.plan, below.chain, place, path, loss, reason, affected)
                    equal_losses.setdefault((below.plan.version, number), []).append(each)
        return (replace(each[0], others=len(each) - 1) for each in equal_losses.values())

    def _is_restored(self, version: TypeId, side: Side, reached: _Reached, path: str) -> bool:
        """Return whether the kind restores a field that a type below it loses."""
        return side is Side.VERSION and bool(reached.chain) and self._plans[version].is_restored(side, None, path)

    def _reached(self, version: TypeId, here: _Reached, above: frozenset[TypeId]) -> Iterator[_Reached]:
        """Yield the types with losses in a type, starting with itself; of recursive types only the outer ones."""
        if here.plan.version not in self._worth or here.plan.version in above:
            return
        yield here
        for step, inner, path, hub_path in nested_types(here.plan):
            nested = _Reached(
                self._plans[inner],
                (*here.chain, step),
                _joined(here.path, path),
                _joined(here.hub_path, hub_path),
                here.is_restored or here.plan.is_restored(Side.HUB, step, hub_path),
            )
            yield from self._reached(version, nested, above | {here.plan.version})

    def _affected(
        self, plan: TypePlan, version: TypeId, versions: list[TypeId], side: Side, path: str
    ) -> Iterator[Affected]:
        if side is Side.VERSION:
            yield Affected(version, path)
            return
        for each in versions:
            for version_field in (
                () if each == version else counterparts(self._plans, self._plans[each], path, False, plan)
            ):
                yield Affected(each, version_field)


def counterparts(
    plans: Plans, plan: TypePlan, path: str, to_hub: bool, unless: TypePlan | None = None
) -> tuple[str, ...]:
    """Return the places of the other side that hold the value at a path, or parts of it.

    `to_hub`: the path is one of the version. Types with the plan `unless` are skipped.
    """
    if plan is unless:
        return ()
    for step in plan.steps:
        version_field, inner = step.version_field(), nested_type(step)
        above, below = _paths_of(step)[:: 1 if to_hub else -1] if inner is not None else ("", "")
        for place in step.hub_places() if version_field is not None else ():
            place_of_side, other_place = (str(version_field), place) if to_hub else (place, str(version_field))
            if inner is not None and path.startswith(f"{above}."):
                nested = counterparts(plans, plans[inner], path.removeprefix(f"{above}."), to_hub, unless)
                if nested:
                    return tuple(_joined(below, each) for each in nested)
            elif path == place_of_side:
                return tuple(step.hub_places()) if to_hub else (other_place,)
            elif inner is None and path.startswith((f"{place_of_side}.", f"{place_of_side}[")):
                return (f"{other_place}{path.removeprefix(place_of_side)}",)
            elif place_of_side.startswith((f"{path}.", f"{path}[")):
                return (other_place,)
    return ()


def type_at(plans: Plans, plan: TypePlan, path: str) -> tuple[TypePlan, str]:
    """Return the plan of the type that holds the value at a path of a version, and the path from there."""
    for _, inner, above, _ in nested_types(plan):
        if path.startswith(f"{above}."):
            return type_at(plans, plans[inner], path.removeprefix(f"{above}."))
    return plan, path


@dataclass(frozen=True, slots=True)
class _Reached:
    plan: TypePlan
    chain: tuple[Step, ...] = ()
    path: str = ""
    hub_path: str = ""
    is_restored: bool = False


def _of_type(plan: TypePlan, known: KnownLosses) -> Iterator[tuple[Side, str, Loss | None, str]]:
    for side in Side:
        losses = {loss.sentence(): loss for loss in known.own(plan, side)}
        yield from ((side, loss.place, loss, "") for loss in losses.values())
    for step in plan.steps:
        if isinstance(step, ByHand):
            yield step.side, step.place, None, step.reason


def nested_types(plan: TypePlan) -> Iterator[tuple[Step, TypeId, str, str]]:
    """Yield the steps that convert other types one by one, each with the version type and its paths in version and hub."""
    for step in plan.steps:
        inner = nested_type(step)
        if inner is not None:
            yield step, inner, *_paths_of(step)


def _paths_of(step: Step) -> tuple[str, str]:
    """Return the paths from a type to the elements that a step converts, in the version and in the hub."""
    if isinstance(step, NamedList):
        of_list = "[]" if step.member is None else f"[].{step.member.json_name}"
        in_version, in_hub = ("[]", of_list) if step.list_in_hub else (of_list, "[]")
        return f"{spell(step.version)}{in_version}", f"{spell(step.hub)}{in_hub}"
    assert isinstance(step, Move)
    brackets, _ = elements(step.value)
    return f"{spell(step.version)}{brackets}", f"{spell(step.hub)}{brackets}"


def _joined(path: str, place: str) -> str:
    return f"{path}.{place}" if path and place else path or place
