"""Schemas nested in a schema: alternatives, conditions, patterns of names.

A branch is identified by its content, or by the part that distinguishes it from others, never by its position. If a
looser branch makes the whole schema stricter (`not`, `if`, alternatives that may overlap), what it refers to belongs
to its content, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from apigen.diagnostics import Place
from apigen.language.nodes import Mapping, Node, Sequence
from apigen.review.sources.schemas import constraints, merging
from apigen.review.sources.schemas.disjoint import Resolved, distinction, label_of
from apigen.review.sources.schemas.scope import References, Scope
from apigen.review.sources.schemas.structs import EMBEDDED, PRESERVE
from apigen.review.sources.schemas.words import Words, entries_of, items_of, text_of
from apigen.review.surface import Branch, Enum, Named, Scalar, Scalars, Several, Slot, Type

MAY_OVERLAP = "oneOf (may overlap)"
"""The keyword of the alternatives of `oneOf` where a value might match two of them, and is rejected then."""

_ANYTHING = Scalar(Scalars.ANYTHING)
_BESIDE = (
    "type",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "items",
    "prefixItems",
    "enum",
)
_CONDITION = ("if", "then", "else")
_CONTAINS = ("contains", "minContains", "maxContains")
_SAID = (
    "title",
    "description",
    "$comment",
    "examples",
    "example",
    "externalDocs",
    "deprecated",
    "xml",
    "discriminator",
)
_OF_DOCUMENTS = ("$schema", "$id", "id", "$anchor", "$defs", "$vocabulary", "$dynamicAnchor", "$recursiveAnchor")
_READ = frozenset(
    (
        *("type", "nullable", "enum", "default", "properties", "required", "items", "additionalItems", "prefixItems"),
        *("additionalProperties", "patternProperties", "propertyNames", "dependencies", "dependentRequired"),
        *("dependentSchemas", "allOf", "anyOf", "oneOf", "not", "definitions", "$ref", "x-kubernetes-int-or-string"),
        *(PRESERVE, EMBEDDED, constraints.RULES),
        *(*_CONDITION, *_CONTAINS, *_SAID, *_OF_DOCUMENTS, *merging.WORDS, *constraints.WORDS),
    )
)


class MakesSlots(Protocol):
    """Creates the slots of schemas."""

    @property
    def scope(self) -> Scope: ...

    @property
    def references(self) -> References: ...

    @property
    def resolved(self) -> Resolved: ...

    def slot(self, node: Node, path: str, place: Place) -> Slot: ...

    def slot_of(self, words: Words, path: str, place: Place) -> Slot: ...


def branches_of(words: Words, path: str, slots: MakesSlots, type_: Type) -> Iterator[Branch]:
    """The branches of a schema, without those that its type has taken up."""
    if not words.keys() <= _PLAIN:
        branches = _Branches(words, path, slots)
        yield from branches.alternatives()
        yield from branches.conditions()
        yield from branches.members()
        yield from branches.elements()
        yield from branches.others()
        if "enum" in words and "$ref" not in words and not _is_enum(type_, slots.scope):
            yield from branches.values()


def _is_enum(type_: Type, scope: Scope) -> bool:
    return isinstance(type_, Named) and isinstance(scope.types.get(type_.name.name), Enum)


_PLAIN = _READ - {
    *("items", "additionalItems", "prefixItems", "additionalProperties", "patternProperties", "propertyNames"),
    *("dependencies", "dependentRequired", "dependentSchemas", "allOf", "anyOf", "oneOf", "not", "definitions", "$ref"),
    *(*_CONDITION, *_CONTAINS, "enum"),
}
"""Words that never make a branch."""


class _Branches:
    def __init__(self, words: Words, path: str, slots: MakesSlots) -> None:
        self._words = words
        self._path = path
        self._slots = slots

    def alternatives(self) -> Iterator[Branch]:
        for item in items_of(self._words, "allOf"):
            yield self._opaque("allOf", item)
        for keyword in ("anyOf", "oneOf"):
            items = items_of(self._words, keyword)
            told = distinction(items, self._slots.references)
            if keyword == "oneOf" and items and not told.is_certain:
                yield from _numbered(self._opaque(MAY_OVERLAP, item, resolved=True) for item in items)
            elif told.names:
                yield from (self._compared(keyword, *each) for each in zip(told.names, items, strict=True))
            else:
                yield from (self._opaque(keyword, item) for item in items)

    def _compared(self, keyword: str, name: str, item: Node) -> Branch:
        """Return an alternative with the property that distinguishes it from the others as label, so that its content is compared."""
        return Branch(keyword, name, self._slots.slot(item, f"{self._path}({keyword}[{name}])", item.place))

    def conditions(self) -> Iterator[Branch]:
        if "not" in self._words:
            yield self._opaque("not", self._words["not"], resolved=True)
        for names in (_CONDITION, _CONTAINS):
            found = [name for name in names if name in self._words]
            if names[0] in found:
                parts = [self._slots.resolved.content_of(self._words[name]) for name in found]
                content = ", ".join(
                    (parts[0], *(f"{name}: {part}" for name, part in zip(found[1:], parts[1:], strict=True)))
                )
                yield self._branch(names[0], content, tuple(self._words[name] for name in found))

    def members(self) -> Iterator[Branch]:
        additional = self._words.get("additionalProperties")
        patterns = entries_of(self._words, "patternProperties")
        is_map = not (entries_of(self._words, "properties") or items_of(self._words, "required") or patterns)
        for key, node in patterns:
            slot = self._slots.slot(node, f"{self._path}(patternProperties[{key.text}])", key.place)
            yield Branch("patternProperties", key.text, slot)
        if isinstance(additional, Mapping) and additional.entries:
            if not is_map:
                slot = self._slots.slot(additional, f"{self._path}{{}}", additional.place)
                yield Branch("additionalProperties", self._all_but(), slot)
        else:
            is_map = False
        if "propertyNames" in self._words and not is_map:
            yield self._opaque("propertyNames", self._words["propertyNames"])
        yield from self._dependencies()

    def _all_but(self) -> str:
        """Return the names that `additionalProperties` excludes: with another declared property, it is another
        condition.
        """
        names = [
            key.text
            for key, _ in (*entries_of(self._words, "properties"), *entries_of(self._words, "patternProperties"))
        ]
        return label_of(f"of all but {', '.join(sorted(names))}") if names else ""

    def _dependencies(self) -> Iterator[Branch]:
        known = {entry.key.text for entry in entries_of(self._words, "properties")}
        for keyword in ("dependencies", "dependentRequired", "dependentSchemas"):
            for key, node in entries_of(self._words, keyword):
                if not (isinstance(node, Sequence) and key.text in known):
                    yield self._branch(
                        keyword, f"{key.text}: {self._slots.resolved.content_of(node, always=False)}", (node,)
                    )

    def elements(self) -> Iterator[Branch]:
        for keyword in ("prefixItems", "items"):
            for index, item in enumerate(items_of(self._words, keyword)):
                yield Branch("items", str(index), self._slots.slot(item, f"{self._path}[{index}]", item.place))

    def others(self) -> Iterator[Branch]:
        if "$ref" in self._words and any(name in self._words for name in _BESIDE):
            beside = {name: self._words[name] for name in _BESIDE if name in self._words}
            yield Branch("allOf", "", self._slots.slot_of(beside, f"{self._path}(allOf)", self._words["$ref"].place))
        for key, node in entries_of(self._words, "definitions"):
            if not self._slots.references.has_any:
                yield self._branch(
                    "definitions", f"{key.text}: {self._slots.resolved.content_of(node, always=False)}", (node,)
                )
        for keyword, node in self._words.items():
            if keyword.startswith("unevaluated"):
                yield Branch(keyword, label_of(self._whole()), Slot(_ANYTHING, node.place))
            elif keyword not in _READ:
                yield Branch(keyword, label_of(text_of(node)), Slot(_ANYTHING, node.place))

    def _whole(self) -> str:
        """Return the content of the whole schema: unevaluated properties and items depend on all of it."""
        said = (name for name in sorted(self._words) if name not in _SAID)
        return ", ".join(f"{name}: {self._slots.resolved.content_of(self._words[name])}" for name in said)

    def values(self) -> Iterator[Branch]:
        """Return the values of an `enum` that does not become a type."""
        for item in items_of(self._words, "enum"):
            yield Branch("enum", label_of(text_of(item)), Slot(_ANYTHING, item.place))

    def _opaque(self, keyword: str, node: Node, *, resolved: bool = False) -> Branch:
        return self._branch(keyword, self._slots.resolved.content_of(node, always=resolved), (node,))

    def _branch(self, keyword: str, content: str, nodes: tuple[Node, ...]) -> Branch:
        """A branch whose inside is not compared, but for the types that it refers to."""
        names = sorted({name for node in nodes for name in self._slots.resolved.names(node)})
        types = tuple(Named(self._slots.scope.name(name)) for name in names)
        is_one = len(types) == 1 and isinstance(nodes[0], Mapping) and len(nodes[0].entries) == 1
        whole = types[0] if is_one else Several((_ANYTHING, *types)) if types else _ANYTHING
        return Branch(keyword, label_of(content), Slot(whole, nodes[0].place))


def _numbered(branches: Iterator[Branch]) -> Iterator[Branch]:
    """Return branches with distinct labels: a schema that `oneOf` lists twice never matches exactly once."""
    seen: dict[str, int] = {}
    for branch in branches:
        seen[branch.label] = seen.get(branch.label, 0) + 1
        count = seen[branch.label]
        yield branch if count == 1 else Branch(branch.keyword, f"{branch.label} #{count}", branch.slot)
