"""What this project compiles: its own configuration, as tests take it. All of `api-specs` is more than that."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.pipeline import Checked, Sources, check
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.language.configuration import Config, Overrides, find_config, load_config
from apigen.language.load import load_api
from apigen.language.model import ApiSpec, GroupSpec, VersionFile
from apigen.language.releases import parse_release

ROOT = Path(__file__).resolve().parents[1]


@cache
def config() -> Config:
    """The configuration of this project."""
    report = Report()
    found = load_config(find_config(ROOT, report, "pyproject.toml"), ROOT, Overrides(), report)
    assert found is not None, render(report.diagnostics)
    return found


def sources() -> Sources:
    """Where a run in this project reads."""
    own = config()
    release = None if own.release is None else parse_release(own.release)
    return Sources(own.specs, own.handwritten, ROOT, own.groups, kinds=own.kinds, release=release)


@cache
def checked() -> Checked:
    """The specs, with what is chosen of them."""
    report = Report()
    found = check(sources(), report)
    assert found.backend_input is not None, render([d for d in report.diagnostics if d.severity == "error"])
    return found


def backend_input() -> BackendInput:
    """What is chosen of the specs."""
    found = checked().backend_input
    assert found is not None
    return found


@cache
def chosen_spec() -> ApiSpec:
    """What the spec files say of the chosen kinds and of all that these lead to: a part of the specs that is whole."""
    report = Report()
    spec = load_api(config().specs, report, display_root=ROOT)
    assert not report.has_errors, render(report.diagnostics)
    api = backend_input().api
    kept = {group.folder for group in api.groups}
    gates = {feature.name for feature in api.features}
    return replace(
        spec,
        groups=tuple(_chosen_part(group) for group in spec.groups if group.folder in kept),
        features=tuple(feature for feature in spec.features if feature.name in gates),
    )


def _chosen_part(group: GroupSpec) -> GroupSpec:
    part = backend_input().api.group(group.folder)
    versions = {version.name for version in part.versions}
    hub_types = {type_.name for type_ in part.hub_overrides}
    hub = group.hub if group.hub and group.hub.value in versions else None
    hub_file = group.hub_file if hub else None
    return replace(
        group,
        versions=tuple(header for header in group.versions if header.name in versions),
        hub=hub,
        kinds=tuple(kind for kind in group.kinds if part.kind(kind.name) is not None),
        version_files=tuple(_chosen_types(group.folder, f) for f in group.version_files if f.name in versions),
        hub_file=hub_file and replace(hub_file, types=tuple(t for t in hub_file.types if t.name in hub_types)),
        locks=tuple(lock for lock in group.locks if lock.version in versions),
    )


def _chosen_types(group: str, file: VersionFile) -> VersionFile:
    kept = {id_.name for id_ in backend_input().api.types if (id_.group, id_.version) == (group, file.name)}
    return replace(file, types=tuple(type_ for type_ in file.types if type_.name in kept))
