"""A gate that is disabled in all releases lowers the severity of a change; otherwise it does not."""

from __future__ import annotations

import pytest

from apigen.ir.model import Feature
from apigen.ir.surface import Scalar, Scalars, Surface
from apigen.review.mitigations import gate_disabled
from apigen.review.results import Direction, Severity
from tests.review.mitigations.building import considered, field, gate, struct, surface, version

INT = Scalar(Scalars.INT32)
ALPHA = gate("Wide", "1.10 alpha off")


def side(*gates: Feature, at: str | None = "1.12", marked: tuple[str, ...] = ("Wide",), text: bool = True) -> Surface:
    width = field("width", gates=marked) if text else field("width", INT, gates=marked)
    return surface(version(struct("Thing", width)), gates=gates, at=at)


def test_gate_disabled_on_both_sides_applies() -> None:
    found = considered(gate_disabled, side(ALPHA, at="1.11"), side(ALPHA, text=False), ".width")
    assert found is not None and found.holds
    assert found.softens == frozenset(Direction) and not found.clears and found.at_most is Severity.WARNING
    assert found.reason == "`Wide` is disabled by default in both releases and all earlier ones"


def test_future_stage_is_ignored() -> None:
    planned = gate("Wide", "1.10 alpha off", "1.13 beta on")
    found = considered(gate_disabled, side(planned, at="1.11"), side(planned, text=False), ".width")
    assert found is not None and found.holds


def test_all_stages_are_considered_without_a_release() -> None:
    planned = gate("Wide", "1.10 alpha off", "1.13 beta on")
    found = considered(gate_disabled, side(planned, at=None), side(planned, at=None, text=False), ".width")
    assert found is not None and not found.holds
    assert found.reason == "`Wide` is enabled by default since 1.13"


@pytest.mark.parametrize(
    ("gates", "reason"),
    [
        ((gate("Wide", "1.10 alpha off", "1.12 beta on"),), "`Wide` is enabled by default since 1.12"),
        ((gate("Wide", "1.10 beta on", "1.11 beta off"),), "`Wide` is enabled by default since 1.10"),
        ((), "the stages of `Wide` are unknown"),
    ],
)
def test_enabled_or_unknown_gate_does_not_apply(gates: tuple[Feature, ...], reason: str) -> None:
    found = considered(gate_disabled, side(*gates, at="1.12"), side(*gates, text=False), ".width")
    assert found is not None and not found.holds
    assert found.reason == reason


def test_gate_on_one_side_does_not_apply() -> None:
    found = considered(gate_disabled, side(ALPHA, at="1.11", marked=()), side(ALPHA, marked=("Wide",)), ".width")
    assert found is not None and not found.holds
    assert "the base has no feature gate on" in found.reason


def test_gate_without_drop_does_not_apply() -> None:
    old, new = (
        surface(version(struct("Thing", field("width", of, gates=("Wide",), dropped=False))), gates=(ALPHA,), at="1.12")
        for of in (Scalar(Scalars.STRING), INT)
    )
    found = considered(gate_disabled, old, new, ".width")
    assert found is not None and not found.holds and "does not drop the element" in found.reason


def test_all_paths_to_a_type_must_be_gated() -> None:
    def nested(*others: str, text: bool) -> Surface:
        inner = struct("Inner", field("a") if text else field("a", INT))
        root = struct("Thing", field("inner", "Inner", gates=("Wide",)), *(field(o, "Inner", number=2) for o in others))
        return surface(version(root, inner), gates=(ALPHA,), at="1.12")

    found = considered(gate_disabled, nested(text=True), nested(text=False), ".a")
    assert found is not None and found.holds and "every field that uses `Inner`" in found.reason
    assert considered(gate_disabled, nested("open", text=True), nested("open", text=False), ".a") is None


def test_one_disabled_gate_of_several_applies() -> None:
    gates = (ALPHA, gate("Long", "1.10 ga on locked"))
    old, new = side(*gates, marked=("Long", "Wide")), side(*gates, marked=("Long", "Wide"), text=False)
    found = considered(gate_disabled, old, new, ".width")
    assert found is not None and found.holds


def test_addition_is_evaluated_on_the_revision() -> None:
    found = considered(gate_disabled, surface(version(struct("Thing"))), side(ALPHA), ".width")
    assert found is not None and found.holds


def test_removal_is_evaluated_on_the_base() -> None:
    found = considered(gate_disabled, side(ALPHA), surface(version(struct("Thing"))), ".width")
    assert found is not None and found.holds


def test_ungated_field_is_not_considered() -> None:
    assert considered(gate_disabled, side(marked=()), side(marked=(), text=False), ".width") is None
