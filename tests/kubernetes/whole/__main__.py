"""`make kubernetes`: imports, compiles and checks all of Kubernetes' API, and prints the agreement, group by group."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from apigen.build.publisher.locking import locked
from tests.kubernetes.whole.building import PACKAGE, build_apart, with_memory
from tests.kubernetes.whole.checking_all import (
    Piece,
    check_all,
    pieces_of_fixtures,
    pieces_of_vectors,
    unused_differences,
)
from tests.kubernetes.whole.outcomes import Outcome
from tests.kubernetes.whole.refreshing import Modules, specs_of
from tests.kubernetes.whole.releases import NEWEST, REFERENCE, SETS
from tests.kubernetes.whole.shared import ABSENT, ROOT, SHARED
from tests.kubernetes.whole.strategy_report import report_on
from tests.kubernetes.whole.strategy_table import lines
from tests.kubernetes.whole.table import problems, table

BUILD = ROOT / "build" / "kubernetes"


def main(arguments: Sequence[str]) -> int:
    """Returns 0 if everything agrees."""
    options = _parsed(arguments)
    releases = (options.release,) if options.release else (REFERENCE, NEWEST)
    modules = Modules(options.api, options.apimachinery, options.features, offline=options.offline)
    BUILD.mkdir(parents=True, exist_ok=True)
    with locked(BUILD, say):  # two runs would unpack and compile into the same folders
        agreed = [_agrees(release, modules) for release in releases]
    return 0 if all(agreed) else 1


def _agrees(release: str, modules: Modules) -> bool:
    """Import, compile and check a release; return whether nothing differs."""
    print(f"Kubernetes {release}", flush=True)
    folder = BUILD / release
    folder.mkdir(parents=True, exist_ok=True)
    specs = specs_of(release, folder, modules, say)
    cost = with_memory(build_apart(specs, folder), folder)
    say(f"compiled to {(folder / PACKAGE).relative_to(ROOT)}")
    if not SHARED.is_dir():
        say(f"nothing was compared: {ABSENT}")
        return True
    pieces = list(pieces_of_fixtures(release, folder, specs)) if release in SETS else []
    pieces += pieces_of_vectors(folder, specs) if release == REFERENCE else []
    outcomes = _evaluated(pieces)
    print(*table(outcomes, cost), sep="\n", end="\n\n")
    found = list(problems(outcomes))
    if release == REFERENCE:
        found += unused_differences(outcomes)
    if release == REFERENCE:
        strategies = report_on(folder, os.cpu_count() or 1)
        print("strategies", *lines(strategies.result), sep="\n", end="\n\n")
        found += strategies.problems
    print(*found, sep="\n")
    return not found


def say(text: str) -> None:
    """A line about what is being done."""
    print(f"  {text}", flush=True)


def _evaluated(pieces: Sequence[Piece]) -> list[Outcome]:
    return [outcome for _, found in check_all(pieces, os.cpu_count() or 1) for outcome in found]


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make kubernetes", description=__doc__)
    parser.add_argument("--release", help="only this release of k8s.io/api, e.g. v0.35.0")
    parser.add_argument("--api", type=Path, help="a folder with the Go module k8s.io/api of that release")
    parser.add_argument("--apimachinery", type=Path, help="a folder with the Go module k8s.io/apimachinery")
    parser.add_argument("--features", type=Path, action="append", help="a folder with Go sources of feature gates")
    parser.add_argument("--offline", action="store_true", help="use the committed specs, look for no Go modules")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
