import pytest

from benchmarks.areas import AREAS
from benchmarks.targets import Target, Verdict, judge

BESIDE = Target("decode", "apigen/decode/{}", 2, "go/decode/{}", "Go", 1.5, ("pod", "hpa"))


def figures(pod: float, hpa: float) -> dict[str, float]:
    return {"apigen/decode/pod": pod, "go/decode/pod": 10, "apigen/decode/hpa": hpa, "go/decode/hpa": 10}


@pytest.mark.parametrize(
    ("pod", "hpa", "verdict", "missed"),
    [
        (15, 15, Verdict.STRETCHED, ()),
        (15, 20, Verdict.MET, ()),
        (15, 20.04, Verdict.MET, ()),
        (15, 20.1, Verdict.MISSED, ("hpa",)),
        (30, 21, Verdict.MISSED, ("pod", "hpa")),
    ],
)
def test_target_is_checked_for_all_of_its_objects(
    pod: float, hpa: float, verdict: Verdict, missed: tuple[str, ...]
) -> None:
    judged = judge(BESIDE, figures(pod, hpa))
    assert judged.verdict is verdict
    assert judged.missed == missed


def test_target_without_peer_figures_is_unmeasured() -> None:
    judged = judge(BESIDE, {"apigen/decode/pod": 1.0, "go/decode/pod": 1.0, "apigen/decode/hpa": 1.0})
    assert judged.verdict is Verdict.UNMEASURED
    assert judged.figures == {"pod": 1.0}


def test_target_is_missed_even_if_an_object_is_unmeasured() -> None:
    judged = judge(BESIDE, {"apigen/decode/pod": 3.0, "go/decode/pod": 1.0})
    assert judged.verdict is Verdict.MISSED


def test_absolute_bounds_are_counted_in_their_unit() -> None:
    judged = judge(Target("import", "apigen/import", 10, unit="ms", scale=1000), {"apigen/import": 0.011})
    assert judged.figures[""] == pytest.approx(11)
    assert judged.verdict is Verdict.MISSED


def test_bound_can_be_a_minimum() -> None:
    least = Target("lines", "apigen/lines", 30_000, stretch=60_000, at_least=True)
    assert judge(least, {"apigen/lines": 30_000}).verdict is Verdict.MET
    assert judge(least, {"apigen/lines": 61_000}).verdict is Verdict.STRETCHED
    assert judge(least, {"apigen/lines": 29_000}).verdict is Verdict.MISSED


def test_bound_can_be_zero() -> None:
    assert judge(Target("needless", "apigen/needless", 0), {"apigen/needless": 0}).verdict is Verdict.MET
    assert judge(Target("needless", "apigen/needless", 0), {"apigen/needless": 1}).verdict is Verdict.MISSED


def test_target_names_are_unique() -> None:
    for area in AREAS:
        targets = (*area.by_object, *area.targets)
        places = [(target.key, object_) for target in targets for object_ in target.objects]
        assert len(places) == len(set(places))
