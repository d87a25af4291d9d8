"""A step of an API in a test: the specs of the releases before, those of now, and what the rules find."""

from __future__ import annotations

from pathlib import Path

from apigen.diagnostics import Diagnostic, Report
from apigen.history.model import History
from apigen.ir.model import Api, Release
from apigen.ir.stability import next_release
from apigen.language.releases import parse_release
from apigen.lint.evolution import Evolution, run_evolution_rules
from apigen.review.release_step import UNRECORDED, report_errors, review_step
from apigen.review.sources.api.surface_of import Own, surface_of
from tests.ir.resolving import META, resolved

OF_OTHERS = ("AG131", "field-added")
"""The rules about gates and rollbacks, which have tests of their own."""
GATES = """
Off: {stages: [{release: "1.9", stage: alpha}]}
Once: {stages: [{release: "1.9", stage: beta, default: true}, {release: "1.11", stage: beta, default: false}]}
On: {stages: [{release: "1.9", stage: beta, default: true}]}
"""
KIND = "metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}"


def group(versions: str, more: str = "", hub: str = "v1") -> str:
    """A group.yaml with the kind Frobber."""
    return f"group: things.example.com\nversions:\n{_indented(versions)}hub: {hub}\nkinds: {{Frobber: {{list: false}}}}\n{more}"


def frobber(fields: str = "", more: str = "", types: str = "") -> str:
    """A version's file with the kind Frobber and these fields."""
    joined = f"{KIND}, {fields}" if fields else KIND
    return f"types:\n  Frobber:\n    fields: {{{joined}}}\n{_indented(more, 4)}{_indented(types)}"


def found(
    folder: Path, before: dict[str, dict[str, str]], now: dict[str, str], release: str | None
) -> list[Diagnostic]:
    """What the rules of removal and lifecycle say of the step to `now`."""
    apis: dict[Release, Api] = {}
    for name, files in before.items():
        apis[parse_release(name)] = _api(folder / name, files)
    report = Report()
    newest = max(apis, default=None)
    making = parse_release(release) if release else None if newest is None else next_release(newest)
    api = _api(folder / "now", now)
    own = frozenset({"things.example.com"})
    evolution = Evolution(api, History(apis, apis.__getitem__), making, own)
    run_evolution_rules(evolution, report)
    base = UNRECORDED
    if newest is not None:
        base = surface_of(apis[newest], "base", "release", newest, Own(own, frozenset()))
    report_errors(review_step(base, surface_of(api, "revision", "specs", making, Own(own, frozenset()))), report)
    return [d for d in report.diagnostics if not d.code.startswith(OF_OTHERS)]


def codes(folder: Path, before: dict[str, dict[str, str]], now: dict[str, str], release: str | None) -> list[str]:
    """Their codes."""
    return [d.code for d in found(folder, before, now, release)]


def _api(folder: Path, files: dict[str, str]) -> Api:
    return resolved(folder, {"features.yaml": GATES, **META, **files})


def _indented(text: str, by: int = 2) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.strip().splitlines())
