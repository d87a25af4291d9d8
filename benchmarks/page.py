"""Writes what is made of `docs/explanation/speed.md`: tables, misses and charts, between two comments each."""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchmarks.areas import AREAS
from benchmarks.charts.drawing import charts
from benchmarks.figures import Results
from benchmarks.generated.objects import OBJECTS
from benchmarks.peers.places import ROOT
from benchmarks.showing import microseconds, misses, shown

PAGE = ROOT / "docs" / "explanation" / "speed.md"
CHARTS = PAGE.with_name("speed")
_PART = re.compile(r"(<!-- made: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def write_page(results: Results) -> None:
    """Bring the page's made parts and its charts up to date. Raises KeyError for a part that nothing makes."""
    made = parts(results)
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_PART.sub(lambda found: f"{found[1]}\n{made[found[2]]}\n{found[3]}", text), encoding="utf-8")
    CHARTS.mkdir(exist_ok=True)
    for name, drawn in charts(results.figures).items():
        (CHARTS / name).write_text(drawn, encoding="utf-8")


def parts(results: Results) -> Mapping[str, str]:
    """Name -> Markdown: for each area its tables, its misses; the figures behind them, and what was measured with what."""
    found = {area.name: shown(area, results.figures) for area in AREAS}
    found |= {f"{area.name}-misses": misses(area, results.figures) or "None.\n" for area in AREAS}
    generated = AREAS[-1].figures(results.figures)
    found["microseconds"] = "\n".join(f"**{name}**\n\n{microseconds(generated, name)}" for name in OBJECTS)
    used = ", ".join(f"{name} {version}" for name, version in results.versions.items())
    found["versions"] = f"Measured on {results.machine}, with {used}.\n"
    return found
