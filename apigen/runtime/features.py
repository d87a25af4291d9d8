"""Feature gates: which are enabled at a release, and which a server may set. The rules are those of Kubernetes.

Releases are numbered per release series: that of the API itself, whose name is empty here, and those of the other APIs
whose types it uses. Releases of two series are never compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .dataclasses import dataclass
from .errors import ApiError

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from typing import Final, Literal, TypeAlias

    StageName: TypeAlias = Literal["alpha", "beta", "ga", "deprecated"]
else:
    StageName = str

Release = tuple[int, int]

_NO_SERIES: Final[Mapping[str, str]] = {}

ALL_OF_STAGE: Final[Mapping[str, StageName]] = {"AllAlpha": "alpha", "AllBeta": "beta"}
"""The two switches that set every gate of a stage."""

_TRUE = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE = frozenset({"0", "f", "F", "false", "FALSE", "False"})


class FeatureError(ApiError):
    """A feature gate that does not exist was read, or cannot be set to a value."""


@dataclass(frozen=True, slots=True)
class FeatureStage:
    """A gate's stage from a release on, until the next one begins.

    One with a `min_compatibility` follows another of the same release, and applies only if no server of the control
    plane is older than that. The stages after it inherit it.
    """

    release: str
    stage: StageName
    default: bool = False
    locked: bool = False
    min_compatibility: str | None = None


@dataclass(frozen=True, slots=True)
class FeatureGate:
    """A gate: its stages in order of release, the gates on which it depends, and the release that removed
    it: from then on, the gate stays in its last stage. `series` is the release series of all these releases;
    empty for that of the API itself.
    """

    name: str
    stages: tuple[FeatureStage, ...]
    depends_on: tuple[str, ...] = ()
    removed: str | None = None
    series: str = ""


@dataclass(frozen=True, slots=True)
class _State:
    """All that changes together: a reader in another thread sees one state or the other, never half of each.

    `releases` has the emulated release of each series and its minimum compatibility version; `release` is that of the
    series of the API itself.
    """

    release: Release
    releases: Mapping[str, tuple[Release, Release]]
    stages: Mapping[str, FeatureStage | None]
    removed: frozenset[str]
    chosen: Mapping[str, bool]
    enabled: Mapping[str, bool]


class Features:
    """The gates at one release, with settings.

    A gate that the release does not have yet is disabled and cannot be set. A setting of the gate takes precedence
    over `AllAlpha` and `AllBeta`, and these over the default of the stage. A locked gate stays at its default. A
    change is rejected as a whole if it leaves a gate enabled whose dependencies are disabled. `settings` has the
    format of `set_text`. `min_compatibility` is the oldest release that a server of the control plane may have, by
    default one minor release before the emulated one. `series` are the emulated releases of the other series, by name;
    every series with a gate needs one. A mapping as `min_compatibility` has those of several series, that of the API
    itself with the empty name.

    Threads may read gates while another one changes settings; only one thread at a time may change them.
    """

    def __init__(
        self,
        gates: Iterable[FeatureGate],
        release: str,
        settings: str = "",
        *,
        min_compatibility: str | Mapping[str, str] | None = None,
        series: Mapping[str, str] = _NO_SERIES,
    ) -> None:
        self._gates = {gate.name: gate for gate in gates}
        self._asked: set[str] = set()
        self._state = self._emulated({**series, "": release}, min_compatibility, {})
        self.set_text(settings)

    @property
    def release(self) -> str:
        """The release whose behavior is emulated."""
        return _text(self._state.release)

    @property
    def series(self) -> dict[str, str]:
        """The emulated releases of the other release series, by name."""
        releases = self._state.releases.items()
        return {name: _text(release) for name, (release, _) in releases if name}

    @property
    def min_compatibility(self) -> str:
        """The oldest release that a server of the control plane may have."""
        return _text(self._state.releases[""][1])

    def release_of(self, series: str) -> str:
        """The emulated release of a series; FeatureError for an unknown one."""
        return _text(self._of_series(series)[0])

    def min_compatibility_of(self, series: str) -> str:
        """The oldest release of a series that a server may have; FeatureError for an unknown series."""
        return _text(self._of_series(series)[1])

    def at_least(self, release: str, series: str = "") -> bool:
        """Return whether the emulated release of a series is `release` or a later one; FeatureError for an unknown
        series.
        """
        emulated = self._of_series(series)[0] if series else self._state.release
        return emulated >= parse_release(release)

    def enabled(self, name: str) -> bool:
        """Return whether a gate is enabled. Raises FeatureError for an unknown gate."""
        try:
            value = self._state.enabled[name]
        except KeyError:
            raise self._unknown(name) from None
        self._asked.add(name)
        return value

    def stage(self, name: str) -> StageName | None:
        """Return the stage of a gate at this release; None if the release does not have it yet, or no longer has it."""
        self._known(name)
        if name in ALL_OF_STAGE:
            return ALL_OF_STAGE[name]
        stage = self._state.stages[name]
        return stage.stage if stage and name not in self._state.removed else None

    def settable(self, name: str) -> bool:
        """Return whether a gate can be given either value at this release."""
        self._known(name)
        if name in ALL_OF_STAGE:
            return True
        stage = self._state.stages[name]
        return (
            stage is not None and not stage.locked and name not in self._state.removed
        )

    def set(self, name: str, value: bool) -> list[str]:
        """Switch one gate; see `set_map`."""
        return self.set_map({name: value})

    def set_text(self, text: str) -> list[str]:
        """Set gates in the format of a command line, `A=true,B=false`; see `set_map`.

        The last value of a repeated name applies, with a warning if the values differ.
        """
        values: dict[str, bool] = {}
        problems: list[str] = []
        warnings: list[str] = []
        for part in filter(None, (p.strip() for p in text.split(","))):
            name, equals, value = (p.strip() for p in part.partition("="))
            if not equals:
                problems.append(f"missing bool value for feature gate {name}")
            elif value not in _TRUE and value not in _FALSE:
                problems.append(
                    f"invalid value of feature gate {name}={value}, expected true or false"
                )
            else:
                is_enabled = value in _TRUE
                if values.setdefault(name, is_enabled) != is_enabled:
                    warnings.append(
                        f"Feature gate {name} is set to both values. The last one applies: {_bool(is_enabled)}."
                    )
                values[name] = is_enabled
        if problems:
            raise FeatureError("", "; ".join(problems))
        return warnings + self.set_map(values)

    def set_map(self, values: Mapping[str, bool]) -> list[str]:
        """Set several gates at once and return warnings about deprecated gates.

        Raises FeatureError with all errors, without a change, if a name is unknown, a gate is locked to the other value or
        does not exist at this release, or if a gate would be enabled while one of its dependencies is disabled.
        """
        for name, value in values.items():
            if not isinstance(name, str):
                raise FeatureError(
                    "", f"a feature gate has a name, which {name!r} is not"
                )
            if not isinstance(value, bool):
                raise FeatureError(
                    "", f"feature gate {name} is set to True or False, not {value!r}"
                )
        before = self._state
        after = self._with_chosen(before, {**before.chosen, **values}, values)
        self._state = after
        return self._warnings(after, values)

    def emulate(
        self,
        release: str,
        min_compatibility: str | Mapping[str, str] | None = None,
        *,
        series: Mapping[str, str] = _NO_SERIES,
    ) -> list[str]:
        """Change the emulated release and keep the settings; see `set_map` for warnings and errors.

        Series that `series` does not name keep their releases.

        There is also a warning for each gate that was read before and changes, because code may already have used
        the other value.
        """
        before = self._state
        after = self._emulated(
            {**self.series, **series, "": release},
            self._kept_compatibility(min_compatibility, series),
            before.chosen,
        )
        moved = [
            f"Feature gate {name} was read before and changes from {_bool(before.enabled[name])} to {_bool(value)}."
            for name, value in after.enabled.items()
            if name in self._asked and before.enabled[name] != value
        ]
        self._state = after
        self._asked = set()
        return moved + self._warnings(after, after.chosen)

    def copy(self) -> Features:
        """Independent gates with the same values."""
        return self.at_release(self.release, self.min_compatibility)

    def at_release(
        self,
        release: str,
        min_compatibility: str | Mapping[str, str] | None = None,
        *,
        series: Mapping[str, str] = _NO_SERIES,
    ) -> Features:
        """Return the gates of another release with the same settings. Raises FeatureError if they cannot be set there.

        Series that `series` does not name keep their releases.
        """
        features = Features(
            self._gates.values(),
            release,
            min_compatibility=self._kept_compatibility(min_compatibility, series),
            series={**self.series, **series},
        )
        features.set_map(self._state.chosen)
        return features

    def __iter__(self) -> Iterator[tuple[str, bool]]:
        """Every gate with its value, in the order of their definition."""
        enabled = self._state.enabled
        return ((name, enabled[name]) for name in self._gates)

    def __repr__(self) -> str:
        values = ",".join(
            f"{name}={_bool(value)}" for name, value in self._state.chosen.items()
        )
        others = {
            name: _text(least)
            for name, (release, least) in self._state.releases.items()
            if least != _one_before(release)
        }
        arguments = f"release={self.release!r}"
        if others:
            own = others[""] if others.keys() == {""} else others
            arguments += f", min_compatibility={own!r}"
        if self.series:
            arguments += f", series={self.series!r}"
        return f"Features({arguments}, set={values!r})"

    # --- the state of all gates ------------------------------------------------------------------------------------

    def _of_series(self, series: str) -> tuple[Release, Release]:
        """The emulated release of a series, and its minimum compatibility version."""
        found = self._state.releases.get(series)
        if found is None:
            raise unknown_series(series, self._state.releases)
        return found

    def _kept_compatibility(
        self,
        min_compatibility: str | Mapping[str, str] | None,
        series: Mapping[str, str],
    ) -> Mapping[str, str]:
        """Minimum compatibility versions for another release: series that keep their release keep theirs."""
        kept = {
            name: _text(least)
            for name, (_, least) in self._state.releases.items()
            if name and name not in series
        }
        if isinstance(min_compatibility, str):
            return {**kept, "": min_compatibility}
        return {**kept, **(min_compatibility or {})}

    def _emulated(
        self,
        releases: Mapping[str, str],
        min_compatibility: str | Mapping[str, str] | None,
        chosen: Mapping[str, bool],
    ) -> _State:
        """The state at the releases of all series."""
        if isinstance(min_compatibility, str):
            min_compatibility = {"": min_compatibility}
        oldest = min_compatibility or {}
        for name in oldest:
            if name not in releases:
                raise unknown_series(name, releases)
        emulated = {
            name: _with_oldest(release, oldest.get(name), name)
            for name, release in releases.items()
        }
        stages: dict[str, FeatureStage | None] = {}
        removed: set[str] = set()
        for name, gate in self._gates.items():
            if gate.series not in emulated:
                raise FeatureError(
                    "",
                    f"feature gate {name} belongs to the release series {gate.series}, and no release of it is given",
                )
            at, least = emulated[gate.series]
            stages[name] = _stage_at(gate, at, least)
            if gate.removed is not None and parse_release(gate.removed) <= at:
                removed.add(name)
        bare = _State(emulated[""][0], emulated, stages, frozenset(removed), {}, {})
        return self._with_chosen(bare, chosen, chosen)

    def _with_chosen(
        self, state: _State, chosen: Mapping[str, bool], changed: Mapping[str, bool]
    ) -> _State:
        """Return the state with these settings, if the `changed` ones can be set and all dependencies are met."""
        problems = [
            problem
            for name, value in changed.items()
            if (problem := self._problem(state, name, value))
        ]
        if problems:
            raise FeatureError("", "; ".join(problems))
        enabled = _enabled(state, chosen)
        unmet = list(self._unmet(enabled)) if chosen else []
        if unmet:
            raise FeatureError("", "; ".join(unmet))
        return _State(
            state.release,
            state.releases,
            state.stages,
            state.removed,
            dict(chosen),
            enabled,
        )

    def _problem(self, state: _State, name: str, value: bool) -> str | None:
        """Return why a gate cannot be set to a value, with its value and the release; None if it can."""
        if name in ALL_OF_STAGE:
            return None
        if name not in self._gates:
            return str(self._unknown(name))
        gate, stage = self._gates[name], state.stages[name]
        rejected = f"cannot set feature gate {name} to {_bool(value)}"
        if name in state.removed:
            remains = "enabled" if stage is not None and stage.default else "disabled"
            return (
                f"{rejected}, it was removed in {gate.removed} and is always {remains}"
            )
        if stage is None:
            begins = (
                f" (introduced in {gate.stages[0].release} as {gate.stages[0].stage})"
                if gate.stages
                else ""
            )
            release = _text(state.releases[gate.series][0])
            of_series = f" of {gate.series}" if gate.series else ""
            return (
                f"{rejected}, release {release}{of_series} does not have it yet{begins}"
            )
        if stage.locked and stage.default != value:
            since = next(each.release for each in gate.stages if each.locked)
            return (
                f"{rejected}, feature is locked to {_bool(stage.default)} since {since}"
            )
        return None

    def _unmet(self, enabled: Mapping[str, bool]) -> Iterator[str]:
        for name in self._gates:
            if enabled[name] and (off := list(self._off_below(name, enabled))):
                yield f"{name} is enabled, but depends on features that are disabled: {', '.join(off)}"

    def _off_below(self, name: str, enabled: Mapping[str, bool]) -> Iterator[str]:
        """The disabled gates that a gate depends on, directly or indirectly, each once."""
        seen = {name}
        waiting = list(self._gates[name].depends_on)
        while waiting:
            other = waiting.pop(0)
            if other in seen or enabled.get(other, False):
                continue
            seen.add(other)
            yield other
            if other in self._gates:
                waiting += self._gates[other].depends_on

    def _warnings(self, state: _State, values: Mapping[str, bool]) -> list[str]:
        words = {"ga": "GA", "deprecated": "deprecated"}
        return [
            f"Setting {words[stage.stage]} feature gate {name}={_bool(value)}. It will be removed in a future release."
            for name, value in values.items()
            if (stage := state.stages.get(name)) and stage.stage in words
        ]

    def _known(self, name: str) -> None:
        if name not in self._gates and name not in ALL_OF_STAGE:
            raise self._unknown(name)

    def _unknown(self, name: str) -> FeatureError:
        from difflib import get_close_matches

        near = get_close_matches(name, [*self._gates, *ALL_OF_STAGE], n=1)
        hint = f", did you mean {near[0]}?" if near else ""
        return FeatureError("", f"unrecognized feature gate: {name}{hint}")


def parse_release(text: str) -> Release:
    """The numbers of a release such as `1.11`. FeatureError for anything else."""
    major, dot, minor = text.partition(".")
    if not (dot and _is_number(major) and _is_number(minor)):
        raise FeatureError("", f"a release is written like 1.11, not {text!r}")
    return int(major), int(minor)


def _with_oldest(
    release: str, min_compatibility: str | None, series: str
) -> tuple[Release, Release]:
    """A release and its minimum compatibility version, which may not be later."""
    emulated = parse_release(release)
    if min_compatibility is None:
        return emulated, _one_before(emulated)
    least = parse_release(min_compatibility)
    if least > emulated:
        of_series = f" of {series}" if series else ""
        raise FeatureError(
            "",
            f"the minimum compatibility version {_text(least)}{of_series} is later than the emulated release {_text(emulated)}",
        )
    return emulated, least


def unknown_series(series: str, known: Iterable[str]) -> FeatureError:
    """The error for a release series that does not exist, with the one that was probably meant."""
    from difflib import get_close_matches

    names = [name for name in known if name]
    near = get_close_matches(series, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(names)}"
    return FeatureError(
        "",
        f"unrecognized release series: {series}, {hint if names else 'there is no other series'}",
    )


def _is_number(text: str) -> bool:
    has_zeros_before = text.startswith("0") and text != "0"
    return text.isascii() and text.isdigit() and len(text) < 10 and not has_zeros_before


def _one_before(release: Release) -> Release:
    """The minor release before; that of a first one is itself."""
    return release[0], max(release[1] - 1, 0)


def _text(release: Release) -> str:
    return f"{release[0]}.{release[1]}"


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _stage_at(
    gate: FeatureGate, release: Release, min_compatibility: Release
) -> FeatureStage | None:
    """The last stage that began by `release` and counts at that minimum compatibility version."""
    found: FeatureStage | None = None
    needed: Release = (0, 0)
    for stage in gate.stages:
        if stage.min_compatibility is not None:
            needed = parse_release(stage.min_compatibility)
        if parse_release(stage.release) <= release and needed <= min_compatibility:
            found = stage
    return found


def _enabled(state: _State, chosen: Mapping[str, bool]) -> Mapping[str, bool]:
    """Return the value of every gate: its setting, else that of its stage, else its default."""
    enabled = {name: chosen.get(name, False) for name in ALL_OF_STAGE}
    of_stage = {
        stage: chosen[name] for name, stage in ALL_OF_STAGE.items() if name in chosen
    }
    for name, stage in state.stages.items():
        if stage is None:
            enabled[name] = False
        elif name in chosen:
            enabled[name] = chosen[name]
        elif stage.stage in of_stage and not stage.locked and name not in state.removed:
            enabled[name] = of_stage[stage.stage]
        else:
            enabled[name] = stage.default
    return enabled
