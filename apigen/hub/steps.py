"""The steps of a conversion plan, from which conversions, layouts and the proof are generated."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.ir.expressions import Expression, Test
from apigen.ir.field_paths import FieldPath, json_names
from apigen.ir.statements import Statement
from apigen.ir.types import TypeId
from apigen.language.paths import Condition


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
    """The variable that holds the version's object."""
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

    `test` is about `obj`, an object of the plan's version (or hub) type, `other`, which was made of it, and `back`, which
    was made of that; `when` is the same condition in words, empty if the value is never preserved. `refuses`: some such
    values are a ConversionError. `becomes` is the value that takes its place, in words, if there is one.
    """

    side: Side
    place: str
    when: str
    test: Test
    declared: str
    refuses: bool = False
    becomes: str = ""

    def sentence(self) -> str:
        """Return what happens to `place`, under which condition, and what in the specs declares it."""
        outcomes = [f"becomes {self.becomes}"] if self.becomes else []
        outcomes += ["is rejected"] if self.refuses else []
        return loss_sentence(self.place, self.declared, self.when, " or ".join(outcomes))


def loss_sentence(place: str, declared: str, when: str = "", outcome: str = "") -> str:
    """Return a loss as a sentence, for the proof, the generated docs and the review alike.

    Without `when` the value at `place` is never preserved. `outcome` is what happens to it if that is known.
    """
    told = f"{outcome or 'is not preserved'} if {when}" if when else "is never preserved"
    return f"`{place}` {told} [{declared}]"


class Step(ABC):
    """One declaration of a plan, in both directions."""

    __slots__ = ()

    def assignments(self, to_hub: bool) -> Iterable[Assign]:
        """The fields of the target that get a value, each at most once in a plan."""
        return ()

    def statements(self, to_hub: bool) -> Iterable[Statement]:
        """Yield the statements to run after all fields have their values."""
        return ()

    def conditions(self) -> Iterable[Condition]:
        """The conditions of `statements` on the version's object that is made from the hub: these follow all other statements."""
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
        """Return what a round trip does not preserve, and when."""
        return ()

    def hub_places(self) -> Iterable[str]:
        """The places of the hub type that this step gives a home in the version, as paths."""
        return ()

    def home(self) -> str | None:
        """The place of the version that holds the value of `hub_places`; None if no place does."""
        return None

    def restores_hub(self) -> bool:
        """Whether this step restores the hub's object apart from its metadata, whatever other steps lose of it."""
        return False

    def describe(self) -> str | None:
        """A line for the table of declared lenses; None for fields that meet by name."""
        return None


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

    def is_restored(self, side: Side, step: Step, place: str) -> bool:
        """Whether another step restores the `place` that `step` does not preserve."""
        if side is not Side.HUB or step.restores_hub() or place.partition(".")[0] == "metadata":
            return False
        return self.restores_hub()

    def restores_hub(self) -> bool:
        """Whether some step restores the hub's object."""
        return any(step.restores_hub() for step in self.steps)
