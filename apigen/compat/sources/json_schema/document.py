"""A JSON Schema document: its references, and the types that they lead to."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from apigen.compat.sources.schemas.definitions import define
from apigen.compat.sources.schemas.flattening import flattened
from apigen.compat.sources.schemas.scope import Scope, member_path
from apigen.compat.sources.schemas.slots import Slots
from apigen.compat.sources.schemas.words import entries_of, text, words_of
from apigen.compat.surface.types import Alias, Named
from apigen.diagnostics import Related, Report
from apigen.diagnostics.quoting import quote
from apigen.spec.nodes import Mapping, Node, Sequence

_DEFINITIONS = ("definitions", "$defs")
_LIBRARY = frozenset({*_DEFINITIONS, "$schema", "$id", "id", "$comment", "title", "description"})
"""Words of a document that only holds definitions for others."""

_REFERRING = frozenset({*_LIBRARY, "$ref", "$anchor", "$vocabulary", "default", "examples", "example", "deprecated"})
"""Words of a schema that is what it refers to: none of them judges a value."""

_DATA = frozenset({"const", "enum", "default", "examples", "example"})


class Document:
    """Makes the types of one document. It knows what `$ref` means there."""

    has_any = True

    def __init__(self, root: Node, root_name: str, scope: Scope, report: Report) -> None:
        self._root = root
        self._root_name = root_name
        self._scope = scope
        self._report = report
        self._named: dict[str, Node] = {root_name: root}
        self._names: dict[int, str] = {id(root): root_name}
        self._ids, self._anchors = _identified(root)
        self._members: dict[int, dict[str, Node]] = {}
        self._told: set[str] = set()

    def define_all(self) -> None:
        """Define the root and every definition, and whatever references lead to."""
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

    def name(self, reference: str, at: Node) -> str | None:
        """The name of the type that a reference leads to; None, with a word about it, where it leads nowhere."""
        found = self._found(reference)
        if found is not None:
            return self._name_of(*found)
        if reference not in self._told:
            self._told.add(reference)
            if reference.startswith("#"):
                message = f"the reference {quote(reference)} leads nowhere in this document"
                self._report.error(
                    "AG1433", at.place, message, hint="write the path of a schema: `#/definitions/Name`, `#/$defs/Name`"
                )
            else:
                self._scope.complain(
                    at, f"{quote(reference)} is another document, which is not read; any value is taken for valid"
                )
        return None

    def target(self, name: str) -> Node | None:
        """The schema of a type that a reference leads to."""
        return self._named.get(name)

    def roots(self) -> tuple[str, ...]:
        """The types that others validate with: the root, and the definitions of a document that says nothing else."""
        words = words_of(self._root) if isinstance(self._root, Mapping) else {}
        if not words or words.keys() - _LIBRARY:
            return (self._root_name,)
        nodes = [node for keyword in _DEFINITIONS for _, node in entries_of(words, keyword)]
        return (self._root_name, *dict.fromkeys(self._names[id(node)] for node in nodes))

    def found(self, reference: str) -> Node | None:
        """The schema that a reference leads to; None where that is not known for sure."""
        found = None if len(self._ids) > 1 else self._found(reference)
        return None if found is None else found[0]

    def _unfolded_root(self) -> Node:
        """The schema of the root: what it refers to, if it does nothing else."""
        root, seen = self._root, set[int]()
        while isinstance(root, Mapping) and id(root) not in seen:
            seen.add(id(root))
            words = flattened(root)
            reference = text(words, "$ref")
            found = None if reference is None or words.keys() - _REFERRING else self._found(reference)
            if found is None or not isinstance(found[0], Mapping):
                break
            root = found[0]
            self._names[id(root)] = self._root_name
        if root is not self._root:
            self._named[self._root_name] = root
        return root

    def _found(self, reference: str) -> tuple[Node, tuple[str, ...]] | None:
        """What a reference leads to, with the steps from the root of the document or of what has an `$id`."""
        base, _, fragment = reference.partition("#")
        start: Node | None = self._root if not base else self._identified(base)
        if start is None:
            return None
        steps: tuple[str, ...] = () if start is self._root else ("", base)
        if not fragment:
            return start, steps
        if not fragment.startswith("/"):
            anchored = self._anchors.get(unquote(fragment))
            return None if anchored is None else (anchored, ("", fragment))
        tokens = tuple(unquote(token).replace("~1", "/").replace("~0", "~") for token in fragment[1:].split("/"))
        node = self._walked(start, tokens)
        return None if node is None else (node, (*steps, *tokens))

    def _walked(self, start: Node, tokens: tuple[str, ...]) -> Node | None:
        node: Node | None = start
        for token in tokens:
            if isinstance(node, Mapping):
                if id(node) not in self._members:
                    self._members[id(node)] = words_of(node)
                node = self._members[id(node)].get(token)
            elif isinstance(node, Sequence) and token.isdecimal() and len(token) < 9:
                node = node.items[int(token)] if int(token) < len(node.items) else None
            else:
                return None
        return node

    def _identified(self, base: str) -> Node | None:
        """The schema with this `$id`, or one that ends with it: relative references are not resolved further."""
        if base in self._ids:
            return self._ids[base]
        ends = [node for identifier, node in self._ids.items() if identifier.endswith(f"/{base.removeprefix('./')}")]
        return ends[0] if len(ends) == 1 else None

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
        """Refuse what refers to nothing but itself."""
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
        """What a type is nothing but a reference to."""
        type_ = self._scope.types.get(name)
        if isinstance(type_, Alias) and isinstance(type_.slot.type, Named):
            return type_.slot.type.name.name
        return None

    def _circle(self, names: list[str]) -> None:
        first = self._scope.types[names[0]]
        related = [Related(self._scope.types[name].place, f"so does {quote(name)}") for name in names[1:4]]
        message = f"{quote(names[0])} is nothing but references that lead back to it"
        self._report.error("AG1434", first.place, message, hint="give one of them a type of its own", related=related)


def _name(root: str, steps: tuple[str, ...]) -> str:
    """The name of the type at some steps from the root, as its parts are named where they stand."""
    name, rest = root, list(steps)
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


def _identified(root: Node) -> tuple[dict[str, Node], dict[str, Node]]:
    """The schemas with an `$id` and those with an anchor, by these; the first of a name counts."""
    ids: dict[str, Node] = {}
    anchors: dict[str, Node] = {}
    for node in _schemas(root):
        words = words_of(node)
        for keyword in ("$id", "id"):
            identifier = text(words, keyword) or ""
            base, _, fragment = identifier.partition("#")
            if base:
                ids.setdefault(base, node)
            elif fragment:
                anchors.setdefault(fragment, node)
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor = text(words, keyword)
            if anchor is not None:
                anchors.setdefault(anchor, node)
    return ids, anchors


def _schemas(root: Node) -> Iterator[Mapping]:
    """All mappings of a document, from outside in; those that many aliases stand for are looked at once."""
    waiting, seen = [root], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Mapping):
            yield node
            waiting.extend(entry.value for entry in reversed(node.entries) if entry.key.text not in _DATA)
        elif isinstance(node, Sequence):
            waiting.extend(reversed(node.items))
