"""Which structs contain which, and the paths of a rule that remain if a rule of a containing struct replaces others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.codegen.containment import holders_of
from apigen.codegen.hub_names import ShownNames
from apigen.codegen.strategies.rules import DropRule, Gates, Tokens, rules_of, tokens
from apigen.dataclass import dataclass, field
from apigen.ir.graphs import breadth_first, reached
from apigen.ir.model import Field, Struct, TypeDef, struct_of
from apigen.ir.places import EachStep, FieldStep, steps_to_elements
from apigen.ir.types import TypeId, struct_in

Suppressed = frozenset[Tokens]
"""Paths below a struct, at and below which a rule further out has taken over."""


@dataclass(frozen=True, slots=True)
class Child:
    """A struct in a field: its value, its elements or values, or those of its elements."""

    field: Field
    steps: tuple[FieldStep | EachStep, ...]
    struct: TypeId

    @property
    def tokens(self) -> Tokens:
        """The steps from the parent as a rule names them."""
        return tokens(self.steps)

    @property
    def is_single(self) -> bool:
        """Return whether there is at most one of it."""
        return len(self.steps) == 1


@dataclass(slots=True)
class Places:
    """The structs of all types with their children and rules, computed when first needed.

    With `series`, the release series of groups by folder, the structs of another series than their holder's are omitted:
    strategies do not look into values.
    """

    types: Mapping[TypeId, TypeDef]
    names: ShownNames
    series: Mapping[str, str] = field(default_factory=dict)
    _children: dict[TypeId, tuple[Child, ...]] = field(default_factory=dict)
    _rules: dict[TypeId, tuple[DropRule, ...]] = field(default_factory=dict)
    _parents: Mapping[TypeId, Iterable[TypeId]] = field(default_factory=dict)

    def struct(self, id_: TypeId) -> Struct:
        """The struct of that identity."""
        return struct_of(id_, self.types)

    def children(self, id_: TypeId) -> tuple[Child, ...]:
        """The structs in a struct."""
        found = self._children.get(id_)
        if found is None:
            found = tuple(
                Child(member, (FieldStep(member), *steps_to_elements(member.type)), struct)
                for member in self.struct(id_).fields
                if (struct := struct_in(member.type)) is not None
                and self.series.get(struct.group) == self.series.get(id_.group)
            )
            self._children[id_] = found
        return found

    def rules(self, id_: TypeId) -> tuple[DropRule, ...]:
        """The rules and marks of a struct itself."""
        found = self._rules.get(id_)
        if found is None:
            found = self._rules[id_] = tuple(
                rules_of(self.struct(id_), self.types, self.names, self.series.get(id_.group, ""))
            )
        return found

    def below(self, root: TypeId) -> tuple[TypeId, ...]:
        """Return a struct and all structs that it can contain, each once, from the outside in."""
        return breadth_first(root, lambda id_: (child.struct for child in self.children(id_)))

    def above(self, ids: Iterable[TypeId]) -> frozenset[TypeId]:
        """Return the structs that are, or can contain, one of `ids`."""
        if not self._parents:
            structs = [id_ for id_, type_ in self.types.items() if isinstance(type_, Struct)]
            self._parents = holders_of({id_: [child.struct for child in self.children(id_)] for id_ in structs})
        return reached(ids, lambda id_: self._parents.get(id_, ()))


def inside(suppressed: Iterable[Tokens], steps: Tokens) -> Suppressed | None:
    """Return the suppressed paths below a place; None if the place itself is suppressed."""
    remaining = set()
    for path in suppressed:
        if path == steps[: len(path)]:
            return None
        if path[: len(steps)] == steps:
            remaining.add(path[len(steps) :])
    return frozenset(remaining)


def covers(suppressed: Iterable[Tokens], path: Tokens) -> bool:
    """Return whether a path is at or below a suppressed one."""
    return any(suppressed_path == path[: len(suppressed_path)] for suppressed_path in suppressed)


def replaced_by(rules: Iterable[DropRule], gates: Gates) -> Suppressed:
    """The paths that the rules of a block, but not the marks of fields, take over from marks and rules of `gates`."""
    return frozenset(
        tokens(path.steps)
        for rule in rules
        if not rule.is_mark and isinstance(off := rule.walk.off, Gates) and not set(gates.names).isdisjoint(off.names)
        for path in rule.paths
    )
