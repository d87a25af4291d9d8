"""A run beside an earlier one: the ratios of both, and which have become worse."""

from __future__ import annotations

import subprocess
from pathlib import Path

from benchmarks.figures import Results, read_results
from benchmarks.peers.places import ROOT
from benchmarks.tables import table

KEPT = Path("benchmarks/figures.json")
"""The figures that are committed, those of the last run with `--write`."""
NOTEWORTHY = 1.1
"""By how much a ratio must have changed to be shown; what is less may be noise."""


def earlier(name: str) -> Results:
    """The results of a file, or those that a commit holds. Raises SystemExit if there are none."""
    path = Path(name)
    if path.is_file():
        text = path.read_text(encoding="utf-8")
    else:
        command = ["git", "show", "--end-of-options", f"{name}:{KEPT}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{name} is no file, and no commit that holds {KEPT}: {done.stderr.strip()}")
        text = done.stdout
    try:
        return read_results(text)
    except ValueError as error:
        raise SystemExit(f"{name}: {error}") from None


def compared(new: Results, old: Results) -> str:
    """The ratios that differ by more than noise, the worst first; what only one side has is counted."""
    common = [(name, old.ratios[name], ratio) for name, ratio in new.ratios.items() if name in old.ratios]
    changed = [(name, a, b) for name, a, b in common if _factor(a, b) >= NOTEWORTHY]
    changed.sort(key=lambda row: _change(row[1], row[2]), reverse=True)
    rows = [[name.replace(" | ", ", "), f"{a:.3g}", f"{b:.3g}", f"{_change(a, b):.2f}"] for name, a, b in changed]
    apart = len(new.ratios) + len(old.ratios) - 2 * len(common)
    words = f"{len(common)} figures in common with {old.commit}, {apart} on one side only"
    if not rows:
        return f"{words}; none differs by more than {NOTEWORTHY - 1:.0%}.\n"
    return f"{words}; these differ by more than {NOTEWORTHY - 1:.0%}:\n\n" + table(
        ["figure", "then", "now", "now / then"], rows
    )


def _change(old: float, new: float) -> float:
    return new / old if old else (float("inf") if new else 1.0)


def _factor(old: float, new: float) -> float:
    change = _change(old, new)
    return max(change, 1 / change if change else float("inf"))
