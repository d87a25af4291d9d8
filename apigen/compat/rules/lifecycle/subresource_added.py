"""A kind has a subresource that it had not."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import INFO, silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import KindVersion
from apigen.compat.surface.types import Struct
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "subresource-added",
    altered(Trait.SUBRESOURCES, ElementKind.KIND),
    altered(Trait.SCALE, ElementKind.KIND),
    severities="I/W/E",
)
def subresource_added(change: AnyChange, context: Context) -> Verdict | None:
    """With `/status`, writes of the whole object do not reach status any more."""
    if not isinstance(change, Altered):
        return None
    kind = change.element.type
    if change.trait is Trait.SCALE:
        return silent(f"the paths of /scale of {kind} came or went with it")
    entries = Entries.of(change)
    new = entries.new
    if not new:
        return None if entries.gone else silent(f"subresources of {kind} stand in another order")
    message = f"{kind} of {change.element.version} has /{' and /'.join(new)}, and had not"
    newer = {Direction.NEW_CLIENT: depends(f"a client that asks a server of before for /{new[0]} gets 404 Not Found")}
    if "status" not in new:
        return Verdict(message, newer, "nothing", severities=INFO)
    why = _why_harmless(change, context)
    if why:
        return Verdict(f"{message}: {why}", newer, "nothing", severities=INFO)
    hits = {
        **newer,
        Direction.OLD_CLIENT: depends(f"status in a write of {kind} itself is ignored: it goes by /status"),
        Direction.STORED: depends(f"status of {kind} that users wrote stays until a controller writes it"),
        Direction.ROLLBACK: depends(f"in the release before, a write of {kind} overwrites its status"),
    }
    return Verdict(
        message,
        hits,
    )


def _why_harmless(change: Altered, context: Context) -> str:
    """Why nobody can have written status with the object; empty where somebody can."""
    element = change.element
    before = context.old.type(change.old.root) if isinstance(change.old, KindVersion) else None
    if isinstance(before, Struct) and "status" not in before.fields:
        return "status itself is new"
    group = context.old.groups.get(element.group)
    kind = None if group is None else group.kinds.get(element.type)
    return "its objects are answered, and not kept" if kind is not None and not kind.list_kind else ""
