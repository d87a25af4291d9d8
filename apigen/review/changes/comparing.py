"""Compare two surfaces: elements are matched by identity, and each difference is reported once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from apigen.diagnostics import Place
from apigen.review.changes import traits
from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.changes.matching import Sides, altered, altered_in, by_name, matched, nearer
from apigen.review.changes.types import FORMS, tombstone, tombstone_name, type_changes
from apigen.review.surface import (
    Element,
    ElementKind,
    Gate,
    Group,
    Kind,
    KindVersion,
    Method,
    Service,
    SourceFile,
    Surface,
    TypeDef,
    Version,
)

P = TypeVar("P", Gate, Group)


def compare(old: Surface, new: Surface) -> Iterator[AnyChange]:
    """Yield all changes from one surface to another: added, changed and removed parts."""
    sides = Sides(Place(old.label), Place(new.label))
    gates, groups = _reviewed(old.gates, new.gates), _reviewed(old.groups, new.groups)
    yield from matched(sides, gates, lambda name: Element(ElementKind.GATE, path=name), _gate)
    changes = matched(sides, groups, lambda name: Element(ElementKind.GROUP, name), _group)
    if old.has_docs and new.has_docs:
        yield from changes
    else:
        yield from (each for each in changes if not isinstance(each, Altered) or each.trait is not Trait.DOC)


def _reviewed(old: Mapping[str, P], new: Mapping[str, P]) -> tuple[dict[str, P], dict[str, P]]:
    """The groups, or gates, of both sides without those that no side has itself."""
    declared = {name for side in (old, new) for name, part in side.items() if not part.borrowed}
    old_parts, new_parts = ({name: part for name, part in side.items() if name in declared} for side in (old, new))
    return old_parts, new_parts


def compare_versions(old: Version, new: Version) -> Iterator[AnyChange]:
    """Yield the changes from the types of one version to those of another; elements have the name of the new version."""
    yield from _types(Element(ElementKind.VERSION, new.group, new.name), old, new)


def _gate(element: Element, old: Gate, new: Gate) -> Iterator[AnyChange]:
    yield from altered(element, old, new, traits.GATE)


def _group(element: Element, old: Group, new: Group) -> Iterator[AnyChange]:
    sides = Sides(old.place, new.place, new)
    yield from matched(sides, (old.kinds, new.kinds), lambda name: _typed(element, ElementKind.KIND, name), _kind)
    versions = old.versions, new.versions
    yield from matched(sides, versions, lambda name: Element(ElementKind.VERSION, element.group, name), _version)
    tombstones = by_name(old.tombstones, new.tombstones, tombstone_name)
    yield from matched(
        sides, tombstones, lambda name: Element(ElementKind.TOMBSTONE, element.group, path=name), tombstone
    )


def _kind(element: Element, old: Kind, new: Kind) -> Iterator[AnyChange]:
    yield from altered(element, old, new, traits.KIND)


def _version(element: Element, old: Version, new: Version) -> Iterator[AnyChange]:
    yield from altered(element, old, new, traits.VERSION)
    yield from altered_in(element, old, new, traits.LIFECYCLE, lambda version: version.lifecycle)
    sides = Sides(old.place, new.place, new)
    kinds = old.kinds, new.kinds
    yield from matched(sides, kinds, lambda name: _typed(element, ElementKind.KIND, name), _kind_version)
    yield from _types(element, old, new)
    services, files = (old.services, new.services), (old.files, new.files)
    found = matched(sides, services, lambda name: _typed(element, ElementKind.SERVICE, name), _service)
    yield from (nearer(change, old, new) for change in found)
    yield from matched(sides, files, lambda name: element.member(ElementKind.FILE, name), _file)


def _types(element: Element, old: Version, new: Version) -> Iterator[AnyChange]:
    def named(name: str) -> Element:
        found: TypeDef = new.types[name] if name in new.types else old.types[name]
        return _typed(element, FORMS[type(found)], name)

    changes = matched(Sides(old.place, new.place, new), (old.types, new.types), named, type_changes)
    yield from (nearer(change, old, new) for change in changes)


def _kind_version(element: Element, old: KindVersion, new: KindVersion) -> Iterator[AnyChange]:
    yield from altered(element, old, new, traits.KIND_VERSION)
    yield from altered_in(element, old, new, traits.LIFECYCLE, lambda kind: kind.lifecycle)


def _service(element: Element, old: Service, new: Service) -> Iterator[AnyChange]:
    yield from altered(element, old, new, traits.SERVICE)
    sides = Sides(old.place, new.place, new)
    methods = old.methods, new.methods
    yield from matched(sides, methods, lambda name: element.member(ElementKind.METHOD, name), _method)


def _method(element: Element, old: Method, new: Method) -> Iterator[AnyChange]:
    yield from altered(element, old, new, traits.METHOD)


def _file(element: Element, old: SourceFile, new: SourceFile) -> Iterator[AnyChange]:
    yield from altered(element, old, new, traits.FILE)


def _typed(element: Element, kind: ElementKind, name: str) -> Element:
    return Element(kind, element.group, element.version, name)
