"""The feature gates of an API as data: `features.py` at the root of the output."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.backends.making import laid_out_file
from apigen.backends.rendering import render
from apigen.compilation import Compilation
from apigen.dataclass import dataclass
from apigen.emit.output import OutputFile
from apigen.ir.model import Api, Enum, Feature, FeatureStage, Release
from apigen.python.code import literal
from apigen.python.modules import HEADER, Module
from apigen.runtime.features import FeatureGate
from apigen.runtime.features import FeatureStage as RuntimeStage

OLDEST = Release(1, 0)
"""The release that counts as the newest where none is named."""


@dataclass(frozen=True, slots=True)
class GateLines:
    """A gate as the template writes it: the literal of its name, and the expression that makes it."""

    name: str
    made: str


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """One module for all groups: names of gates are global."""
    gates = [_gate(runtime_gate(feature)) for feature in sorted(compilation.api.features, key=lambda f: f.name)]
    text = render(
        "features/module.py.jinja",
        header=HEADER,
        gates=gates,
        table=_tuple([gate.made for gate in gates]),
        newest=literal(str(newest_release_of(compilation))),
    )
    yield from laid_out_file(compilation, Module(("features",)).path, text)


def newest_release_of(compilation: Compilation) -> Release:
    """The newest release that the specs speak of, be they compiled or not."""
    found = newest_release(compilation.api)
    return found if compilation.newest is None else max(found, compilation.newest)


def newest_release(api: Api) -> Release:
    """The newest release that anything in the specs says to have begun: a gate's stage, a version, an enum's value."""
    releases = [stage.release for feature in api.features for stage in feature.stages]
    for group in api.groups:
        releases += [v.lifecycle.introduced for v in group.versions if v.lifecycle.introduced is not None]
    values = (value for type_ in api.types.values() if isinstance(type_, Enum) for value in type_.values)
    releases += [begun for value in values if (begun := value.tolerated or value.lifecycle.introduced) is not None]
    return max(releases, default=OLDEST)


def runtime_gate(feature: Feature) -> FeatureGate:
    """A gate as the generated package has it."""
    stages = tuple(
        RuntimeStage(str(each.release), each.stage.value, each.default, each.locked, _needed(each))
        for each in feature.stages
    )
    return FeatureGate(feature.name, stages, feature.depends_on, str(feature.removed) if feature.removed else None)


def _needed(stage: FeatureStage) -> str | None:
    return None if stage.min_compatibility is None else str(stage.min_compatibility)


def _gate(gate: FeatureGate) -> GateLines:
    arguments = [literal(gate.name), _tuple([_stage(stage) for stage in gate.stages])]
    if gate.depends_on:
        arguments.append(f"depends_on={_tuple([literal(name) for name in gate.depends_on])}")
    if gate.removed:
        arguments.append(f"removed={literal(gate.removed)}")
    return GateLines(literal(gate.name), f"FeatureGate({', '.join(arguments)})")


def _tuple(items: list[str]) -> str:
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _stage(stage: RuntimeStage) -> str:
    arguments = [literal(stage.release), literal(stage.stage)]
    if stage.default:
        arguments.append("default=True")
    if stage.locked:
        arguments.append("locked=True")
    if stage.min_compatibility:
        arguments.append(f"min_compatibility={literal(stage.min_compatibility)}")
    return f"FeatureStage({', '.join(arguments)})"
