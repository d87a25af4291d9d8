"""What a step from release to release does to enums: the same enum before and now, and who may have which value."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.ir.features import stage_at
from apigen.ir.model import Api, Enum, EnumValue, Release, Struct
from apigen.language.model import GateJoin, GateSpec
from apigen.lint.evolution.evolution import Evolution


@dataclass(frozen=True, slots=True)
class EnumStep:
    """An enum of a version as the last release shipped it, and as it is now."""

    before: Enum
    now: Enum

    @property
    def new_values(self) -> Iterator[EnumValue]:
        """The values that the last release did not know."""
        known = {value.value for value in self.before.values}
        return (value for value in self.now.values if value.value not in known)


def enums(evolution: Evolution) -> Iterator[Enum]:
    """The enums that are judged."""
    for type_ in evolution.now.types.values():
        if isinstance(type_, Enum) and evolution.judges(type_.id):
            yield type_


def struct_steps(evolution: Evolution) -> Iterator[tuple[Struct, Struct]]:
    """The structs that are judged and that the last release had too: as it had them, and as they are now."""
    if evolution.before is None:
        return
    for now in evolution.now.types.values():
        before = evolution.before.types.get(now.id)
        if isinstance(now, Struct) and isinstance(before, Struct) and evolution.judges(now.id):
            yield before, now


def enum_steps(evolution: Evolution) -> Iterator[EnumStep]:
    """Those that the last release had too."""
    if evolution.before is None:
        return
    for now in enums(evolution):
        before = evolution.before.types.get(now.id)
        if isinstance(before, Enum):
            yield EnumStep(before, now)


def value_named(enum: Enum, name: str) -> EnumValue | None:
    """The value of an enum, or None."""
    return next((value for value in enum.values if value.value == name), None)


def is_accepted(value: EnumValue, api: Api, release: Release) -> bool:
    """Whether every object may have a value at a release, with the gates as they are by default."""
    if value.gate is not None:
        return is_on(value.gate, api, release)
    return value.is_introduced(release)


def is_tolerated(value: EnumValue) -> bool:
    """Whether an object that has a value may keep it at least."""
    return value.gate is None or value.gate.in_use != "never"


def is_on(gate: GateSpec, api: Api, release: Release) -> bool:
    """Whether what stands behind gates is there by default at a release."""
    on = gates_on(gate, api, release)
    return bool(on) if gate.join is GateJoin.ANY else len(on) == len(gate.gates)


def gates_on(gate: GateSpec, api: Api, release: Release) -> tuple[str, ...]:
    """The gates of a mark that are on by default at a release."""
    stages = {feature.name: stage_at(feature, release) for feature in api.features}
    return tuple(g.value for g in gate.gates if (stage := stages.get(g.value)) is not None and stage.default)
