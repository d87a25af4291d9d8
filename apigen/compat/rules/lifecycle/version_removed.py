"""A version is gone, or not served any more."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.mitigations.window_elapsed import WindowElapsed
from apigen.compat.rules.lifecycle.serving import hits_of_unserved
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.surface.surface import KindVersion, Version
from apigen.compat.verdict.impact import Direction, Hit, Hits, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class VersionRemoved(ChangeRule):
    """Clients that speak it get no answer."""

    id = "version-removed"
    title = "a version was removed, or is not served any more"
    severities = Severities.of("W/E/E")
    explanation = (
        "Every client that speaks the version gets `404 Not Found`. Alpha may go at any time, beta after it was deprecated for nine"
        " months or three releases, stable never within a major version. (Kubernetes deprecation policy, rule 4a) What was stored in"
        " the version has to be migrated before nothing reads it."
    )
    fix = "serve it until its time is over: say `deprecated:` and `removed:`, and name the replacement"
    presets = WIRE
    mitigations = (WindowElapsed(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        match change:
            case Removed(part=Version() as version):
                return self._removed(version)
            case Altered(old=Version() as old, new=Version() as new):
                return self._unserved(f"version {new}", old.served, hits_of_unserved(change.element, context))
            case Altered(old=KindVersion() as kind, element=element):
                before, after = (side.version(element.group, element.version) for side in (context.old, context.new))
                if before is not None and after is not None and before.served != after.served:
                    return silent(f"{kind.kind} follows its version")
                return self._unserved(f"kind {kind.kind} of {after}", kind.served, hits_of_unserved(element, context))
        return None

    def _removed(self, version: Version) -> Verdict:
        if version.files and not version.kinds:
            return Verdict(f"package {version} was removed, with its types and services", _package(version), self.fix)
        if not version.served or not version.kinds:
            why = "it had no kind" if not version.kinds else "it was not served"
            hits = {} if not version.kinds else {Direction.STORED: _stored(version)}
            message = f"version {version} was removed; {why}"
            return Verdict(message, hits, self.fix) if hits else note(message, self.fix)
        kinds = ", ".join(version.kinds)
        hits = {
            Direction.OLD_CLIENT: breaks(f"who speaks {version} gets 404 Not Found"),
            Direction.STORED: _stored(version),
        }
        return Verdict(f"version {version} was removed, with {kinds}", hits, self.fix)

    def _unserved(self, what: str, was_served: bool, left: Hits) -> Verdict | None:
        if not was_served:
            return None
        hits = {Direction.OLD_CLIENT: breaks("who speaks it gets 404 Not Found"), **left}
        return Verdict(f"{what} is not served any more", hits, self.fix, patch="served: true")


def _package(version: Version) -> Hits:
    """What becomes of a package of protobuf, which has types and services, and no kinds."""
    return {
        Direction.OLD_CLIENT: breaks(f"who calls a service of {version} is refused, and its types are gone"),
        Direction.STORED: breaks(f"messages of {version} have no type that reads them"),
    }


def _stored(version: Version) -> Hit:
    return depends(f"on whether objects were ever stored in {version.name}, and all of them were migrated")
