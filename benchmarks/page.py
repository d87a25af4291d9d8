"""Writes what is made of `benchmarks/results.md`: tables, misses and charts, between two comments each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchmarks.areas import AREAS, Area
from benchmarks.charts.drawing import charts
from benchmarks.figures import Results
from benchmarks.generated.objects import OBJECTS
from benchmarks.peers.places import ROOT
from benchmarks.showing import microseconds, misses, shown

PAGE = ROOT / "benchmarks" / "results.md"
CHARTS = ROOT / "docs" / "comparisons" / "speed"
UNMEASURED = "Not measured yet.\n"
_PART = re.compile(r"(<!-- made: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def write_page(results: Mapping[str, Results]) -> None:
    """Bring the page's made parts and its charts up to date. Raises KeyError for a part that nothing makes."""
    made = parts(results)
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_PART.sub(lambda found: f"{found[1]}\n{made[found[2]]}\n{found[3]}", text), encoding="utf-8")
    CHARTS.mkdir(exist_ok=True)
    for name, drawn in charts(results).items():
        (CHARTS / name).write_text(drawn, encoding="utf-8")


def parts(results: Mapping[str, Results]) -> Mapping[str, str]:
    """Name -> Markdown: for each area its tables, its misses and what took part; and the figures behind the ratios."""
    found: dict[str, str] = {}
    for area in AREAS:
        run = results.get(area.name)
        found[area.name] = UNMEASURED if run is None else _area(area, run)
        found[f"{area.name}-misses"] = UNMEASURED if run is None else misses(area, run.figures) or "None.\n"
    run = results.get("generated")
    tables = () if run is None else (f"**{name}**\n\n{microseconds(run.figures, name)}" for name in OBJECTS)
    return found | {"microseconds": "\n".join(tables)}


def _area(area: Area, run: Results) -> str:
    """Its tables, its chart, and what took part."""
    chart = f"![{area.title}: how much of each target is used up](../docs/comparisons/speed/{area.name}.svg)"
    used = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    return f"{shown(area, run.figures)}\n{chart}\n\nMeasured on {run.machine}, with {used}.\n"
