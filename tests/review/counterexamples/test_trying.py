"""What the default of a field behind a gate that is off adds, and the gate drops from a request, is no loss to who sent it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apigen.review.counterexamples.outcome import OutcomeKind
from apigen.review.counterexamples.running import DroppedError, Kind, Server
from apigen.review.counterexamples.trying import Trial
from apigen.review.results import Direction, Side
from tests.review.cases import GROUP
from tests.review.counterexamples.serving import server_of

THING = Kind(GROUP, "Thing")
GATE = {"Shiny": {"owner": "x", "stages": [{"release": "1.4", "stage": "alpha"}]}}
GATED = {"type": "string", "optional": True, "default": "plain", "featureGate": "Shiny", "protobuf": 2}
PLAIN = {"type": "string", "optional": True, "protobuf": 2}


def specs(**finish: Any) -> dict[str, Any]:
    """A kind with a map of parts, which have a size and perhaps a finish."""
    parts = {"type": "map[string]Part", "optional": True, "protobuf": 1}
    size = {"type": "string", "optional": True, "protobuf": 1}
    fields = {"size": size, **({"finish": finish} if finish else {})}
    return {"types": {"Thing": {"fields": {"parts": parts}}, "Part": {"fields": fields}}, "features": GATE}


@pytest.fixture
def gated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server that has the finish, with its default, behind a gate that is off."""
    return server_of(specs(**GATED), tmp_path / "gated", monkeypatch)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server without the finish."""
    return server_of(specs(), tmp_path / "bare", monkeypatch)


@pytest.fixture
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server that has the finish for everybody."""
    return server_of(specs(**PLAIN), tmp_path / "plain", monkeypatch)


def thing(**parts: dict[str, str]) -> Any:
    return {"apiVersion": f"{GROUP}/v1", "kind": "Thing", "parts": parts}


def test_drop_of_own_default_is_no_counterexample(gated: Server) -> None:
    trial = Trial((gated, gated), THING, thing(lid={"size": "1"}), Side.OLD)
    assert not any(trial.outcome(direction).shows for direction in Direction)


@pytest.mark.parametrize("first", [{}, {"box": {"size": "1"}}], ids=["none before", "one before"])
def test_update_that_adds_a_struct_loses_nothing_on_server(gated: Server, bare: Server, first: Any) -> None:
    sides = gated, bare
    one, two = (Trial(sides, THING, thing(**parts), Side.NEW) for parts in (first, {**first, "lid": {"size": "1"}}))
    assert one.updated(two).outcome_kind is OutcomeKind.UNCHANGED


def test_update_that_adds_a_struct_loses_nothing_on_own_side(gated: Server) -> None:
    one, two = (Trial((gated, gated), THING, thing(**parts), Side.OLD) for parts in ({}, {"lid": {"size": "1"}}))
    assert one.updated(two).outcome_kind is OutcomeKind.UNCHANGED


def test_update_loses_field_behind_a_disabled_gate(gated: Server, plain: Server) -> None:
    one, two = (Trial((plain, gated), THING, thing(**parts), Side.OLD) for parts in ({}, {"lid": {"finish": "matt"}}))
    outcome = one.updated(two)
    assert outcome.outcome_kind is OutcomeKind.REJECTED
    assert outcome.text == "an update is rejected: parts[lid].finish: dropped because the Shiny feature is disabled"


def test_field_dropped_from_own_update_is_no_counterexample(
    plain: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_updates = {**PLAIN, "featureGate": {"gate": "Shiny", "during": ["update"]}}
    own = server_of(specs(**in_updates), tmp_path / "own", monkeypatch)
    states = thing(), thing(lid={"finish": "matt"})
    one, two = (Trial((own, plain), THING, state, Side.OLD) for state in states)
    outcome = one.updated(two)
    assert outcome.outcome_kind is OutcomeKind.NOT_VALID and "Shiny" in outcome.text


def test_field_dropped_from_own_request_is_no_counterexample(gated: Server, plain: Server) -> None:
    with pytest.raises(DroppedError, match="Shiny"):
        Trial((gated, plain), THING, thing(lid={"finish": "matt"}), Side.OLD)


def test_default_is_applied_again_on_read(gated: Server, plain: Server) -> None:
    trial = Trial((gated, plain), THING, thing(lid={}), Side.OLD)
    assert trial.outcome(Direction.OLD_CLIENT).text == 'parts.lid.finish is lost; it was "plain"'
