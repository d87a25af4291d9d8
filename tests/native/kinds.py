"""The kinds of this project's generated package, their classes, layouts and functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from generated import scheme
from generated.runtime.kinds import HubKind, KindVersion
from generated.runtime.layouts import Members
from generated.runtime.native import NativeCodec
from generated.runtime.scheme import Scheme
from tests.native.building import extension

KINDS: tuple[KindVersion, ...] = scheme._VERSIONS  # type: ignore[attr-defined]
HUBS: tuple[HubKind, ...] = scheme._HUBS  # type: ignore[attr-defined]
PLACES: tuple[KindVersion | HubKind, ...] = (*KINDS, *HUBS)
JSON, PROTOBUF = "application/json", "application/vnd.kubernetes.protobuf"


def made_scheme(codec: NativeCodec | None) -> Scheme:
    """A scheme of these kinds, with the extension or without."""
    made: Scheme = scheme_of("generated", codec)
    return made


def scheme_of(package: str, codec: Any) -> Any:
    """A new scheme of a generated package, with the extension or without."""
    module: Any = import_module(f"{package}.scheme")
    made = type(module._SCHEME)(package, module._VERSIONS, module._HUBS, module._gates)
    vars(made)["_native"] = codec
    return made


def native_of(package: str) -> Any:
    """A new native codec of a generated package, which knows no kind yet."""
    native: Any = import_module(f"{package}.runtime.native")
    return native.NativeCodec(package, extension().Codec())


@cache
def layouts() -> dict[type, Members]:
    """Those of all versions and hubs of this project."""
    return layouts_of("generated", PLACES)


def layouts_of(name: str, places: Iterable[Any]) -> dict[type, Members]:
    """Those of versions and hubs of a generated package."""
    found: dict[type, Members] = {}
    waiting, seen = [place.package for place in places], set[str]()
    while waiting:
        package = waiting.pop()
        if package not in seen:
            seen.add(package)
            module = import_module(f"{name}.{package}.layouts")
            found.update(module.LAYOUTS)
            waiting += module.NEEDS
    return found


def class_of(place: KindVersion | HubKind) -> type:
    """The class of a kind's objects."""
    found: type = getattr(import_module(f"generated.{place.package}.types"), place.kind)
    return found


def function(entry: KindVersion, module: str, verb: str) -> Callable[..., Any]:
    """A generated function of a kind."""
    found: Callable[..., Any] = getattr(
        import_module(f"generated.{entry.package}.{module}"), f"{verb}_{entry.functions}"
    )
    return found


def ways(place: KindVersion | HubKind) -> Iterator[str]:
    """Where objects of a place can go."""
    hub = place.hub if isinstance(place, KindVersion) else place.key
    yield "hub"
    yield from (version.api_version for version in KINDS if version.hub == hub)
