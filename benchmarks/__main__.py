"""`python -m benchmarks`, or `make bench`: measures, prints a table for each area, and writes the figures as JSON.

Times are of one machine and one run; only the ratios can be quoted. Missed targets are reported; they are not errors.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.areas import AREAS, Area
from benchmarks.comparing import KEPT, compared, earlier
from benchmarks.figures import Results, read_results, write_results
from benchmarks.page import write_page
from benchmarks.peers.places import ROOT
from benchmarks.peers.versions import commit, machine, versions
from benchmarks.showing import misses, shown

RESULTS = ROOT / "build" / "bench.json"


def main(arguments: Sequence[str]) -> int:
    """Measure what was asked for."""
    chosen = _parser().parse_args(arguments)
    old = earlier(chosen.compare) if chosen.compare else None
    if chosen.show:
        results = read_results(chosen.show.read_text(encoding="utf-8"))
    else:
        results = _measured(chosen.areas or [area.name for area in AREAS], chosen.rounds)
        RESULTS.parent.mkdir(exist_ok=True)
        write_results(results, RESULTS)
    for area in AREAS:
        if area.name in results:
            print(_said(area, results[area.name]))
    if old is not None:
        print(compared(results, old))
    if chosen.write:
        results = {**(earlier(str(KEPT)) if KEPT.exists() else {}), **results}
        write_results(results, KEPT)
        write_page(results)
    return 0


def _said(area: Area, run: Results) -> str:
    used = ", ".join(f"{name} {version}" for name, version in run.versions.items())
    missed = misses(area, run.figures) or "nothing\n"
    return f"{area.title}\n\n{shown(area, run.figures)}\nMissed:\n\n{missed}\n{run.machine}; {used}\n"


def _measured(areas: Sequence[str], rounds: int) -> dict[str, Results]:
    chosen = [area for area in AREAS if area.name in areas]
    for prepare in dict.fromkeys(step for area in chosen for step in area.prepare):
        prepare()
    found: dict[str, Results] = {}
    for area in chosen:
        figures = area.measure(rounds)
        found[area.name] = Results(commit(), machine(), versions(area.name), figures, area.ratios(figures))
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = [area.name for area in AREAS]
    parser.add_argument(
        "areas", nargs="*", metavar="AREA", help=f"which to measure (default: all of {', '.join(names)})"
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often all take turns (default: 3)")
    parser.add_argument(
        "--compare", metavar="WHAT", help="a commit, or a JSON file: whose ratios are printed next to these"
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="keep the figures, and bring the documentation up to date; areas that are not measured stay as they were",
    )
    parser.add_argument("--show", type=Path, metavar="FILE", help="measure nothing: show the figures of a JSON file")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
