"""The feature gates of an API as data: `features.py` at the root of the output."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from apigen.backends.rendering import render
from apigen.compilation import Compilation
from apigen.emit.formatting import format_source
from apigen.emit.output import OutputFile, text_file
from apigen.ir.model import Api, Feature, FeatureStage, Release
from apigen.python.code import literal
from apigen.python.modules import HEADER, Module

OLDEST = Release(1, 0)
"""The release that counts as the newest where none is named."""


@dataclass(frozen=True, slots=True)
class GateLines:
    """A gate as the template writes it: the literal of its name, and the expression that makes it."""

    name: str
    made: str


def plan(compilation: Compilation) -> Iterator[OutputFile]:
    """One module for all groups: names of gates are global."""
    gates = [_gate(feature) for feature in sorted(compilation.api.features, key=lambda f: f.name)]
    text = render(
        "features/module.py.jinja",
        header=HEADER,
        gates=gates,
        table=_tuple([gate.made for gate in gates]),
        newest=literal(str(newest_release(compilation.api))),
    )
    yield text_file(Module(("features",)).path, format_source(text))


def newest_release(api: Api) -> Release:
    """The newest release that anything in the specs says to have begun: a gate's stage, a version, a type or field."""
    releases = [stage.release for feature in api.features for stage in feature.stages]
    for group in api.groups:
        releases += [v.lifecycle.introduced for v in group.versions if v.lifecycle.introduced is not None]
    return max(releases, default=OLDEST)


def _gate(feature: Feature) -> GateLines:
    arguments = [literal(feature.name), _tuple([_stage(stage) for stage in feature.stages])]
    if feature.depends_on:
        arguments.append(f"depends_on={_tuple([literal(name) for name in feature.depends_on])}")
    return GateLines(literal(feature.name), f"FeatureGate({', '.join(arguments)})")


def _tuple(items: list[str]) -> str:
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _stage(stage: FeatureStage) -> str:
    arguments = [literal(str(stage.release)), literal(stage.stage.value)]
    if stage.default:
        arguments.append("default=True")
    if stage.locked:
        arguments.append("locked=True")
    return f"FeatureStage({', '.join(arguments)})"
