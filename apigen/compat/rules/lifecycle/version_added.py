"""A version of a group that is new."""

from __future__ import annotations

from apigen.compat.changes.change import Added, Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, altered
from apigen.compat.rules.lifecycle.serving import hits_of_unserved
from apigen.compat.rules.lifecycle.storing import left_behind, may_be_stored
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import KindVersion, Version
from apigen.compat.verdict.impact import Direction, Hits, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "version-added",
    added(ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.KIND),
    severities="I/I/I",
)
def version_added(change: AnyChange, context: Context) -> Verdict | None:
    """Clients that use it need a server that has it. One that was there, and is served now, is new to them."""
    match change:
        case Added(part=Version() as version, element=element):
            kinds = f" with {', '.join(version.kinds)}" if version.kinds else ""
            message = f"version {version} is new{kinds}{'' if version.served else ', and not served yet'}"
            is_served = version.served and bool(version.kinds)
            return _told(message, str(version), is_served, _of_new_kinds(version, element, context))
        case Altered(new=Version() as version, element=element):
            hits = hits_of_unserved(element, context)
            return _told(f"version {version} is served now", str(version), bool(version.kinds), hits)
        case Altered(new=KindVersion() as kind, element=element):
            what = f"{kind.kind} of {element.version}"
            return _told(f"kind {what} is served now", what, True, hits_of_unserved(element, context))
    return None


def _told(message: str, what: str, is_served: bool, of_objects: Hits) -> Verdict:
    hit = depends(f"a client that speaks {what} gets 404 Not Found from a server of before")
    to_clients = {Direction.NEW_CLIENT: hit} if is_served else {}
    return Verdict(
        message,
        {**to_clients, **of_objects},
    )


def _of_new_kinds(version: Version, element: Element, context: Context) -> Hits:
    """What a rollback does to objects of kinds that came with the version, and that no other one stores."""
    group = context.old.groups.get(element.group)
    new = [kind for kind in version.kinds if group is None or kind not in group.kinds]
    stored = [kind for kind in new if may_be_stored(kind, element, context)]
    return {Direction.ROLLBACK: left_behind(stored, element)} if stored else {}
