"""Cases of the rules of a review: a base, a revision, and the findings that a review of them reports.

The file `rules/<rule>.yaml` maps the names of the cases of a rule to their content:

    positive-source:
      options: {preset: source}  # optional; the preset is `api` by default
      base:
        types: {Thing: {fields: {size: {type: int32}}}}
      revision:
        things.proto: |
          syntax = "proto3";
      expect:
        - rule: field-removed

The name of a case begins with its kind: `positive` if the rule reports the change, `negative` if the rule does not apply to
it, and `near-miss` for the change that is most easily mistaken for a positive one.

A side is a spec folder in the shorthand of `write_specs`, or a map of paths to contents. A folder is that of a `release`,
which was shipped if it is `recorded`. The paths are relative to the folder of the side, except that `old.json`, `old.yaml`,
`new.json` or `new.yaml` is a side that is one file. A content is a text, or a map that is written as JSON or YAML. Use a
literal block if the expected line numbers depend on the layout of the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.inputs.source import Setting
from apigen.ir.surface import Surface
from apigen.language.releases import Release
from apigen.review.finding import Finding, Review
from apigen.review.results import Preset
from apigen.review.review import review
from apigen.review.rules.registry import RULES, unclassified_change
from apigen.review.rules.rule import Rule
from apigen.review.sources.loading import load
from apigen.review.sources.releases import Releases

CASES = Path(__file__).parent / "rules"
GROUP = "things.example.com"
POSITIVE, NEGATIVE, NEAR_MISS = "positive", "negative", "near-miss"
SHORTHAND = frozenset(
    {
        "types",
        "kinds",
        "versions",
        "features",
        "group",
        "version",
        "release",
        "recorded",
        "hub",
        "tombstones",
        "protobuf",
    }
)
SIDES = {"old": "base", "new": "revision"}
"""The names of the sides on disk, with their keys in a case."""


@dataclass(frozen=True)
class Case:
    """A case of a rule; `label` is its key in the file of the rule."""

    file: Path
    label: str
    content: dict[str, Any]

    @property
    def rule(self) -> str:
        return self.file.stem

    @property
    def name(self) -> str:
        return f"{self.rule}/{self.label}"

    @property
    def kind(self) -> str:
        """`positive`, `negative` or `near-miss`; empty if the label begins with none of them."""
        kinds = (POSITIVE, NEGATIVE, NEAR_MISS)
        return next((kind for kind in kinds if self.label == kind or self.label.startswith(f"{kind}-")), "")


class _Loader(yaml.CSafeLoader):
    """Rejects duplicate keys, because a copied case with an unchanged name would silently replace the original."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        found = super().construct_mapping(node, deep)
        assert len(found) == len(node.value), f"duplicate key in the map that starts in line {node.start_mark.line + 1}"
        return found


def all_cases() -> list[Case]:
    """Every case, in order of rule."""
    return [case for file in sorted(CASES.glob("*.yaml")) for case in cases_of(file)]


@cache
def cases_of(file: Path) -> tuple[Case, ...]:
    """The cases in the file of a rule, in the order of the file."""
    content = yaml.load(file.read_text(encoding="utf-8"), _Loader)
    cases = tuple(Case(file, label, each) for label, each in content.items())
    for case in cases:
        missing = set(SIDES.values()) - case.content.keys()
        unknown = case.content.keys() - {*SIDES.values(), "options", "expect"}
        assert not missing, f"{case.name} does not have the keys {sorted(missing)}"
        assert not unknown, f"{case.name} has the unknown keys {sorted(unknown)}"
    return cases


def sides(case: Case, temporary: Path) -> tuple[Surface, Surface]:
    """Load both sides of a case. Fails with the diagnostics of a side that cannot be read."""
    return side(case, "old", temporary), side(case, "new", temporary)


def evaluated(case: Case, surfaces: tuple[Surface, Surface], rules: Iterable[Rule] = RULES) -> Review:
    """Review a case with the preset of its options."""
    preset = case.content.get("options", {}).get("preset", Preset.API)
    return review(*surfaces, Preset(preset), rules)


def side(case: Case, name: str, temporary: Path) -> Surface:
    """Load a side of a case; `name` is `old` or `new`."""
    given = _given(case, name, temporary)
    content = case.content[SIDES[name]]
    release, is_recorded = content.get("release"), content.get("recorded", False)
    report = Report()
    found = load(str(given), Setting(temporary), report)
    assert found is not None and not report.has_errors, f"{case.name}, {name}:\n{render(report.diagnostics)}"
    found = replace(found, form=Releases.form) if is_recorded else found
    return found if release is None else replace(found, release=Release(*map(int, str(release).split("."))))


def _given(case: Case, name: str, temporary: Path) -> Path:
    """Write a side to a file or folder, and return its path."""
    content = case.content[SIDES[name]]
    if content.keys() <= SHORTHAND:
        return write_specs(content, temporary / name)
    is_file = any(path in content for path in (f"{name}.json", f"{name}.yaml"))
    for path, each in content.items():
        _write_file(temporary / path if is_file else temporary / name / path, each)
    return temporary / (next(iter(content)) if is_file else name)


def _write_file(path: Path, content: str | dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, dict) and path.suffix == ".yaml":
        _write(path, content)
    else:
        text = content if isinstance(content, str) else json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        path.write_text(text, encoding="utf-8")


def write_specs(said: dict[str, Any], root: Path) -> Path:
    """A spec folder of the shorthand: one group; `types` are those of `version`, or by version in `versions`."""
    group = root / said.get("group", GROUP)
    group.mkdir(parents=True, exist_ok=True)
    versions = {said.get("version", "v1"): {"types": said.get("types", {})}} if "types" in said else {}
    versions |= said.get("versions", {})
    names = {name for version in versions.values() for name in version.get("types", {})}
    kinds = said.get("kinds", {"Thing": {"scope": "Namespaced"}} if "Thing" in names else {})
    headers = {name: {k: v for k, v in version.items() if k != "types"} for name, version in versions.items()}
    if not any(header.get("storage") for header in headers.values()):
        headers[next(iter(headers))]["storage"] = True
    header = {"group": group.name, "versions": headers, "kinds": kinds}
    header |= {key: said[key] for key in ("hub", "tombstones", "protobuf") if key in said}
    _write(group / "group.yaml", header)
    for name, version in versions.items():
        _write(group / f"{name}.yaml", {"types": version.get("types", {})})
    if "features" in said:
        _write(root / "features.yaml", said["features"])
    return root


def _write(path: Path, content: object) -> None:
    text = yaml.dump(content, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=1000)
    path.write_text(text, encoding="utf-8")


def plain(found: Review) -> list[dict[str, Any]]:
    """The findings that are reported, as `expect:` has them: no paths of temporary folders, no fingerprints."""
    return [_plain(finding) for finding in found.findings if finding.severity or finding.rule == unclassified_change.id]


def _plain(finding: Finding) -> dict[str, Any]:
    said: dict[str, Any] = {
        "rule": finding.rule,
        "element": str(finding.element),
        "severity": finding.severity.word,
        "message": finding.result.message,
        "old": finding.old,
        "new": finding.new,
        "lines": [finding.old_place.line, finding.new_place.line],
        "effects": {
            direction.value: f"{effect.impact}: {effect.text}" for direction, effect in sorted(finding.effects.items())
        },
        "fix": finding.result.fix,
        "patch": finding.result.patch,
        "mitigations": [
            f"{each.name}: {'holds' if each.holds else 'does not hold'}, {each.reason}" for each in finding.considered
        ],
        "proposal": finding.proposal,
        "notVerified": finding.result.not_verified,
    }
    return {key: value for key, value in said.items() if value}
