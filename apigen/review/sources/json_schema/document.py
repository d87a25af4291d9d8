"""A JSON Schema document: its references, and the types that they lead to."""

from __future__ import annotations

from collections.abc import Callable

from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import quote
from apigen.language.nodes import Mapping, Node
from apigen.review.sources.json_schema.drafts import Drafts
from apigen.review.sources.json_schema.resources import Resources
from apigen.review.sources.schemas.definitions import define
from apigen.review.sources.schemas.flattening import flattened
from apigen.review.sources.schemas.scope import Scope, member_path
from apigen.review.sources.schemas.slots import Slots
from apigen.review.sources.schemas.words import entries_of, text, words_of
from apigen.review.surface import Alias, Named

_DEFINITIONS = ("definitions", "$defs")
_COMPONENTS = ("components", "schemas")
"""The path of the definitions in OpenAPI."""

_LIBRARY = frozenset({*_DEFINITIONS, "$schema", "$id", "id", "$comment", "title", "description"})
"""Words of a document that only holds definitions for others."""

_REFERRING = frozenset({*_LIBRARY, "$ref", "$anchor", "$vocabulary", "default", "examples", "example", "deprecated"})
"""Keywords of a schema that only refers to another one: none of them validates a value."""


class Document:
    """The types of one document, with its `$ref` targets. `read` is applied to each schema first."""

    has_any = True

    def __init__(
        self,
        root: Node,
        root_name: str,
        scope: Scope,
        report: Report,
        read: Callable[[Mapping], Mapping] | None = None,
    ) -> None:
        drafts = Drafts(root, scope.complain, read)
        self._root = drafts.root
        self.excludes_fractions = drafts.excludes_fractions
        self._root_name = root_name
        self._scope = scope
        self._report = report
        self._named: dict[str, Node] = {root_name: self._root}
        self._names: dict[int, str] = {id(self._root): root_name}
        self._resources = Resources(drafts)
        self._told: set[str] = set()

    def define_all(self) -> None:
        """Define the root, every definition, and every target of a reference."""
        slots = Slots(self._scope, self)
        root = self._unfolded_root()
        for keyword in _DEFINITIONS:
            for key, node in entries_of(words_of(self._root) if isinstance(self._root, Mapping) else {}, keyword):
                self._name_of(node, (keyword, key.text))
        define(self._root_name, root, self._root.place, slots)
        done = {self._root_name}
        while waiting := [name for name in self._named if name not in done]:
            for name in waiting:
                done.add(name)
                define(name, self._named[name], self._named[name].place, slots)
        self._check_cycles()
        for each in self._resources.undecided:
            self._scope.complain(
                each,
                "the target of this reference depends on the referring schema; apigen uses the one in this document",
            )

    def name(self, reference: str, at: Node) -> str | None:
        """Return the name of the type that a reference refers to; None, with a diagnostic, if it is unknown."""
        found = self._resources.found(reference, at)
        if found is not None:
            return self._name_of(*found)
        if reference not in self._told:
            self._told.add(reference)
            if reference.startswith("#"):
                message = f"the reference {quote(reference)} has no target in this document"
                self._report.error(
                    "AG1433", at.place, message, hint="write the path of a schema: `#/definitions/Name`, `#/$defs/Name`"
                )
            else:
                self._scope.complain(
                    at, f"{quote(reference)} is another document, which is not read; any value counts as valid"
                )
        return None

    def target(self, name: str) -> Node | None:
        """The schema of a type that a reference leads to."""
        return self._named.get(name)

    def roots(self) -> tuple[str, ...]:
        """Return the types for validation: the root, or the definitions of a document that has nothing else."""
        words = words_of(self._root) if isinstance(self._root, Mapping) else {}
        if not words or words.keys() - _LIBRARY:
            return (self._root_name,)
        nodes = [node for keyword in _DEFINITIONS for _, node in entries_of(words, keyword)]
        return (self._root_name, *dict.fromkeys(self._names[id(node)] for node in nodes))

    def found(self, reference: str) -> Node | None:
        """Return the schema that a reference refers to; None if that is not certain."""
        found = self._resources.found(reference, self._root) if self._resources.is_one else None
        return None if found is None else found[0]

    def _unfolded_root(self) -> Node:
        """Return the schema of the root, or the one that it refers to if it only consists of a reference."""
        root, seen = self._root, set[int]()
        while isinstance(root, Mapping) and id(root) not in seen:
            seen.add(id(root))
            words = flattened(root)
            reference = text(words, "$ref")
            found = None
            if reference is not None and not words.keys() - _REFERRING:
                found = self._resources.found(reference, words["$ref"])
            if found is None or not isinstance(found[0], Mapping):
                break
            root = found[0]
            self._names[id(root)] = self._root_name
        if root is not self._root:
            self._named[self._root_name] = root
        return root

    def _name_of(self, node: Node, steps: tuple[str, ...]) -> str:
        """The name of the type of a schema; the schema is put in line to be defined."""
        known = self._names.get(id(node))
        if known is not None:
            return known
        name = _name(self._root_name, steps)
        if name in self._named:
            name = ".".join(step for step in steps if step)
        while name in self._named:
            name += "'"
        self._names[id(node)] = name
        self._named[name] = node
        return name

    def _check_cycles(self) -> None:
        """Report definitions that only refer to themselves."""
        ended: set[str] = set()
        for name in self._scope.types:
            seen: dict[str, None] = {}
            following: str | None = name
            while following is not None and following not in ended and following not in seen:
                seen[following] = None
                following = self._alone(following)
            if following is not None and following in seen:
                names = list(seen)
                self._circle(names[names.index(following) :])
            ended.update(seen)

    def _alone(self, name: str) -> str | None:
        """Return the type to which an alias refers; None for other types."""
        type_ = self._scope.types.get(name)
        if isinstance(type_, Alias) and isinstance(type_.slot.type, Named):
            return type_.slot.type.name.name
        return None

    def _circle(self, names: list[str]) -> None:
        first = self._scope.types[names[0]]
        related = [Related(self._scope.types[name].place, f"so does {quote(name)}") for name in names[1:4]]
        message = f"{quote(names[0])} consists only of references that lead back to it"
        self._report.error("AG1434", first.place, message, hint="give one of them a type of its own", related=related)


def _name(root: str, steps: tuple[str, ...]) -> str:
    """Return the name of the type at a path from the root."""
    name, rest = root, list(steps)
    if tuple(rest[:2]) == _COMPONENTS:
        rest = [_DEFINITIONS[0], *rest[2:]]
    while rest:
        step = rest.pop(0)
        if step in _DEFINITIONS or step == "":
            following = rest.pop(0) if rest else ""
            name = following if name == root else f"{name}.{following}"
        elif step == "properties" and rest:
            name = member_path(name, rest.pop(0))
        elif step == "items" and not (rest and rest[0].isdigit()):
            name += "[]"
        elif step == "additionalProperties":
            name += "{}"
        else:
            name += f"({step})"
    return name
