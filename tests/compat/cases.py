"""Cases of `tests/compat/rules`: the two sides of each, and what a review says of them, as plain values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from apigen.compat.finding import Finding
from apigen.compat.review import Review, review
from apigen.compat.rules.registry import RULES
from apigen.compat.rules.rule import Rule
from apigen.compat.rules.unclassified import unclassified_change
from apigen.compat.sources.loading import load, specs_of
from apigen.compat.sources.source import Setting
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.preset import Preset
from apigen.compat.witnesses.as_written import AsWritten
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.ir.model import Release

CASES = Path(__file__).parent / "rules"
GROUP = "things.example.com"
POSITIVE, NEGATIVE, NEAR_MISS = "positive", "negative", "near-miss"
SHORTHAND = frozenset({"types", "kinds", "versions", "features", "group", "version", "release", "hub"})


@dataclass(frozen=True)
class Case:
    """A folder with two sides and what is expected; `kind` is positive, negative or near-miss."""

    rule: str
    kind: str
    folder: Path

    @property
    def name(self) -> str:
        return f"{self.rule}/{self.folder.name}"


def all_cases() -> list[Case]:
    """Every case, in order of rule."""
    folders = sorted(
        folder for rule in CASES.iterdir() if rule.is_dir() for folder in rule.iterdir() if folder.is_dir()
    )
    return [Case(folder.parent.name, _kind(folder.name), folder) for folder in folders]


def _kind(name: str) -> str:
    return next((kind for kind in (POSITIVE, NEGATIVE, NEAR_MISS) if name == kind or name.startswith(f"{kind}-")), "")


def sides(case: Case, temporary: Path) -> tuple[Surface, Surface]:
    """Both sides of a case. Fails with the diagnostics of one that cannot be read."""
    return side(case, "old", temporary), side(case, "new", temporary)


def judged(case: Case, surfaces: tuple[Surface, Surface], rules: Iterable[Rule] = RULES) -> Review:
    """The review of a case; `options.yaml` may name the preset."""
    options = case.folder / "options.yaml"
    said = yaml.safe_load(options.read_text(encoding="utf-8")) if options.exists() else {}
    return review(*surfaces, Preset(said.get("preset", Preset.API)), rules)


def side(case: Case, name: str, temporary: Path) -> Surface:
    """One side of a case, as a surface."""
    given, release = _given(case, name, temporary)
    report = Report()
    found = load(str(given), Setting(temporary), report)
    assert found is not None and not report.has_errors, f"{case.name}, {name}:\n{render(report.diagnostics)}"
    return found if release is None else replace(found, release=Release(*map(int, str(release).split("."))))


def as_written(case: Case, temporary: Path) -> tuple[AsWritten, AsWritten]:
    """The specs of both sides of a case, for those that are specs."""
    setting = Setting(temporary)
    old, new = (partial(specs_of, str(_given(case, name, temporary)[0]), setting) for name in ("old", "new"))
    return AsWritten(old), AsWritten(new)


def _given(case: Case, name: str, temporary: Path) -> tuple[Path, str | None]:
    """The file or folder of a side, written to a folder where it is in shorthand, and the release that this says."""
    given = case.folder / name if (case.folder / name).is_dir() else _file(case.folder, name)
    if given.is_file() and given.suffix == ".yaml":
        content = yaml.safe_load(given.read_text(encoding="utf-8"))
        if isinstance(content, dict) and set(content) <= SHORTHAND:
            return write_specs(content, temporary / name), content.get("release")
    return given, None


def _file(folder: Path, name: str) -> Path:
    found = sorted(folder.glob(f"{name}.*"))
    assert len(found) == 1, f"{folder.name} has no {name}, or more than one"
    return found[0]


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
    header |= {"hub": said["hub"]} if "hub" in said else {}
    _write(group / "group.yaml", header)
    for name, version in versions.items():
        _write(group / f"{name}.yaml", {"types": version.get("types", {})})
    if "features" in said:
        _write(root / "features.yaml", said["features"])
    return root


def _write(path: Path, content: object) -> None:
    path.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=1000), encoding="utf-8")


def plain(found: Review) -> list[dict[str, Any]]:
    """The findings that are told, as `expected.yaml` has them: no places of temporary folders, no fingerprints."""
    return [_plain(finding) for finding in found.findings if finding.severity or finding.rule == unclassified_change.id]


def _plain(finding: Finding) -> dict[str, Any]:
    said: dict[str, Any] = {
        "rule": finding.rule,
        "element": str(finding.element),
        "severity": finding.severity.word,
        "message": finding.verdict.message,
        "old": finding.old,
        "new": finding.new,
        "lines": [finding.old_place.line, finding.new_place.line],
        "hits": {direction.value: f"{hit.impact}: {hit.text}" for direction, hit in sorted(finding.hits.items())},
        "fix": finding.verdict.fix,
        "patch": finding.verdict.patch,
        "mitigations": [
            f"{each.name}: {'holds' if each.holds else 'does not hold'}, {each.reason}" for each in finding.considered
        ],
        "proposal": finding.proposal,
        "unproven": finding.verdict.is_unproven,
    }
    return {key: value for key, value in said.items() if value}
