"""The steps of a conversion plan, from which conversions, layouts and the proof are generated, and the result of the hub stage."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Mapping
from enum import StrEnum

from apigen.dataclass import dataclass, field
from apigen.ir.expressions import Expression, Statement, Test
from apigen.ir.model import FieldPath, Struct, TypeDef, TypeId, json_names, spell
from apigen.language.model import Condition


class Parent(StrEnum):
    """When conversion sets an optional parent of mapped fields on the side that has it."""

    WHEN_SET = "whenSet"
    ALWAYS = "always"


class Side(StrEnum):
    """The side whose value a round trip loses."""

    VERSION = "version"
    HUB = "hub"


SOURCE, TARGET = "source", "target"
"""The variables of the source and the target of a conversion, in assignments and statements."""


def version_object(to_hub: bool) -> str:
    """The variable for the version's object."""
    return SOURCE if to_hub else TARGET


@dataclass(frozen=True, slots=True)
class Assign:
    """An assignment to a field of the target.

    `guards` are the optional parents of the source: all must be set. `is_set`: the condition that the value is not
    zero; an optional parent of the target is created then (`parent: whenSet`), or always with `ALWAYS`. Without
    `is_set`, it is never created for this value.
    """

    target: FieldPath
    value: Expression
    is_set: Test | None
    guards: tuple[FieldPath, ...] = ()
    parent: Parent = Parent.WHEN_SET


@dataclass(frozen=True, slots=True)
class Loss:
    """A value that a round trip does not preserve if `test` is true for the object that contains it.

    `test` refers to `obj`, an object of the plan's version (or hub) type, `other`, which is converted from it, and
    `back`, which is converted from `other`. `when` is the same condition in words, empty if the value is never
    preserved. `rejects`: some of these values cause a ConversionError. `becomes` is the value after the round trip, in
    words, if it is known.
    """

    side: Side
    place: str
    when: str
    test: Test
    declared: str
    rejects: bool = False
    becomes: str = ""

    def sentence(self) -> str:
        """Return the sentence of the loss: the field, the condition, and the declaration in the specs."""
        outcomes = [f"becomes {self.becomes}"] if self.becomes else []
        outcomes += ["is rejected"] if self.rejects else []
        return loss_sentence(self.place, self.declared, self.when, " or ".join(outcomes))


def loss_sentence(place: str, declared: str, when: str = "", outcome: str = "") -> str:
    """Return a loss as a sentence, for the proof, the generated docs and the review.

    Without `when` the value at `place` is never preserved. `outcome` is what happens to it if that is known.
    """
    predicate = f"{outcome or 'is not preserved'} if {when}" if when else "is never preserved"
    return f"`{place}` {predicate} [{declared}]"


class Step(ABC):
    """One declaration of a plan, in both directions."""

    __slots__ = ()

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        """Yield the assignments to fields of the target, each at most once in a plan."""
        return ()

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        """Yield the statements to run after all fields have their values."""
        return ()

    def conditions(self) -> Iterable[Condition]:
        """Return the conditions of `statements` on the version's object that is converted from the hub: these follow
        all other statements.
        """
        return ()

    def joined(self, other: Step) -> Step | None:
        """Return one step with the statements of this one and of `other`, which follows it; None if they cannot be
        joined.
        """
        return None

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        """Yield the places of the target that `statements` change, as the JSON names on the path."""
        return ()

    def losses(self) -> Iterable[Loss]:
        """Return the losses of a round trip, with their conditions."""
        return ()

    def hub_places(self) -> Iterable[str]:
        """Return the paths of the hub fields for which this step has a field in the version."""
        return ()

    def version_field(self) -> str | None:
        """Return the version field with the value of `hub_places`; None without one."""
        return None

    def restores_hub(self) -> bool:
        """Return whether this step restores the whole hub object except its metadata, regardless of the losses of
        other steps.
        """
        return False

    def restored_field(self) -> str | None:
        """Return the place in the version whose value this step restores, regardless of the losses of other steps."""
        return None

    def describe(self) -> str | None:
        """Return a line for the table of declared lenses; None for fields that are matched by name."""
        return None


@dataclass(frozen=True, slots=True)
class OfField(Step):
    """A step that converts the field of the version at the path `version`."""

    version: FieldPath

    def version_field(self) -> str | None:
        return spell(self.version)


@dataclass(frozen=True, slots=True)
class TypePlan:
    """The conversion of a struct of a version to its hub type and back."""

    version: TypeId
    hub: TypeId
    steps: tuple[Step, ...]

    def written_places(self, to_hub: bool) -> tuple[tuple[str, ...], ...]:
        """The places in the target that values and statements write, by their JSON names."""
        changed = [place for step in self.steps for place in step.changes(to_hub)]
        changed += [json_names(a.target) for step in self.steps for a in step.assignments(to_hub)]
        return tuple(changed)

    def hub_places(self) -> frozenset[str]:
        """Return the paths of the hub fields for which the version has fields."""
        return frozenset(place for step in self.steps for place in step.hub_places())

    def restored_fields(self) -> tuple[str, ...]:
        """Return the places of the version whose values some step restores."""
        return tuple(place for step in self.steps if (place := step.restored_field()) is not None)

    def is_restored(self, side: Side, step: Step | None, place: str) -> bool:
        """Return whether another step restores the `place` of this side that `step` does not preserve."""
        if side is Side.VERSION:
            is_own = step is not None and step.restored_field() is not None
            return not is_own and any(
                place == each or place.startswith((f"{each}.", f"{each}[")) for each in self.restored_fields()
            )
        if step is None:
            return False
        if side is not Side.HUB or step.restores_hub() or place.partition(".")[0] == "metadata":
            return False
        return self.restores_hub()

    def restores_hub(self) -> bool:
        """Return whether some step restores the hub's object."""
        return any(step.restores_hub() for step in self.steps)


@dataclass(frozen=True, slots=True)
class HubModel:
    """The hubs of all groups.

    `hub_of` gives the hub type of each version type that has one; `named` the reverse for the version that the hub
    follows (the paths and constraints of validation). A type of a group without a hub is its own hub. `plans` has
    the conversion of each version type with another hub type; `views` are version types seen as types of a second hub,
    which have plans of their own. `values` are version types that only types of another release series hold: they are their
    own hub types, too.
    """

    types: Mapping[TypeId, TypeDef] = field(default_factory=dict)
    hub_of: Mapping[TypeId, TypeId] = field(default_factory=dict)
    named: Mapping[TypeId, TypeId] = field(default_factory=dict)
    plans: Mapping[TypeId, TypePlan] = field(default_factory=dict)
    views: Mapping[TypeId, Struct] = field(default_factory=dict)
    values: frozenset[TypeId] = frozenset()
