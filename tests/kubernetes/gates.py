"""Kubernetes' feature gates against what its API server says of them: `python -m tests.kubernetes.gates`.

The records tell the stages of all 237 gates, and of each what it is and whether it can be set at 1.36. Two of them, AllAlpha
and AllBeta, are part of every set of gates and not in features.yaml. Ours has one more: it is of the controller
manager, which the records are not about. At other releases than 1.36, what Kubernetes has follows from the stages: the
last one that has begun.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from apigen.codegen.features import runtime_gate
from apigen.codegen.generated_tests.places import GateFinder
from apigen.diagnostics import Report
from apigen.ir.features import resolve_features
from apigen.ir.model import Api, Feature, Release
from apigen.ir.run import Run
from apigen.language.load import SpecFolder
from apigen.language.model import ApiSpec
from apigen.runtime.features import FeatureError, Features
from tests.kubernetes.whole.outcomes import Outcome, count

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "tests/data/kubernetes/vectors/strategies/gates.json"
SPECS = ROOT / "api-specs/kubernetes"

RELEASES = tuple(Release(1, minor) for minor in range(38))
REFERENCE = Release(1, 36)
NOT_YET = {"stage": None, "default": False, "locked": False}

OURS_ONLY = frozenset({"ControllerManagerReleaseLeaderElectionLockOnExit"})
"""Gates of other programs than the API server."""

EVERYWHERE = frozenset({"AllAlpha", "AllBeta"})
"""Gates that are in no features.yaml."""


def compare() -> list[Outcome]:
    """Every gate at every release (what it is, if it is locked), at 1.36 (if it can be set), and what it depends on.

    `by_nothing`: gates that are all off, of no stage, and can all be set, would agree as well.
    """
    recorded = records()
    features = {release: Features(map(runtime_gate, ours()), str(release)) for release in RELEASES}
    outcomes = list(_names(recorded))
    for name, gate in recorded.items():
        outcomes += (_at_release(name, gate, features[release], release) for release in RELEASES)
        outcomes.append(_can_be_set(name, gate, features[REFERENCE]))
        outcomes.append(_depends_on(name, gate))
    return outcomes


def table(outcomes: list[Outcome]) -> Iterator[str]:
    """A line per question: how many answers agree, and how many agree with gates that do nothing."""
    for what, found in groupby(sorted(outcomes, key=lambda o: o.what), key=lambda o: o.what):
        counted = count(found)
        yield f"{what}: {counted.agree} of {counted.total} agree; doing nothing reaches {counted.by_nothing}"


def main() -> int:
    """Print the table and what differs; returns 1 if anything does."""
    outcomes = compare()
    wrong = [outcome for outcome in outcomes if outcome.problem]
    print(*table(outcomes), sep="\n")
    print(*(f"{outcome.name}: {outcome.problem}" for outcome in wrong), sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


@cache
def records() -> dict[str, Any]:
    """The gates of Kubernetes 1.36 by name."""
    gates: dict[str, Any] = json.loads(RECORDS.read_text(encoding="utf-8"))["gates"]
    return gates


@cache
def ours() -> tuple[Feature, ...]:
    """The gates of the committed specs."""
    report = Report()
    folder = SpecFolder(SPECS, report)
    spec = ApiSpec((), folder.features(), own_series="kubernetes")
    features = resolve_features(spec, Run(report))
    assert not report.diagnostics
    return features


def _names(recorded: dict[str, Any]) -> Iterator[Outcome]:
    there = {feature.name for feature in ours()} - OURS_ONLY | EVERYWHERE
    for name in sorted(there | recorded.keys()):
        problem = (
            "" if name in there and name in recorded else "only in " + ("the specs" if name in there else "Kubernetes")
        )
        yield Outcome("there", "", name, problem)


def _at_release(name: str, gate: Any, features: Features, release: Release) -> Outcome:
    begun = [s for s in gate["specs"] if tuple(map(int, s["version"].split("."))) <= release]
    expected = {key: value for key, value in (begun[-1] if begun else NOT_YET).items() if key != "version"}
    stage = features.stage(name)
    got = {
        "stage": stage and stage.upper(),
        "default": features.enabled(name),
        "locked": stage is not None and not features.settable(name),
    }
    problem = "" if got == expected else f"is {got}, and {expected} in Kubernetes"
    what = "default, stage and lock at each release" if begun else "off and not there before the first stage"
    return Outcome(what, "", f"{name} at {release}", problem, not expected["default"] and not expected["locked"])


def _can_be_set(name: str, gate: Any, features: Features) -> Outcome:
    """Whether both values can be set, by setting them, with whatever depends on it or it depends on."""
    finder = GateFinder(Api((), ours(), {}), {"": REFERENCE})
    if name in EVERYWHERE:
        settable = features.settable(name)
    else:
        settable = all(finder.settings(on, off, [REFERENCE]) for on, off in (([name], []), ([], [name])))
    told = _is_told(name, features) == features.settable(name) == settable
    got = (features.enabled(name), settable)
    expected = (gate["default"], gate["settable"])
    problem = "" if got == expected and told else f"default and settable are {got}, and {expected} in Kubernetes"
    return Outcome(f"default, and settable or not, at {REFERENCE}", "", name, problem, expected == (False, True))


def _is_told(name: str, features: Features) -> bool:
    """Whether setting a gate to what it is not is rejected for another reason, if at all, than that it cannot be set."""
    try:
        features.copy().set(name, not features.enabled(name))
    except FeatureError as error:
        return "cannot set feature gate" not in str(error)
    return True


def _depends_on(name: str, gate: Any) -> Outcome:
    got = next((sorted(feature.depends_on) for feature in ours() if feature.name == name), [])
    expected = sorted(gate["dependsOn"])
    problem = "" if got == expected else f"depends on {got}, and on {expected} in Kubernetes"
    return Outcome("dependencies", "", name, problem, not expected)


if __name__ == "__main__":
    sys.exit(main())
