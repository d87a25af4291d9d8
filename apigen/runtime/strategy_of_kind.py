"""The strategy of a kind that a scheme has: the generated one, which reads requests in any version."""

from __future__ import annotations

from .errors import SchemeError, class_name
from .field_paths import ROOT
from .kinds import HUB, HubKind
from .strategy import Strategy

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .conversion_ways import Converter
    from .kind_table import KindTable
    from .validation import FieldError

__all__ = ["strategy_of_kind"]


def strategy_of_kind(
    scheme: Converter, kinds: KindTable, hubs: Sequence[HubKind], subresource: str
) -> Strategy[Any]:
    """Return the strategy for hub objects of a kind, or of its subresource.

    `hubs` are the hubs of the versions of the kind: one if they share a hub, each version itself without a hub.
    """
    if len(hubs) == 1:
        return _strategy_of_hub(scheme, kinds, hubs[0], subresource)
    parts = {hub.key: _strategy_of_hub(scheme, kinds, hub, subresource) for hub in hubs}

    def from_request(obj: object, old: object) -> tuple[Any, list[FieldError]]:
        part = parts.get(kinds.hub_key(kinds.place(obj)), parts[hubs[0].key])
        return part.from_request(obj, old)

    strategy = Strategy.of_versions(
        {_hub_class(kinds, hub): parts[hub.key] for hub in hubs}
    )
    strategy.read_requests_by(from_request)
    return strategy


def _hub_class(kinds: KindTable, hub: HubKind) -> type[Any]:
    cls: type[Any] = getattr(kinds.module(hub, "types"), hub.kind)
    return cls


def _strategy_of_hub(
    scheme: Converter, kinds: KindTable, hub: HubKind, subresource: str
) -> Strategy[Any]:
    suffix = f"_for_{subresource}" if subresource else ""
    make = getattr(kinds.module(hub, "strategies"), f"{hub.functions}_strategy{suffix}")
    strategy: Strategy[Any] = make()
    strategy.take_objects_of(_hub_class(kinds, hub))
    strategy.read_requests_by(
        lambda obj, old: _from_request(scheme, kinds, hub, suffix, obj, old)
    )
    return strategy


def _from_request(
    scheme: Converter,
    kinds: KindTable,
    hub: HubKind,
    suffix: str,
    obj: object,
    old: object,
) -> tuple[Any, list[FieldError]]:
    """Return the hub object of a request; parts that the subresource does not write are only converted."""
    entry = kinds.place(obj)
    if kinds.hub_key(entry) != hub.key:
        raise SchemeError(
            "", f"expected a {hub.kind}, found an object of {class_name(type(obj))}"
        )
    if isinstance(entry, HubKind) or not entry.has_singulars:
        return scheme.convert(obj, HUB), []
    module = kinds.module(entry, "singulars")
    errors: list[FieldError] = []
    normalize = getattr(module, f"normalize_{entry.functions}{suffix}", None)
    if normalize is not None:
        before = None
        if old is not None:
            before = scheme.convert(old, entry.api_version)
        obj = scheme.copy(obj)
        normalize(obj, before, ROOT, errors)
    found = scheme.convert(obj, HUB)
    restore = getattr(module, f"restore_{entry.functions}{suffix}", None)
    if restore is not None and old is not None:
        restore(found, scheme.copy(old))
    return found, errors
