"""Feature gates: what is on at a release, and what a server may switch. The rules are those of Kubernetes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal

from .errors import ApiError

StageName = Literal["alpha", "beta", "ga", "deprecated"]
Release = tuple[int, int]

ALL_OF_STAGE: Final[Mapping[str, StageName]] = {"AllAlpha": "alpha", "AllBeta": "beta"}
"""The two switches that stand for every gate of a stage."""

_TRUE = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE = frozenset({"0", "f", "F", "false", "FALSE", "False"})


class FeatureError(ApiError):
    """A gate cannot be asked for or set like this."""


@dataclass(frozen=True, slots=True)
class FeatureStage:
    """A gate's stage from a release on, until the next one begins."""

    release: str
    stage: StageName
    default: bool = False
    locked: bool = False


@dataclass(frozen=True, slots=True)
class FeatureGate:
    """A gate: its stages in order of release, and the gates that must be on for it to be on."""

    name: str
    stages: tuple[FeatureStage, ...]
    depends_on: tuple[str, ...] = ()


class Features:
    """The gates as one release has them, with what was set.

    A gate that the release does not know yet is off and cannot be set. What was set wins over `AllAlpha` and `AllBeta`,
    they win over the default of the stage. A locked gate stays at its default. A change that leaves a gate on whose
    dependencies are off is refused whole. `settings` is what `set_text` takes.
    """

    def __init__(
        self, gates: Iterable[FeatureGate], release: str, settings: str = ""
    ) -> None:
        self._gates = {gate.name: gate for gate in gates}
        self._release = parse_release(release)
        self._stages = {
            name: _stage_at(gate, self._release) for name, gate in self._gates.items()
        }
        self._set: dict[str, bool] = {}
        self._enabled = self._resolve(self._set)
        self.set_text(settings)

    @property
    def release(self) -> str:
        """The release whose behaviour is emulated."""
        return f"{self._release[0]}.{self._release[1]}"

    def at_least(self, release: str) -> bool:
        """Whether the emulated release is `release` or a later one."""
        return self._release >= parse_release(release)

    def enabled(self, name: str) -> bool:
        """Whether a gate is on. FeatureError for a name that is no gate."""
        try:
            return self._enabled[name]
        except KeyError:
            raise self._unknown(name) from None

    def stage(self, name: str) -> StageName | None:
        """The stage of a gate at this release; None where the release does not have it yet."""
        self.enabled(name)
        if name in ALL_OF_STAGE:
            return ALL_OF_STAGE[name]
        stage = self._stages[name]
        return stage.stage if stage else None

    def settable(self, name: str) -> bool:
        """Whether a gate can be given either value at this release."""
        self.enabled(name)
        if name in ALL_OF_STAGE:
            return True
        stage = self._stages[name]
        return stage is not None and not stage.locked

    def set(self, name: str, value: bool) -> list[str]:
        """Switch one gate; see `set_map`."""
        return self.set_map({name: value})

    def set_text(self, text: str) -> list[str]:
        """Switch gates as written on a command line, `A=true,B=false`; see `set_map`."""
        values: dict[str, bool] = {}
        for part in filter(None, (p.strip() for p in text.split(","))):
            name, equals, value = (p.strip() for p in part.partition("="))
            if not equals:
                raise FeatureError("", f"missing bool value for feature gate {name}")
            if value not in _TRUE and value not in _FALSE:
                raise FeatureError(
                    "",
                    f"invalid value of feature gate {name}={value}, expected true or false",
                )
            values[name] = value in _TRUE
        return self.set_map(values)

    def set_map(self, values: Mapping[str, bool]) -> list[str]:
        """Switch several gates at once and return warnings about gates that are on their way out.

        FeatureError with all that is wrong, and nothing is changed, if a name is unknown, a gate is locked to the other
        value or not there yet at this release, or if a gate would be on while one that it depends on is off.
        """
        problems = [
            p for name, value in values.items() if (p := self._problem(name, value))
        ]
        if problems:
            raise FeatureError("", "; ".join(problems))
        chosen = {**self._set, **values}
        enabled = self._resolve(chosen)
        unmet = list(self._unmet(enabled))
        if unmet:
            raise FeatureError("", "; ".join(unmet))
        self._set, self._enabled = chosen, enabled
        return [
            w for name, value in values.items() if (w := self._warning(name, value))
        ]

    def copy(self) -> Features:
        """Independent gates with the same values."""
        return self.at_release(self.release)

    def at_release(self, release: str) -> Features:
        """The gates of another release with the same settings; FeatureError if they cannot be set there."""
        features = Features(self._gates.values(), release)
        features.set_map(self._set)
        return features

    def __iter__(self) -> Iterator[tuple[str, bool]]:
        """Every gate with its value, in the order of their definition."""
        return ((name, self._enabled[name]) for name in self._gates)

    def __repr__(self) -> str:
        values = ",".join(
            f"{name}={str(value).lower()}" for name, value in self._set.items()
        )
        return f"Features(release={self.release!r}, set={values!r})"

    def _resolve(self, chosen: Mapping[str, bool]) -> dict[str, bool]:
        enabled = {name: chosen.get(name, False) for name in ALL_OF_STAGE}
        of_stage = {
            stage: chosen[name]
            for name, stage in ALL_OF_STAGE.items()
            if name in chosen
        }
        for name, stage in self._stages.items():
            if stage is None:
                enabled[name] = False
            elif name in chosen:
                enabled[name] = chosen[name]
            elif stage.stage in of_stage and not stage.locked:
                enabled[name] = of_stage[stage.stage]
            else:
                enabled[name] = stage.default
        return enabled

    def _problem(self, name: str, value: bool) -> str | None:
        if name in ALL_OF_STAGE:
            return None
        if name not in self._gates:
            return str(self._unknown(name))
        wanted = str(value).lower()
        stage = self._stages[name]
        if stage is None:
            return f"cannot set feature gate {name} to {wanted}, release {self.release} does not have it yet"
        if stage.locked and stage.default != value:
            return f"cannot set feature gate {name} to {wanted}, feature is locked to {str(stage.default).lower()}"
        return None

    def _unmet(self, enabled: Mapping[str, bool]) -> Iterator[str]:
        for name, gate in self._gates.items():
            off = [other for other in gate.depends_on if not enabled.get(other, False)]
            if enabled[name] and off:
                yield f"{name} is enabled, but depends on features that are disabled: {', '.join(off)}"

    def _warning(self, name: str, value: bool) -> str | None:
        match self.stage(name):
            case "ga":
                return f"Setting GA feature gate {name}={str(value).lower()}. It will be removed in a future release."
            case "deprecated":
                return f"Setting deprecated feature gate {name}={str(value).lower()}. It will be removed in a future release."
            case _:
                return None

    def _unknown(self, name: str) -> FeatureError:
        near = get_close_matches(name, [*self._gates, *ALL_OF_STAGE], n=1)
        hint = f", did you mean {near[0]}?" if near else ""
        return FeatureError("", f"unrecognized feature gate: {name}{hint}")


def parse_release(text: str) -> Release:
    """The numbers of a release such as `1.11`. FeatureError for anything else."""
    major, dot, minor = text.partition(".")
    if not (dot and _is_number(major) and _is_number(minor)):
        raise FeatureError("", f"a release is written like 1.11, not {text!r}")
    return int(major), int(minor)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _stage_at(gate: FeatureGate, release: Release) -> FeatureStage | None:
    """The last stage that began by `release`."""
    begun = [stage for stage in gate.stages if parse_release(stage.release) <= release]
    return begun[-1] if begun else None
