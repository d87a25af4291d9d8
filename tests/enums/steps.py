"""Two releases of one enum, and what the rules of evolution say of the step from one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent, indent

from apigen.dataclass import replace
from apigen.diagnostics import Diagnostic, Report
from apigen.diagnostics.printers.text import render
from apigen.history.model import History
from apigen.ir.model import Api
from apigen.ir.resolve import resolve
from apigen.language.load import load_api
from apigen.language.releases import parse_release
from apigen.lint.evolution import Evolution, run_evolution_rules
from apigen.review.release_step import report_errors, review_step
from apigen.review.sources.api.surface_of import Own, growth_declared_late, surface_of

GROUP = "things.example.com"
CODES = (
    *(f"AG133{digit}" for digit in range(10)),
    "enum-closed",
    "enum-growth-undeclared",
    "enum-opened",
    "enum-value-added",
    "enum-value-added-to-growing",
    "enum-value-enabled-at-once",
    "enum-value-gate-changed",
    "union-member-added",
    "unknown-value-changed",
)

GATES = """
    Long: {owner: sig-frob, stages: [{release: "1.10", stage: beta, default: true}]}
    Late: {owner: sig-frob, stages: [{release: "1.12", stage: alpha}, {release: "1.13", stage: beta, default: true}]}
    Early: {owner: sig-frob, stages: [{release: "1.12", stage: beta, default: true}]}
    """


def spec_files(types: str, version: str = "v1", gates: str = GATES) -> dict[str, str]:
    """A group with a kind `Frobber`, which has what `types` says of it and the rest of its types."""
    header = f"""\
        group: {GROUP}
        versions: {{{version}: {{introduced: "1.8"}}}}
        kinds: {{Frobber: {{scope: Namespaced, plural: frobbers, list: false}}}}
        """
    return {
        "features.yaml": dedent(gates),
        f"{GROUP}/group.yaml": dedent(header),
        f"{GROUP}/{version}.yaml": "types:\n" + indent(dedent(types).strip("\n"), "  ") + "\n",
    }


def frobber(policy: str, fields: str = "", rest: str = "") -> str:
    """A Frobber with a field of the enum `Policy`, of which `policy` is the body."""
    return f"""
    Frobber:
      fields:
        policy: {{type: Policy, required: false, protobuf: 1{fields}}}
        {rest}
    Policy: {policy}
    """


def api_of(files: dict[str, str], folder: Path) -> Api:
    """The resolved API of spec files. Errors fail the test."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    report = Report()
    api = resolve(load_api(folder, report, display_root=folder), report)
    assert not report.has_errors, render(report.diagnostics)
    return api


def step(
    folder: Path, *releases: tuple[str, dict[str, str]], now: dict[str, str], release: str | None = "1.12"
) -> Sequence[Diagnostic]:
    """What the rules of lint and of the review say of the enums of `now`, after releases that were shipped."""
    apis = {parse_release(name): api_of(files, folder / name) for name, files in releases}
    history = History(apis, apis.__getitem__)
    evolution = Evolution(
        now=api_of(now, folder / "now"),
        history=history,
        release=parse_release(release) if release else None,
        groups=frozenset({GROUP}),
    )
    report = Report()
    run_evolution_rules(evolution, report)
    if evolution.before is not None:
        own = Own(evolution.groups, frozenset())
        before = surface_of(evolution.before, str(evolution.newest), "", evolution.newest, own)
        late = growth_declared_late(history, evolution.before, evolution.groups)
        before = replace(before, growth_declared_late=late)
        report_errors(review_step(before, surface_of(evolution.now, "now", "", evolution.target_release, own)), report)
    return [d for d in report.diagnostics if d.code in CODES]
