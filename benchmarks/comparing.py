"""A run next to an earlier one: the ratios of both, and which have become worse."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from benchmarks.figures import Results, read_results
from benchmarks.peers.places import ROOT
from benchmarks.tables import table

KEPT = ROOT / "benchmarks" / "figures.json"
"""The figures that are committed, those of the last run with `--write`."""
NOTEWORTHY = 1.1
"""By how much a ratio must have changed to be shown; what is less may be noise."""


def earlier(name: str) -> Mapping[str, Results]:
    """The results by area of a file, or those that a commit holds. Raises SystemExit without results."""
    path = Path(name)
    if path.is_file():
        text = path.read_text(encoding="utf-8")
    else:
        command = ["git", "show", "--end-of-options", f"{name}:{KEPT.relative_to(ROOT)}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{name} is no file, and no commit that holds {KEPT.name}: {done.stderr.strip()}")
        text = done.stdout
    try:
        return read_results(text)
    except ValueError as error:
        raise SystemExit(f"{name}: {error}") from None


def compared(new: Mapping[str, Results], old: Mapping[str, Results]) -> str:
    """The ratios that differ by more than noise, the worst first; areas that only one side has are omitted."""
    both = [(area, old[area].ratios, results.ratios) for area, results in new.items() if area in old]
    common = [
        (f"{area}, {name.replace(' | ', ', ')}", then[name], ratio)
        for area, then, now in both
        for name, ratio in now.items()
        if name in then
    ]
    apart = sum(len(then) + len(now) for _, then, now in both) - 2 * len(common)
    commits = " and ".join(sorted({old[area].commit for area, _, _ in both})) or "the other run"
    words = f"{len(common)} figures in common with {commits}, {apart} on one side only"
    changed = [row for row in common if _factor(row[1], row[2]) >= NOTEWORTHY]
    if not changed:
        return f"{words}; none differs by more than {NOTEWORTHY - 1:.0%}.\n"
    changed.sort(key=lambda row: _change(row[1], row[2]), reverse=True)
    rows = [[name, f"{then:.3g}", f"{now:.3g}", f"{_change(then, now):.2f}"] for name, then, now in changed]
    shown = table(["figure", "then", "now", "now / then"], rows)
    return f"{words}; these differ by more than {NOTEWORTHY - 1:.0%}:\n\n{shown}"


def _change(old: float, new: float) -> float:
    return new / old if old else (float("inf") if new else 1.0)


def _factor(old: float, new: float) -> float:
    change = _change(old, new)
    return max(change, 1 / change if change else float("inf"))
