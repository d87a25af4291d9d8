"""The schemas that `allOf` refers to, whose properties are properties of the referring schema."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.inputs.schemas.flattening import flattened
from apigen.inputs.schemas.scope import References
from apigen.inputs.schemas.words import Words, entries_of, items_of, text, texts, words_of
from apigen.language.nodes import Mapping

_DOCUMENTATION = frozenset({"title", "description", "$comment", "examples", "example"})
_PLAIN = frozenset({"type", "properties", "required", "allOf", *_DOCUMENTATION})
_CLOSING = frozenset({"additionalProperties", "patternProperties"})


class Bases:
    """Finds the bases of schemas: the schemas that `allOf` refers to."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._names: dict[str, frozenset[str] | None] = {}

    def of(self, words: Words) -> Iterator[str]:
        """Yield the names of the bases of a schema."""
        for item in items_of(words, "allOf"):
            reference = text(words_of(item), "$ref")
            name = None if reference is None else self._references.name(reference, words_of(item)["$ref"])
            if name is not None:
                yield name

    def are_inlined(self, words: Words) -> bool:
        """Return whether a schema with the properties of its bases as its own accepts the same values.

        Bases then only declare properties, each of which neither the schema nor another base declares.
        """
        return _CLOSING.isdisjoint(words) and _refers_plainly(words) and self._all_names(words) is not None

    def _all_names(self, words: Words) -> frozenset[str] | None:
        """Return the properties of a schema and of its bases; None if one is declared twice, or if a base is not plain."""
        own = (*(entry.key.text for entry in entries_of(words, "properties")), *texts(words, "required"))
        names = frozenset(own)
        for base in self.of(words):
            inner = self._names_of(base)
            if inner is None or not names.isdisjoint(inner):
                return None
            names |= inner
        return names

    def _names_of(self, base: str) -> frozenset[str] | None:
        if base not in self._names:
            self._names[base] = None  # for a base of itself
            target = self._references.target(base)
            words = flattened(target) if isinstance(target, Mapping) else {}
            self._names[base] = self._all_names(words) if _is_plain(words) else None
        return self._names[base]


def _is_plain(words: Words) -> bool:
    """Return whether a schema of an object only declares properties."""
    return (
        ("type" not in words or text(words, "type") == "object")
        and _PLAIN.issuperset(words)
        and _refers_plainly(words, alone=True)
    )


def _refers_plainly(words: Words, *, alone: bool = False) -> bool:
    """Return whether the schemas with references in `allOf` have no other keywords; `alone`: there are no other schemas."""
    items = [words_of(item).keys() for item in items_of(words, "allOf")]
    return all(not item - {"$ref", *_DOCUMENTATION} for item in items if alone or "$ref" in item)
