"""Checks everything, piece by piece, in as many processes as wanted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from apigen.diagnostics import Report
from apigen.ir.model import Api
from apigen.ir.resolve import resolve
from apigen.language.load import load_api
from tests.kubernetes.whole.building import load
from tests.kubernetes.whole.filling import Filler
from tests.kubernetes.whole.fixtures import Fixtures
from tests.kubernetes.whole.outcomes import Outcome
from tests.kubernetes.whole.releases import NEWEST, SETS
from tests.kubernetes.whole.shared import FIXTURES, VECTORS
from tests.kubernetes.whole.vectors import Vectors

KINDS_OF_VECTORS = ("conversions", "defaults", "codec")
DIFFERENCES = Path(__file__).with_name("differences.json")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece to check: a kind of vectors of a group, or a set of fixtures; `built` holds the package."""

    what: str
    which: str
    built: Path
    specs: Path


def pieces_of_fixtures(release: str, built: Path, specs: Path) -> Iterator[Piece]:
    """The release's own set; for the newest one also those of the releases before it."""
    yield Piece("own fixtures", release, built, specs)
    if release == NEWEST:
        yield from (Piece("fixtures", name, built, specs) for name in SETS.values() if name != SETS[NEWEST])


def pieces_of_vectors(built: Path, specs: Path) -> Iterator[Piece]:
    """Every kind of vectors, group by group."""
    for what in KINDS_OF_VECTORS:
        for file in sorted((VECTORS / what).glob("*.jsonl.gz")):
            group = file.name.removesuffix(".jsonl.gz")
            if group not in ("wellknown", "decoding"):
                yield Piece(what, group, built, specs)


def check(piece: Piece) -> list[Outcome]:
    """The outcomes of a piece; what is listed as a difference on purpose counts as right, and nothing else does."""
    return [_on_purpose(outcome) for outcome in _evaluated(piece)]


def check_all(pieces: Iterable[Piece], processes: int) -> Iterator[tuple[Piece, list[Outcome]]]:
    """All pieces, in order."""
    pieces = list(pieces)
    with ProcessPoolExecutor(processes) as pool:
        yield from zip(pieces, pool.map(check, pieces), strict=True)


@cache
def differences() -> dict[str, str]:
    """Outcomes that differ from Kubernetes on purpose, with the reason."""
    found: dict[str, str] = json.loads(DIFFERENCES.read_text(encoding="utf-8"))
    return found


def unused_differences(outcomes: Iterable[Outcome]) -> list[str]:
    """Listed differences that no outcome is called like, each as a sentence; `outcomes` are those of all vectors."""
    named = {_name(outcome) for outcome in outcomes}
    return [
        f"{DIFFERENCES.name} lists {name!r}, which nothing is called" for name in differences() if name not in named
    ]


def _name(outcome: Outcome) -> str:
    return f"{outcome.what} {outcome.group} {outcome.name}"


def _on_purpose(outcome: Outcome) -> Outcome:
    if _name(outcome) not in differences():
        return outcome
    problem = "" if outcome.problem else "is listed as a difference, but agrees"
    return Outcome(outcome.what, outcome.group, outcome.name, problem, outcome.by_nothing)


def _evaluated(piece: Piece) -> Iterator[Outcome]:
    match piece.what:
        case "own fixtures":
            name = SETS[piece.which]
            yield from _fixtures(piece).own(FIXTURES / name, frozen=piece.which != NEWEST)
        case "fixtures":
            yield from _fixtures(piece).previous(FIXTURES / piece.which)
        case what:
            yield from getattr(Vectors(load(piece.built), VECTORS), what)(piece.which)


def _fixtures(piece: Piece) -> Fixtures:
    api = api_of(piece.specs)
    return Fixtures(load(piece.built), api, Filler(api))


@cache
def api_of(specs: Path) -> Api:
    """The IR of a release's specs."""
    report = Report()
    return resolve(load_api(specs, report), report)
