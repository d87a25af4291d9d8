"""Finds what a generated package has for a kind, a name or an object, and the generated functions for that."""

from __future__ import annotations

import sys

from .errors import DecodeError, SchemeError
from .kinds import HubKind, KindVersion

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType
    from typing import Any

__all__ = ["KindTable"]


class KindTable:
    """Every kind of a generated package, in every version and in the hub.

    `versions` are by `apiVersion` and `kind`, `hubs` by their key, `by_hub` the versions of a hub's key by their
    `apiVersion`, `names` the versions of each kind by the name that users call it.
    """

    def __init__(
        self, package: str, versions: Iterable[KindVersion], hubs: Iterable[HubKind]
    ) -> None:
        self._package = package
        self.versions = {(v.api_version, v.kind): v for v in versions}
        self.hubs = {h.key: h for h in hubs}
        self._by_class = {
            (f"{package}.{v.package}.types", v.kind): v for v in self.versions.values()
        }
        self._hub_by_class = {
            (f"{package}.{h.package}.types", h.kind): h for h in self.hubs.values()
        }
        self.by_hub: dict[str, dict[str, KindVersion]] = {}
        for version in self.versions.values():
            self.by_hub.setdefault(version.hub, {})[version.api_version] = version
        self.names = _kind_names(self.versions.values())
        self._places: dict[type[object], KindVersion | HubKind] = {}
        self._functions: dict[tuple[str, str, str], Callable[..., Any]] = {}

    def module(self, place: KindVersion | HubKind, name: str) -> ModuleType:
        """A module of a place's package; loads it."""
        module = f"{self._package}.{place.package}.{name}"
        __import__(module)
        return sys.modules[module]

    def function(
        self, place: KindVersion | HubKind, module: str, name: str
    ) -> Callable[..., Any]:
        """A function of such a module; kept, as finding it takes time."""
        key = (place.package, module, name)
        function = self._functions.get(key)
        if function is None:
            function = getattr(self.module(place, module), name)
            self._functions[key] = function
        return function

    def entry(self, obj: object) -> KindVersion:
        """The kind's version that an object is of. Raises SchemeError."""
        place = self.place(obj)
        if isinstance(place, HubKind):  # perhaps a version as well, used as it is
            version = self._by_class.get(_class_key(obj))
            if version is None:
                raise _no_version(obj)
            return version
        return place

    def place(self, obj: object) -> KindVersion | HubKind:
        """The kind's version or hub that an object is of. Raises SchemeError."""
        place = self._places.get(type(obj))
        if place is None:
            key = _class_key(obj)
            place = self._hub_by_class.get(key) or self._by_class.get(key)
            if place is None:
                raise _no_version(obj)
            self._places[type(obj)] = place
        return place

    def hub_key(self, place: KindVersion | HubKind) -> str:
        """The hub that a place is, or that it converts to."""
        return place.hub if isinstance(place, KindVersion) else place.key

    def silent(self, expect: type[object]) -> KindVersion | None:
        """The kind of a class whose objects never say what they are; None for all others."""
        entry = self._by_class.get((expect.__module__, expect.__name__))
        return entry if entry is not None and not entry.type_meta else None

    def kind(self, kind: str) -> tuple[KindVersion, ...]:
        """The versions of a kind, in the order of the specs. Raises SchemeError."""
        found = self.names.get(kind)
        if found is None:
            shared = [name for name in self.names if name.startswith(f"{kind}.")]
            hint = f"; say {' or '.join(shared)}" if shared else ""
            raise SchemeError("", f"there is no kind {kind!r}{hint}")
        return found

    def found(self, api_version: str, kind: str) -> KindVersion:
        """The kind's version that a document says it is of. Raises DecodeError."""
        if not kind:
            raise DecodeError("", "`kind` is missing")
        if not api_version:
            raise DecodeError("", "`apiVersion` is missing")
        if api_version.count("/") > 1:
            raise DecodeError(
                "apiVersion", f"expected group/version, found {api_version!r}"
            )
        entry = self.versions.get((api_version, kind))
        if entry is None:
            raise DecodeError(
                "", f"there is no kind {kind!r} in version {api_version!r}"
            )
        return entry


def _kind_names(versions: Iterable[KindVersion]) -> dict[str, tuple[KindVersion, ...]]:
    by_group: dict[tuple[str, str], list[KindVersion]] = {}
    for version in versions:
        if not version.is_list:
            by_group.setdefault((version.kind, version.group), []).append(version)
    groups: dict[str, int] = {}
    for kind, _ in by_group:
        groups[kind] = groups.get(kind, 0) + 1
    return {
        (kind if groups[kind] == 1 else f"{kind}.{group}" if group else kind): tuple(
            found
        )
        for (kind, group), found in by_group.items()
    }


def _class_key(obj: object) -> tuple[str, str]:
    return type(obj).__module__, type(obj).__name__


def _no_version(obj: object) -> SchemeError:
    name = f"{type(obj).__module__}.{type(obj).__name__}"
    return SchemeError("", f"{name} is no class of a kind's version")
