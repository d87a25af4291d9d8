"""Find gate settings for a test: a release at which the gates can be set, and the settings that they require."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy

from apigen.codegen.features import runtime_gate
from apigen.codegen.python.source_text import call, literal
from apigen.ir.model import Api, Release
from apigen.ir.series import Releases
from apigen.runtime.features import FeatureError, Features


class GateFinder:
    """Knows all gates of an API, and tries them out as the generated package would."""

    def __init__(self, api: Api, releases: Releases) -> None:
        named = {"", *(feature.series for feature in api.features)}
        self._defaults = {name: str(release) for name, release in sorted(releases.items()) if name in named}
        self._gates = tuple(runtime_gate(feature) for feature in api.features)
        self._dependents = tuple(gate for gate in self._gates if gate.depends_on)
        self._features: dict[tuple[str, str], Features] = {}
        begun = {(feature.series, stage.release) for feature in api.features for stage in feature.stages}
        self._releases = {
            series: sorted({own, *(each for name, each in begun if name == series)}, reverse=True)
            for series, own in releases.items()
        }

    def settings(
        self, on: Iterable[str], off: Iterable[str], releases: Iterable[Release] = (), series: str = ""
    ) -> str | None:
        """Return the expression of gates, of the table `GATES`, at the newest release of a series at which some of its
        gates can be enabled and others disabled.

        Other series have their default releases. None if there is no such release.
        """
        required = {**dict.fromkeys(sorted(on), True), **dict.fromkeys(sorted(off), False)}
        if set(on) & set(off):
            return None
        for release in tuple(releases) or self._releases.get(series, ()):
            values = self._complete(series, str(release), required)
            if values is not None:
                return _expression({**self._defaults, series: str(release)}, values)
        return None

    def _complete(self, series: str, release: str, required: dict[str, bool]) -> dict[str, bool] | None:
        """Return `required` with the settings that it requires: dependencies of enabled gates, dependents of disabled
        ones.
        """
        values = dict(required)
        features = self._at(series, release)
        changed = True
        while changed:
            changed = False
            for gate in self._dependents:
                now = values.get(gate.name, features.enabled(gate.name))
                for other in gate.depends_on if now else ():
                    if values.get(other, features.enabled(other)):
                        continue
                    name, value = (other, True) if values.get(gate.name) else (gate.name, False)
                    if values.setdefault(name, value) != value:
                        return None
                    changed = True
        try:
            copy(features).set_map(values)
        except FeatureError:
            return None
        return values

    def _at(self, series: str, release: str) -> Features:
        """Return the gates of a release of a series without settings."""
        key = series, release
        if key not in self._features:
            releases = {**self._defaults, series: release}
            self._features[key] = Features(self._gates, releases[""], series=releases)
        return self._features[key]


def _expression(releases: Mapping[str, str], values: Mapping[str, bool]) -> str:
    """Return the expression of gates with some set, at a release of each series (the project's has the empty name)."""
    set_gates = ",".join(f"{name}={str(value).lower()}" for name, value in values.items())
    others = {name: release for name, release in releases.items() if name}
    arguments = [literal(releases[""]), *([literal(set_gates)] if set_gates else [])]
    return call("Features", "GATES", *arguments, series=literal(others) if others else "")
