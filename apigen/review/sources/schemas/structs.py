"""Objects with members."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.dataclass import replace
from apigen.diagnostics import Place
from apigen.language.nodes import Mapping, Node, Sequence
from apigen.language.nodes import Scalar as ScalarNode
from apigen.review.sources.schemas.scope import Scope, member_path
from apigen.review.sources.schemas.words import Words, entries_of, is_false, is_true, items_of
from apigen.review.surface import (
    NO_LIFECYCLE,
    Constraint,
    Field,
    Keyword,
    Lifecycle,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Type,
    UnknownFields,
)

PRESERVE = "x-kubernetes-preserve-unknown-fields"
EMBEDDED = "x-kubernetes-embedded-resource"

_STRING = Scalar(Scalars.STRING)
_DEPRECATED = Lifecycle(is_deprecated=True)

MakeSlot = Callable[[Node, str, Place], Slot]


class Structs:
    """Makes structs; `slot` makes the places of their fields."""

    def __init__(self, scope: Scope, slot: MakeSlot) -> None:
        self._scope = scope
        self._slot = slot

    def struct(self, words: Words, path: str, place: Place) -> Type:
        """The struct of an object's words; it is added to the scope."""
        required = {item.value: item for item in items_of(words, "required") if isinstance(item, ScalarNode)}
        fields = {field.name: field for field in self._fields(words, path, frozenset(map(str, required)))}
        for name, item in required.items():
            if isinstance(name, str) and name not in fields:
                anything = self._scope.anything(item.place)
                fields[name] = Field(name, anything, item.place, required=True, is_defined=False)
        if is_true(words, EMBEDDED):
            self.add_object_fields(fields, path, place, required=True)
        name_ = self._scope.name(path)
        patterns = tuple(key.text for key, _ in entries_of(words, "patternProperties"))
        slot = Slot(Named(name_), place)
        struct = Struct(name_, fields, slot, place, unknown=self._unknown(words), patterns=patterns)
        self._scope.types[path] = struct
        return Named(name_)

    def add_object_fields(self, fields: dict[str, Field], path: str, place: Place, *, required: bool) -> None:
        """Add `apiVersion`, `kind` and `metadata`, which every object has even if its schema does not declare them."""
        for name in ("apiVersion", "kind"):
            fields.setdefault(name, Field(name, Slot(_STRING, place), place, required=required))
        metadata = fields.get("metadata")
        inner = f"{path}.metadata"
        known = self._scope.types.get(inner)
        members = dict(known.fields) if isinstance(known, Struct) else {}
        for name in ("name", "generateName"):
            members.setdefault(name, Field(name, Slot(_STRING, place), place))
        name_ = self._scope.name(inner)
        at = metadata.place if metadata is not None else place
        self._scope.types[inner] = Struct(name_, members, Slot(Named(name_), at), at, unknown=UnknownFields.KEPT)
        if metadata is None:
            fields["metadata"] = Field("metadata", Slot(Named(name_), place), place)

    def _fields(self, words: Words, path: str, required: frozenset[str]) -> Iterator[Field]:
        needs = _needs(words)
        for key, node in entries_of(words, "properties"):
            slot = self._slot(node, member_path(path, key.text), key.place)
            if key.text in needs:
                slot = replace(slot, constraints={**slot.constraints, Keyword.REQUIRES: needs[key.text]})
            yield Field(
                name=key.text,
                slot=slot,
                place=key.place,
                required=key.text in required,
                lifecycle=_DEPRECATED if _is_deprecated(node) else NO_LIFECYCLE,
            )

    def _unknown(self, words: Words) -> UnknownFields:
        additional = words.get("additionalProperties")
        if is_false(words, "additionalProperties"):
            return UnknownFields.REJECTED
        if is_true(words, PRESERVE):
            return UnknownFields.KEPT
        if additional is not None:
            is_emptied = self._scope.dialect.unknown is UnknownFields.DROPPED and is_true(words, "additionalProperties")
            return UnknownFields.EMPTIED if is_emptied else UnknownFields.KEPT
        return self._scope.dialect.unknown


def _is_deprecated(node: Node) -> bool:
    entries = node.entries if isinstance(node, Mapping) else ()
    said = (each.value for each in entries if each.key.text == "deprecated")
    return any(isinstance(each, ScalarNode) and each.value is True for each in said)


def _needs(words: Words) -> dict[str, Constraint]:
    """Return the properties that each property requires, by `dependentRequired` and lists in `dependencies`; known properties
    only.
    """
    said = (*entries_of(words, "dependentRequired"), *entries_of(words, "dependencies"))
    if not said:
        return {}
    known = {entry.key.text for entry in entries_of(words, "properties")}
    found: dict[str, Constraint] = {}
    for key, node in said:
        if key.text in known and isinstance(node, Sequence):
            names = {item.value for item in node.items if isinstance(item, ScalarNode) and isinstance(item.value, str)}
            if names:
                found[key.text] = Constraint(tuple(sorted(names)), key.place)
    return found
