"""`make kubernetes-evolution`: gates, lifecycles, storage and strategies against what Kubernetes' own code says.

Exits 1 when anything that must agree does not. All data lies in `tests/data/kubernetes`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from apigen.build.publisher.locking import locked
from tests.kubernetes.evolution.registry import SECTIONS
from tests.kubernetes.evolution.strategies import checked
from tests.kubernetes.whole.__main__ import BUILD, say
from tests.kubernetes.whole.strategy_table import write


def main(arguments: Sequence[str]) -> int:
    """Returns 0 if everything agrees."""
    parser = argparse.ArgumentParser(prog="make kubernetes-evolution", description=__doc__)
    parser.add_argument("sections", nargs="*", help=f"only these: {', '.join(SECTIONS)}")
    parser.add_argument("--write", action="store_true", help="keep the tables of strategies for the documentation")
    options = parser.parse_args(arguments)
    names = options.sections or list(SECTIONS)
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        parser.error(f"there is no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    BUILD.mkdir(parents=True, exist_ok=True)
    with locked(BUILD, say):  # two runs would unpack and compile into the same folders
        agreed = [_agrees(name) for name in names]
        if options.write:
            write(checked(BUILD).result)
    return 0 if all(agreed) else 1


def _agrees(name: str) -> bool:
    section = SECTIONS[name]
    print(section.title, flush=True)
    report = section.run(BUILD)
    print(*(f"  {line}" for line in report.lines), sep="\n")
    print(*(f"  WRONG: {problem}" for problem in report.problems), sep="\n")
    return not report.problems


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
