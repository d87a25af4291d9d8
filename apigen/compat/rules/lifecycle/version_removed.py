"""A version is gone, or not served any more."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Removed, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.window_elapsed import WindowElapsed
from apigen.compat.rules.claims import altered, removed
from apigen.compat.rules.lifecycle.serving import hits_of_unserved
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import KindVersion, Version
from apigen.compat.verdict.impact import Direction, Hit, Hits, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "version-removed",
    removed(ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.KIND),
    severities="W/E/E",
    mitigated_by=(WindowElapsed(),),
    presets=WIRE,
)
def version_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Clients that speak it get no answer."""
    match change:
        case Removed(part=Version() as version):
            return _removed(version)
        case Altered(old=Version() as old, new=Version() as new):
            return _unserved(f"version {new}", old.served, hits_of_unserved(change.element, context))
        case Altered(old=KindVersion() as kind, element=element):
            before, after = (side.version(element.group, element.version) for side in (context.old, context.new))
            if before is not None and after is not None and before.served != after.served:
                return silent(f"{kind.kind} follows its version")
            return _unserved(f"kind {kind.kind} of {after}", kind.served, hits_of_unserved(element, context))
    return None


def _removed(version: Version) -> Verdict:
    if version.files and not version.kinds:
        return Verdict(
            f"package {version} was removed, with its types and services",
            _package(version),
        )
    if not version.served or not version.kinds:
        why = "it had no kind" if not version.kinds else "it was not served"
        hits = {} if not version.kinds else {Direction.STORED: _stored(version)}
        message = f"version {version} was removed; {why}"
        return (
            Verdict(
                message,
                hits,
            )
            if hits
            else note(message, "")
        )
    kinds = ", ".join(version.kinds)
    hits = {
        Direction.OLD_CLIENT: breaks(f"who speaks {version} gets 404 Not Found"),
        Direction.STORED: _stored(version),
    }
    return Verdict(
        f"version {version} was removed, with {kinds}",
        hits,
    )


def _unserved(what: str, was_served: bool, left: Hits) -> Verdict | None:
    if not was_served:
        return None
    hits = {Direction.OLD_CLIENT: breaks("who speaks it gets 404 Not Found"), **left}
    return Verdict(f"{what} is not served any more", hits, patch="served: true")


def _package(version: Version) -> Hits:
    """What becomes of a package of protobuf, which has types and services, and no kinds."""
    return {
        Direction.OLD_CLIENT: breaks(f"who calls a service of {version} is refused, and its types are gone"),
        Direction.STORED: breaks(f"messages of {version} have no type that reads them"),
    }


def _stored(version: Version) -> Hit:
    return depends(f"on whether objects were ever stored in {version.name}, and all of them were migrated")
