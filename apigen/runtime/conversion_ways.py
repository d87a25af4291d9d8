"""Conversion between the versions of a kind through the hub: the part of a scheme that finds the functions to call."""

from __future__ import annotations

from functools import partial

from .errors import SchemeError
from .kinds import HUB, HubKind, KindVersion

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Protocol, TypeAlias

    from .kinds import KindTable
    from .native import NativeCodec

    Way: TypeAlias = Callable[..., Any]

    class Converter(Protocol):
        """The methods of a scheme that a conversion through other versions calls."""

        def convert(self, obj: object, to: str, *, share: bool = False) -> Any:
            """Return the object in another version, or as its hub type."""

        def copy(self, obj: Any) -> Any:
            """Return a copy that shares nothing with the object."""


class ConversionWays:
    """The ways of a scheme's conversions, called like generated ones: with an object, and `share` by its name."""

    def __init__(
        self, scheme: Converter, kinds: KindTable, native: NativeCodec | None
    ) -> None:
        self._scheme = scheme
        self._kinds = kinds
        self._native = native

    def find(self, obj: object, to: str) -> Way:
        """Return the function that converts objects of this object's class: its own conversion if that is sufficient.

        Raises SchemeError for an object of no version or hub; a missing conversion is only reported when it is called.
        """
        place = self._kinds.place(obj)
        way: Way = partial(self._converted_with_any_way, to)
        if self._native is None and to not in self._kinds.hubs:
            if isinstance(place, KindVersion):
                if to == HUB:
                    name = f"{place.functions}_to_hub"
                    way = self._kinds.function(place, "conversions", name)
            elif to in self._kinds.by_hub.get(place.key, {}):
                way = self._way_from_hub(self._kinds.by_hub[place.key][to]) or way
        return way

    def _way_from_hub(self, entry: KindVersion) -> Way | None:
        """Return the conversion from the hub; None for a version that is its own hub."""
        if self._kinds.hubs[entry.hub].package == entry.package:
            return None
        convert = self._kinds.function(
            entry, "conversions", f"{entry.functions}_from_hub"
        )
        api_version, kind = entry.api_version, entry.kind

        def from_hub(hub: object, *, share: bool) -> Any:
            obj = convert(hub, share=share)
            if entry.type_meta:
                obj.api_version, obj.kind = api_version, kind
            return obj

        return from_hub

    def _converted_with_any_way(self, to: str, obj: object, *, share: bool) -> Any:
        if to in self._kinds.hubs:
            return self._to_named_hub(obj, to, share)
        place = self._kinds.place(obj)
        native = self._native
        if native is not None:
            way = self._places_on_way(place, to)
            if len(way) > 1 and native.learn_route(obj, to, way):
                converted = native.convert(obj, to, share)
                if converted is not None:
                    return converted
            copied = None if share else native.copy_new(obj, place.package)
            if copied is not None:
                obj, share = copied, True
        if isinstance(place, KindVersion):
            hub = self._converted(place, f"{place.functions}_to_hub", obj, share)
            key = place.hub
            share = True  # no other code has a reference to the hub object
        elif to == HUB:
            return obj if share else self._scheme.copy(obj)
        else:
            hub, key = obj, place.key
        return hub if to == HUB else self._from_hub(key, to, hub, share)

    def _places_on_way(
        self, place: KindVersion | HubKind, to: str
    ) -> tuple[KindVersion | HubKind, ...]:
        """Return the places on the path to the hub or to another version; none for an unknown version, or if a version
        is its own hub.
        """
        hub = self._kinds.hubs[place.hub] if isinstance(place, KindVersion) else place
        target = None if to == HUB else self._kinds.by_hub.get(hub.key, {}).get(to)
        if target is None and to != HUB:
            return ()
        versions = [each for each in (place, target) if isinstance(each, KindVersion)]
        if any(version.package == hub.package for version in versions):
            return ()
        start = () if place is hub else (place,)
        return (*start, hub) if target is None else (*start, hub, target)

    def _to_named_hub(self, obj: object, key: str, share: bool) -> Any:
        """Return the object as a type of a hub: of its own, or of one that a version of its kind also converts to."""
        place = self._kinds.place(obj)
        own_hub = self._kinds.hub_key(place)
        if own_hub == key:
            return self._scheme.convert(obj, HUB, share=share)
        functions_by_version = {
            version: functions
            for version, functions in self._seen_as(key)
            if version.hub == own_hub
        }
        if not functions_by_version:
            kind = self._kinds.hubs[own_hub].kind
            raise SchemeError("", f"no version of {kind} is seen as {key}")
        version = (
            place
            if isinstance(place, KindVersion) and place in functions_by_version
            else next(iter(functions_by_version))
        )
        if version is not place:
            obj = self._scheme.convert(obj, version.api_version, share=share)
        return self._converted(
            version, f"{functions_by_version[version]}_to_hub", obj, share
        )

    def _from_hub(self, key: str, to: str, hub: object, share: bool) -> Any:
        targets = self._kinds.by_hub.get(key, {})
        entry = targets.get(to)
        if entry is None:
            entry, functions = self._target(key, to, targets)
        elif self._kinds.hubs[entry.hub].package == entry.package:
            # used without conversion
            return hub if share else self._scheme.copy(hub)
        else:
            functions = entry.functions
        obj = self._converted(entry, f"{functions}_from_hub", hub, share)
        if entry.type_meta:
            obj.api_version, obj.kind = entry.api_version, entry.kind
        return obj

    def _seen_as(self, key: str) -> Iterator[tuple[KindVersion, str]]:
        """Yield the versions of other hubs that also convert to a hub type, each with that part of the function names."""
        for version in self._kinds.versions.values():
            for hub, functions in version.also:
                if hub == key:
                    yield version, functions

    def _target(
        self, key: str, to: str, targets: Iterable[str]
    ) -> tuple[KindVersion, str]:
        """Return the kind of `to` that also converts to a hub type of another kind, and that part of the function names."""
        found = [each for each in self._seen_as(key) if each[0].api_version == to]
        if len(found) == 1:
            return found[0]
        kind = self._kinds.hubs[key].kind
        if found:
            kinds = " and ".join(version.kind for version, _ in found)
            raise SchemeError("", f"{kinds} of {to} are both seen as {kind}")
        raise SchemeError(
            "", f"{kind} has no version {to!r}; it has {', '.join(targets)}"
        )

    def _converted(
        self, entry: KindVersion, function: str, obj: object, share: bool
    ) -> Any:
        return self._kinds.function(entry, "conversions", function)(obj, share=share)
