"""What a conversion plan is made of: steps, which give the emitter its code and the proof its losses."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Protocol

from apigen.dataclass import dataclass
from apigen.hub.values import Sharing, ValueConversion
from apigen.ir.expressions import Expression, Test
from apigen.ir.field_paths import FieldPath
from apigen.ir.model import Field, Struct, TypeDef
from apigen.ir.types import Type, TypeId
from apigen.python.code import Code
from apigen.python.conditions import Scope
from apigen.python.expressions import PythonExpressions


class Parent(StrEnum):
    """What becomes of an optional parent of mapped fields on the side that has it."""

    WHEN_SET = "whenSet"
    ALWAYS = "always"


class Side(StrEnum):
    """Whose value is lost on its way to the other side and back."""

    VERSION = "version"
    HUB = "hub"


@dataclass(frozen=True, slots=True)
class Items:
    """The list `source` of structs of `type`, which is not `None`, as a loop converts it: what is `made` of a variable.

    The list itself will do where the caller allows to share it, if `may_be_shared`.
    """

    source: str
    type: Type
    made: Callable[[str], str]
    may_be_shared: bool


class Converter(Protocol):
    """How values are converted, in one direction of one module."""

    def expression(
        self, value: ValueConversion, expression: str, sharing: Sharing = Sharing.ALL, path: str = ""
    ) -> str:
        """The converted value of `expression`, which is not `None`; `path` leads to it from the source, for errors."""
        ...

    def items(self, value: ValueConversion, source: str, sharing: Sharing) -> Items | None:
        """What a loop takes to convert the list `source`, which is not `None`; None for all but lists of structs."""
        ...


@dataclass(frozen=True, slots=True)
class Body:
    """One direction of a conversion function that is being written.

    `source` and `target` are variables. Later statements change something below the fields `owned` of the target: no
    more than what a struct made here says itself, but for those that are `deep`, where it is further down.
    `runtime`, `type_name` and `function` spell names that the module has to import. `path` leads from the source to
    the value that is converted, for errors.
    """

    to_hub: bool
    code: Code
    source: str
    target: str
    version: Struct
    hub: Struct
    types: Mapping[TypeId, TypeDef]
    converter: Converter
    owned: frozenset[str]
    deep: frozenset[str]
    runtime: Callable[[str], str]
    type_name: Callable[[TypeId], str]
    function: Callable[[TypeId, str, str], str]
    path: str = ""

    @property
    def version_object(self) -> str:
        """The variable that holds the version's object."""
        return self.source if self.to_hub else self.target

    def convert(self, value: ValueConversion, expression: str, sharing: Sharing = Sharing.ALL) -> str:
        """The converted value of `expression`, which is not `None`."""
        return self.converter.expression(value, expression, sharing, self.path)

    def sharing(self, field: Field) -> Sharing:
        """What a field of the target may have of the source, where the caller allows it."""
        if field.json_name in self.deep:
            return Sharing.NOTHING
        return Sharing.BELOW if field.json_name in self.owned else Sharing.ALL

    def text(self, tree: Expression) -> str:
        """An expression in Python."""
        return PythonExpressions(self.scope()).text(tree)

    def scope(self) -> Scope:
        """Conditions on the version's object."""
        root = self.version_object
        return Scope(root, self.version, root, self.version, self.types, self.type_name, self.runtime)


@dataclass(frozen=True, slots=True)
class Assign:
    """A field of the target gets a value.

    `guards` are the optional parents of what is read: all have to be there. `is_set` says, in Python, that the
    value is not zero; an optional parent of the target is built then (`parent: whenSet`) or `ALWAYS`. `items` is the
    same value for a loop, of a list that may be `None` on both sides.
    """

    target: FieldPath
    value: str
    is_set: str
    guards: tuple[FieldPath, ...] = ()
    parent: Parent = Parent.WHEN_SET
    items: Items | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """A value that does not come back unchanged when `test` holds for the object it stands in.

    `test` is about `obj`, an object of the plan's version (or hub) type, `other`, which was made of it, and `back`, which
    was made of that; `when` says the same to people, empty for "never comes back". `refuses`: some such value is not
    changed but a ConversionError.
    """

    side: Side
    place: str
    when: str
    test: Test
    declared: str
    refuses: bool = False


class Step(ABC):
    """One declaration of a plan, in both directions."""

    __slots__ = ()

    def assignments(self, body: Body) -> Iterable[Assign]:
        """The fields of the target that get a value, each at most once in a plan."""
        return ()

    def statements(self, body: Body) -> None:
        """What follows when all fields have their values."""

    def joined(self, other: Step) -> Step | None:
        """One step whose statements are those of this one and of the one that follows; None where there is none."""
        return None

    def changes(self, to_hub: bool) -> Iterable[tuple[str, ...]]:
        """The places of the target that `statements` change, as the JSON names on the way."""
        return ()

    def losses(self) -> Iterable[Loss]:
        """What does not come back, and when."""
        return ()

    def hub_places(self) -> Iterable[str]:
        """The places of the hub type that this step gives a home in the version, as paths."""
        return ()

    def describe(self) -> str | None:
        """A line for the table of declared lenses; None for fields that meet by name."""
        return None


@dataclass(frozen=True, slots=True)
class TypePlan:
    """How a struct of a version and its hub type become each other."""

    version: TypeId
    hub: TypeId
    steps: tuple[Step, ...]
