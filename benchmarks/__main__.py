"""`python -m benchmarks`, or `make bench`: measures, prints tables, and writes results.json.

Times are of one machine and one run; what can be quoted are the ratios.
"""

from __future__ import annotations

import json
import platform
from dataclasses import asdict
from pathlib import Path

from benchmarks import generating, objects

RESULTS = Path(__file__).with_name("results.json")


def main() -> None:
    """Measure everything."""
    fields = generating.number_of_fields()
    generated = generating.measure()
    print(f"Generating {fields:,} fields (best of {generating.RUNS}):\n\n{generating.shown(generated, fields)}")
    costs = objects.measure()
    print(f"A PriorityLevelConfiguration, v1beta2 to v1:\n\n{objects.shown(costs)}")
    results = {
        "python": platform.python_version(),
        "fields": fields,
        "generate": {name: asdict(cost) for name, cost in generated.items()},
        "objects": {
            name: {"generated": asdict(ours), "by hand": asdict(hand), "ratio": ours.seconds / hand.seconds}
            for name, (ours, hand) in costs.items()
        },
    }
    RESULTS.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    print(f"written: {RESULTS.name}")


if __name__ == "__main__":
    main()
