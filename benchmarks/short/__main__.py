"""`python -m benchmarks.short`, or `make bench-short`: exits with 1 if a ratio is more than twice the one that is kept.

Each ratio is the median over rounds in which both sides take turns, of CPU time: a busy machine disturbs both alike.
`--write` keeps the ratios of this run.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.progress import tell
from benchmarks.short.pairs import Pair, pairs
from benchmarks.tables import table

KEPT = Path(__file__).with_name("ratios.json")
MOST = 2.0
AGAIN = 3
"""So often a pair that seems to have doubled is measured again: the least counts."""


def main(arguments: Sequence[str]) -> int:
    """Measure, print the table; returns 1 if a ratio has doubled."""
    kept: dict[str, float] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    with TemporaryDirectory() as folder:
        found = {pair.name: _ratio(pair, kept.get(pair.name)) for pair in pairs(Path(folder).resolve())}
    rows = [
        [name, _shown(kept.get(name)), _shown(ratio), _change(ratio, kept.get(name))] for name, ratio in found.items()
    ]
    print(table(["apigen / its measure", "kept", "now", "now / kept"], rows))
    if "--write" in arguments:
        KEPT.write_text(json.dumps({name: round(ratio, 3) for name, ratio in found.items()}, indent=1) + "\n", "utf-8")
        return 0
    doubled = [name for name, ratio in found.items() if name in kept and ratio > MOST * kept[name]]
    for name in doubled:
        print(f"more than {MOST:g} times what it was: {name}")
    return 1 if doubled else 0


def _ratio(pair: Pair, kept: float | None) -> float:
    tell(pair.name)
    ratio = _median(pair)
    for _ in range(AGAIN):
        if kept is None or ratio <= MOST * kept:
            break
        ratio = min(ratio, _median(pair))
    return ratio


def _median(pair: Pair) -> float:
    return median(pair.ours() / pair.theirs() for _ in range(pair.rounds))


def _shown(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2f}"


def _change(now: float, kept: float | None) -> str:
    return "" if kept is None else f"{now / kept:.2f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
