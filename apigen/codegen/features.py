"""The feature gates of an API as data: `features.py` at the root of the output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import HEADER, Plain, call, literal, tuple_literal
from apigen.codegen.rendering import render
from apigen.ir.model import Feature
from apigen.ir.names import Module
from apigen.ir.series import Releases, releases_of, within
from apigen.runtime.features import FeatureGate
from apigen.runtime.features import FeatureStage as RuntimeStage


def plan(backend_input: BackendInput) -> Iterator[OutputFile]:
    """One module for all groups: names of gates are global."""
    gates = [runtime_gate(feature) for feature in sorted(backend_input.api.features, key=lambda f: f.name)]
    releases = emulated_releases(backend_input)
    text = render(
        "features/module.py.jinja",
        header=HEADER,
        names=[literal(gate.name) for gate in gates],
        table=tuple_literal(list(map(_gate, gates))),
        release=literal(str(releases[""])),
        own_series=literal(backend_input.api.own_series),
        series=literal({name: str(release) for name, release in sorted(releases.items()) if name}),
    )
    yield text_file(Module(("features",)).path, text)


def emulated_releases(backend_input: BackendInput) -> Releases:
    """The releases that the package emulates by default: of the project, under the empty name, and of the series in it."""
    api = backend_input.api
    series = {"", *(group.series for group in api.groups), *(feature.series for feature in api.features)}
    return within(backend_input.releases or releases_of(api), series)


def runtime_gate(feature: Feature) -> FeatureGate:
    """A gate as the generated package has it."""
    stages = tuple(
        RuntimeStage(
            *(str(each.release), each.stage.value, each.default, each.locked),
            min_compatibility=None if each.min_compatibility is None else str(each.min_compatibility),
        )
        for each in feature.stages
    )
    removed = str(feature.removed) if feature.removed else None
    return FeatureGate(feature.name, stages, feature.depends_on, removed, feature.series)


def _gate(gate: FeatureGate) -> str:
    stages = tuple_literal(list(map(_stage, gate.stages)))
    words = {"depends_on": gate.depends_on, "removed": gate.removed, "series": gate.series}
    return call("FeatureGate", literal(gate.name), stages, **_written(words))


def _stage(stage: RuntimeStage) -> str:
    words = {"default": stage.default, "locked": stage.locked, "min_compatibility": stage.min_compatibility}
    return call("FeatureStage", literal(stage.release), literal(stage.stage), **_written(words))


def _written(words: Mapping[str, Plain]) -> dict[str, str]:
    """The literals of arguments, without those that are empty or false, which are the defaults."""
    return {name: literal(value) for name, value in words.items() if value}
