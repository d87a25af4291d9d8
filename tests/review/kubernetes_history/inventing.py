"""Looks for the reason of each change that a comparison finds: nothing may differ that the Go sources do not change."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.ir.surface import ElementKind, Tombstone, Union
from apigen.review.changes.change import Added, Altered, AnyChange, Trait
from tests.review.kubernetes_history.index import Index
from tests.review.kubernetes_history.truth import Truth

INVENTED = ""
"""No reason at all."""
TOLD = "the sources have a change at the same element"
_KIND = "a kind came or went with its type, or with its version"
_GROUP = "a group came with its first version"
_LIFECYCLE = "a version's lifecycle is that of its kinds, one of which changed"
_HOLES = "unused numbers are reserved when a field with a higher number is added"
_UNION = "a union came with the field that makes it one"
_EVERYWHERE = "an option kind of meta/v1, which every version knows under its own name"
_OF_LIFECYCLE = frozenset({Trait.INTRODUCED, Trait.DEPRECATED, Trait.REMOVED, Trait.REPLACEMENT})


class Explaining:
    """The reasons for the changes of one step."""

    def __init__(self, truths: Iterable[Truth], index: Index) -> None:
        self._index = index
        self._truths = tuple(truths)
        self._keys = {(each.group, each.version, each.type, each.member) for each in self._truths}
        self._keys |= {
            (each.group, each.version, each.type, str(each.said.get("value"))) for each in self._truths if each.constant
        }

    def reason(self, change: AnyChange) -> str:
        """Why it is there; INVENTED where nothing explains it."""
        if any(key in self._keys for key in self._index.keys(change)):
            return TOLD
        element = change.element
        if element.kind is ElementKind.KIND and self._has_type(element.group, element.version, element.type):
            return _KIND
        if element.kind in (ElementKind.GROUP, ElementKind.VERSION) and self._has_version(change):
            return _GROUP
        if isinstance(change, Altered) and change.trait in _OF_LIFECYCLE and self._has_lifecycle(change):
            return _LIFECYCLE
        if isinstance(change, Added) and isinstance(change.part, Tombstone) and not change.part.name:
            return _HOLES if self._adds_field(change) else INVENTED
        if isinstance(change, Added) and isinstance(change.part, Union) and self._has_member(change.part, change):
            return _UNION
        if ("meta.k8s.io", "v1", element.type, element.path) in self._keys:
            return _EVERYWHERE
        return INVENTED

    def _has_type(self, group: str, version: str, name: str) -> bool:
        """Whether a type of that name came or went, by itself or with a version; a group's kind has no version."""
        of_group = [each for each in self._truths if each.group == group and version in ("", each.version)]
        return any(each.type == name or name in each.said.get("kinds", ()) for each in of_group)

    def _has_version(self, change: AnyChange) -> bool:
        return not isinstance(change, Altered) and any(
            each.group == change.element.group and each.kind.startswith("version") for each in self._truths
        )

    def _has_lifecycle(self, change: AnyChange) -> bool:
        element = change.element
        return any(
            each.kind.startswith("lifecycle") and (each.group, each.version) == (element.group, element.version)
            for each in self._truths
        )

    def _has_member(self, union: Union, change: AnyChange) -> bool:
        element = change.element
        return any((element.group, element.version, element.type, member) in self._keys for member in union.members)

    def _adds_field(self, change: AnyChange) -> bool:
        """Whether a field was added to the type, or to the type of meta/v1 that it is."""
        element = change.element
        places = ((element.group, element.version), ("meta.k8s.io", "v1"))
        return any(
            each.kind == "field-added" and each.type == element.type and (each.group, each.version) in places
            for each in self._truths
        )
