"""Release series: the series of groups and gates, and checks that releases of different series are not compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.diagnostics import Related
from apigen.diagnostics.quoting import quote
from apigen.ir.model import Api, Release
from apigen.ir.run import Run
from apigen.language.model import ApiSpec, GateEnabled, GateSpec, SeriesSpec
from apigen.language.walking import gates_of, parts


def series_in(spec: ApiSpec, series: str) -> str:
    """The series of a group or gate as the IR names it: empty for the project's own."""
    return "" if spec.is_own(series) else series


def series_named(series: str) -> str:
    """A series in a sentence."""
    return f"the release series {quote(series)}" if series else "the project's own release series"


def series_releases(spec: ApiSpec, run: Run) -> Mapping[str, Release]:
    """Return the declared releases of the specs of series, by name (`""`: the project's own).

    Two folders that declare the release of one series must agree (AG0554).
    """
    specs: dict[str, SeriesSpec] = {}
    for each in spec.series:
        name = series_in(spec, each.name.value)
        first = specs.get(name)
        if each.release is None:
            continue
        if first is None or first.release is None:
            specs[name] = each
        elif first.release.value != each.release.value and first.name.place.file != each.name.place.file:
            _report_releases(first, each, run)
    return {name: each.release.value for name, each in specs.items() if each.release is not None}


def check_series(spec: ApiSpec, run: Run) -> None:
    """Report groups that name gates of another series than their own (AG0554)."""
    of_gates = {feature.name: series_in(spec, feature.series) for feature in spec.features}
    if not any(of_gates.values()):
        return
    for group in spec.groups:
        own = series_in(spec, group.series)
        if own:
            continue  # the specs of another series are checked where they are maintained
        for part in parts(group, GateSpec, GateEnabled):
            for name in gates_of(part):
                series = of_gates.get(name, own)
                if series != own:
                    message = (
                        f"`{name}` is a gate of {series_named(series)}, and this group belongs to {series_named(own)}"
                    )
                    run.error("AG0554", part.place, message, hint=_hint(series))


def _hint(series: str) -> str:
    """Return the fixes for a gate of another series in a group, for the two possible intents."""
    own = "declare a gate of the project's own in features.yaml, and name that one"
    return f"{own}; or, if the group belongs to {series_named(series)}, add `series: {series}` to its group.yaml"


def _report_releases(first: SeriesSpec, other: SeriesSpec, run: Run) -> None:
    assert first.release is not None
    assert other.release is not None
    message = f"the specs of the series {quote(other.name.value)} are of release {other.release.value} here"
    related = [Related(first.release.place, f"and of release {first.release.value} here")]
    hint = "declare one release for all specs of a series, or name a second series"
    run.error("AG0554", other.release.place, message, hint=hint, related=related)


Releases = Mapping[str, Release]
"""The release that a generated package emulates by default, by release series; that of the project under the empty
name.
"""

OLDEST = Release(1, 0)
"""The release of a series without a declared release."""


def introduced(api: Api) -> Releases:
    """The highest release of each series in which a version is introduced."""
    found: dict[str, Release] = {}
    for group in api.groups:
        for version in group.versions:
            release = version.lifecycle.introduced
            if release is not None:
                found[group.series] = max(found.get(group.series, release), release)
    return found


def staged(api: Api) -> Releases:
    """The highest release of each series in which a stage of a gate begins."""
    found: dict[str, Release] = {}
    for feature in api.features:
        for stage in feature.stages:
            found[feature.series] = max(found.get(feature.series, stage.release), stage.release)
    return found


def releases_of(api: Api, own: Release | None = None, configured: Releases | None = None) -> Releases:
    """Return the releases that an API emulates by default.

    `own` is the next release of the project, if the configuration or the history declares it, and `configured` are releases
    of other series. Otherwise it is the release that the specs of a series declare; or else the highest release that
    introduces a version; or else, so that gates can be set, the highest release with a stage of a gate.
    """
    series = {"", *(group.series for group in api.groups), *(feature.series for feature in api.features)}
    found: dict[str, Release] = {**dict.fromkeys(sorted(series), OLDEST), **staged(api), **introduced(api)}
    found |= {name: each for name, each in api.series_releases.items() if name in series}
    found |= {name: each for name, each in (configured or {}).items() if name in series}
    return found if own is None else {**found, "": own}


def within(releases: Releases, names: Iterable[str]) -> Releases:
    """The releases of some series."""
    series = frozenset(names)
    return {name: release for name, release in releases.items() if name in series}
