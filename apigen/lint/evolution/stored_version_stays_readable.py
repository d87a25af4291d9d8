"""What was ever stored can be read."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Place, Related
from apigen.ir.model import Gone, Group, Release
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.version_steps import stored
from apigen.lint.rule import finding


class StoredVersionStaysReadable(EvolutionRule):
    """Objects stay as they were stored until somebody writes them again, so the version that they are in stays, not served
    perhaps, until they were migrated. (kubernetes/kubernetes, issue 52185)
    """

    code = "AG1348"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for group in evolution.now.groups:
            if group.folder in evolution.groups:
                for name, (release, place) in _ever_stored(group, evolution).items():
                    if group.version(name) is None:
                        yield from self._of_version(name, release, place, group, evolution)

    def _of_version(
        self, name: str, last: Release, place: Place, group: Group, evolution: Evolution
    ) -> Iterator[Diagnostic]:
        gone = next((gone for gone in group.gone_versions if gone.name == name), None)
        problem = _problem(name, gone, last, evolution)
        if problem is not None:
            yield finding(
                group.place if gone is None else gone.place,
                f"version {name} is gone, and objects were stored in it until {last}: {problem}",
                f"keep {name} with `served: false`, so that they can be read; when all are written again, its tombstone says"
                " since when: `migrated: RELEASE`",
                (Related(place, f"{last} stores in it"),),
            )


def _problem(name: str, gone: Gone | None, last: Release, evolution: Evolution) -> str | None:
    if last == evolution.history.newest:
        return "a rollback, and every object that was not written since, needs it"
    migrated = None if gone is None else gone.migrated
    if migrated is None:
        return "nothing says that none is left"
    if migrated <= last:
        return f"they were not migrated in {migrated}"
    return None if evolution.release is None or migrated <= evolution.release else f"{migrated} is still to come"


def _ever_stored(group: Group, evolution: Evolution) -> dict[str, tuple[Release, Place]]:
    """The versions that a release stored in, each with the last one that did."""
    found: dict[str, tuple[Release, Place]] = {}
    for release, api in evolution.history.steps():
        was = next((other for other in api.groups if other.folder == group.folder), None)
        version = None if was is None else stored(was)
        if version is not None:
            found[version.name] = (release, version.place)
    return found
