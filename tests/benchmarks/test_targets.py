import pytest

from benchmarks.areas import AREAS
from benchmarks.targets import Result, Target, evaluate

BESIDE = Target("decode", "apigen/decode/{}", 2, "go/decode/{}", "Go", 1.5, ("pod", "hpa"))


def figures(pod: float, hpa: float) -> dict[str, float]:
    return {"apigen/decode/pod": pod, "go/decode/pod": 10, "apigen/decode/hpa": hpa, "go/decode/hpa": 10}


@pytest.mark.parametrize(
    ("pod", "hpa", "result", "missed"),
    [
        (15, 15, Result.STRETCHED, ()),
        (15, 20, Result.MET, ()),
        (15, 20.04, Result.MET, ()),
        (15, 20.1, Result.MISSED, ("hpa",)),
        (30, 21, Result.MISSED, ("pod", "hpa")),
    ],
)
def test_target_is_checked_for_all_of_its_objects(
    pod: float, hpa: float, result: Result, missed: tuple[str, ...]
) -> None:
    evaluated = evaluate(BESIDE, figures(pod, hpa))
    assert evaluated.result is result
    assert evaluated.missed == missed


def test_target_without_peer_figures_is_unmeasured() -> None:
    evaluated = evaluate(BESIDE, {"apigen/decode/pod": 1.0, "go/decode/pod": 1.0, "apigen/decode/hpa": 1.0})
    assert evaluated.result is Result.UNMEASURED
    assert evaluated.figures == {"pod": 1.0}


def test_target_is_missed_even_if_an_object_is_unmeasured() -> None:
    evaluated = evaluate(BESIDE, {"apigen/decode/pod": 3.0, "go/decode/pod": 1.0})
    assert evaluated.result is Result.MISSED


def test_absolute_bounds_are_counted_in_their_unit() -> None:
    evaluated = evaluate(Target("import", "apigen/import", 10, unit="ms", scale=1000), {"apigen/import": 0.011})
    assert evaluated.figures[""] == pytest.approx(11)
    assert evaluated.result is Result.MISSED


def test_bound_can_be_a_minimum() -> None:
    least = Target("lines", "apigen/lines", 30_000, stretch=60_000, at_least=True)
    assert evaluate(least, {"apigen/lines": 30_000}).result is Result.MET
    assert evaluate(least, {"apigen/lines": 61_000}).result is Result.STRETCHED
    assert evaluate(least, {"apigen/lines": 29_000}).result is Result.MISSED


def test_bound_can_be_zero() -> None:
    assert evaluate(Target("needless", "apigen/needless", 0), {"apigen/needless": 0}).result is Result.MET
    assert evaluate(Target("needless", "apigen/needless", 0), {"apigen/needless": 1}).result is Result.MISSED


def test_target_names_are_unique() -> None:
    for area in AREAS:
        targets = (*area.by_object, *area.targets)
        places = [(target.key, object_) for target in targets for object_ in target.objects]
        assert len(places) == len(set(places))
