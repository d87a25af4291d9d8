"""Finds settings of gates under which a test can run: a release at which they can be set, and what goes with them."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from apigen.backends.features import runtime_gate
from apigen.dataclass import dataclass
from apigen.ir.model import Api, Release
from apigen.runtime.features import FeatureError, Features


@dataclass(frozen=True, slots=True)
class Settings:
    """The gates of a release with some set, as text."""

    release: str
    text: str


class GateFinder:
    """Knows all gates of an API, and tries them out as the generated package would."""

    def __init__(self, api: Api, newest: Release) -> None:
        self._gates = tuple(runtime_gate(feature) for feature in api.features)
        self._dependents = tuple(gate for gate in self._gates if gate.depends_on)
        self._features: dict[str, Features] = {}
        begun = {stage.release for feature in api.features for stage in feature.stages}
        self._releases = sorted({newest, *(release for release in begun if release <= newest)}, reverse=True)

    def settings(self, on: Iterable[str], off: Iterable[str], releases: Iterable[Release] = ()) -> Settings | None:
        """The newest release at which some gates can be on and others off, and how to set them; None if there is none."""
        wanted = {**dict.fromkeys(sorted(on), True), **dict.fromkeys(sorted(off), False)}
        if set(on) & set(off):
            return None
        for release in tuple(releases) or self._releases:
            values = self._complete(str(release), wanted)
            if values is not None:
                return Settings(
                    str(release), ",".join(f"{name}={str(value).lower()}" for name, value in values.items())
                )
        return None

    def _complete(self, release: str, wanted: dict[str, bool]) -> dict[str, bool] | None:
        """`wanted` with what it takes besides: dependencies of what is on, dependents of what is off."""
        values = dict(wanted)
        features = self._at(release)
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

    def _at(self, release: str) -> Features:
        """The gates of a release as they are when nothing is set."""
        if release not in self._features:
            self._features[release] = Features(self._gates, release)
        return self._features[release]
