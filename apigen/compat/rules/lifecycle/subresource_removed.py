"""A subresource of a kind is gone, or has other paths."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, breaks, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "subresource-removed",
    altered(Trait.SUBRESOURCES, ElementKind.KIND),
    altered(Trait.SCALE, ElementKind.KIND),
    severities="W/E/E",
)
def subresource_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Clients that write by it get no answer."""
    if not isinstance(change, Altered):
        return None
    kind = change.element.type
    if change.trait is Trait.SCALE:
        return _scale(kind, f"{change.before or ''}", f"{change.after or ''}")
    gone = Entries.of(change).gone
    if not gone:
        return None
    hits = {Direction.OLD_CLIENT: breaks(f"a client that writes {kind} by /{gone[0]} gets 404 Not Found")}
    if "status" in gone:
        hits[Direction.NEW_CLIENT] = depends(f"a server of before ignores status in a write of {kind} itself")
    message = f"{kind} of {change.element.version} lost /{' and /'.join(gone)}"
    return Verdict(message, hits, patch=f"subresources: {{{gone[0]}: {{}}}}")


def _scale(kind: str, before: str, after: str) -> Verdict | None:
    if not before or not after:
        return None
    hits = {
        Direction.OLD_CLIENT: breaks(f"an autoscaler of before reads and writes other fields of {kind}"),
        Direction.NEW_CLIENT: breaks(f"/scale of a server of before means other fields of {kind}"),
    }
    return Verdict(f"/scale of {kind} was of {before}, and is of {after}", hits, patch=f"scale: {{{before}}}")
