"""The kinds of this project's generated package, their classes, layouts and functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from generated import scheme
from generated.runtime.kinds import HubKind, KindVersion
from generated.runtime.native import Members, NativeCodec
from generated.runtime.scheme import Scheme

KINDS: tuple[KindVersion, ...] = scheme._VERSIONS  # type: ignore[attr-defined]
HUBS: tuple[HubKind, ...] = scheme._HUBS  # type: ignore[attr-defined]
PLACES: tuple[KindVersion | HubKind, ...] = (*KINDS, *HUBS)
JSON, PROTOBUF = "application/json", "application/vnd.kubernetes.protobuf"


def made_scheme(codec: NativeCodec | None) -> Scheme:
    """A scheme of these kinds, with the extension or without."""
    made = Scheme("generated", KINDS, HUBS, scheme._gates)  # type: ignore[attr-defined]
    vars(made)["_native"] = codec
    return made


@cache
def layouts() -> dict[type, Members]:
    """Those of all versions and hubs."""
    found: dict[type, Members] = {}
    waiting, seen = [place.package for place in PLACES], set[str]()
    while waiting:
        package = waiting.pop()
        if package not in seen:
            seen.add(package)
            module = import_module(f"generated.{package}.layouts")
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
