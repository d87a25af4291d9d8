"""The strategy of a kind that a scheme has: the generated one, which reads requests in any version."""

from __future__ import annotations

from .errors import SchemeError
from .field_paths import ROOT
from .kinds import HUB, HubKind

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Any

    from .kind_table import KindTable
    from .scheme import Scheme
    from .strategy import Strategy
    from .validation import FieldError

__all__ = ["strategy_of_kind"]


def strategy_of_kind(
    scheme: Scheme, kinds: KindTable, hub: HubKind, subresource: str
) -> Strategy[Any]:
    """What is done to hub objects of a kind, or to those of its subresource, before they are stored."""
    suffix = f"_for_{subresource}" if subresource else ""
    make = getattr(kinds.module(hub, "strategies"), f"{hub.functions}_strategy{suffix}")
    strategy: Strategy[Any] = make()
    strategy.read_requests_by(
        lambda obj, old: _from_request(scheme, kinds, hub, suffix, obj, old)
    )
    return strategy


def _from_request(
    scheme: Scheme,
    kinds: KindTable,
    hub: HubKind,
    suffix: str,
    obj: object,
    old: object,
) -> tuple[Any, list[FieldError]]:
    """The hub object that a request means; what of it the subresource does not write is converted as it is."""
    entry = kinds.place(obj)
    if kinds.hub_key(entry) != hub.key:
        raise SchemeError("", f"{type(obj).__name__} is no {hub.kind}")
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
