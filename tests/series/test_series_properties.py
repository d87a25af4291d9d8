"""With two series at random releases, nothing of one changes with the release of the other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigen.runtime.features import FeatureGate, Features, FeatureStage
from apigen.runtime.kinds import KindVersion
from apigen.runtime.lifecycle import served, stored

minors = st.integers(0, 12)
STAGES = ("alpha", "beta", "ga")


def release(minor: int) -> str:
    return f"1.{minor}"


@st.composite
def gates(draw: st.DrawFn, series: str) -> list[FeatureGate]:
    found = []
    for number in range(draw(st.integers(0, 3))):
        begun = sorted(draw(st.lists(minors, min_size=1, max_size=3, unique=True)))
        stages = tuple(
            FeatureStage(release(at), stage, draw(st.booleans())) for at, stage in zip(begun, STAGES, strict=False)
        )
        removed = release(begun[-1] + 1) if draw(st.booleans()) else None
        found.append(FeatureGate(f"{series or 'Own'}{number}", stages, (), removed, series))
    return found


@st.composite
def versions(draw: st.DrawFn, series: str) -> list[KindVersion]:
    found = []
    for number in range(1, draw(st.integers(2, 4))):
        introduced = draw(minors)
        found.append(
            KindVersion(
                group=series or "own",
                version=f"v{number}",
                kind="A",
                package="p",
                functions="a",
                hub="h",
                storage=number == 1,
                introduced=release(introduced),
                removed=release(introduced + draw(st.integers(1, 9))),
                series=series,
            )
        )
    return found


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[FeatureGate], list[KindVersion], list[KindVersion]]:
    return draw(gates("")) + draw(gates("other")), draw(versions("")), draw(versions("other"))


def seen(features: Features, names: list[str], kind: list[KindVersion]) -> tuple[object, ...]:
    """Everything that features tell of the gates and versions of one series."""
    of_gates = [(features.enabled(name), features.stage(name), features.settable(name)) for name in names]
    chosen = stored(kind, features)
    return of_gates, [v.version for v in served(kind, features)], chosen and chosen.version


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(worlds(), minors, minors, minors)
def test_series_do_not_depend_on_each_other(
    world: tuple[list[FeatureGate], list[KindVersion], list[KindVersion]], own: int, other: int, another: int
) -> None:
    table, mine, theirs = world
    my_gates = [gate.name for gate in table if not gate.series]
    their_gates = [gate.name for gate in table if gate.series]
    one = Features(table, release(own), series={"other": release(other)})
    two = Features(table, release(own), series={"other": release(another)})
    three = Features(table, release(another), series={"other": release(other)})
    assert seen(one, my_gates, mine) == seen(two, my_gates, mine)
    assert seen(one, their_gates, theirs) == seen(three, their_gates, theirs)
    for at in range(14):
        assert one.at_least(release(at)) == (own >= at) == two.at_least(release(at))
        assert one.at_least(release(at), "other") == (other >= at) == three.at_least(release(at), "other")
    two.emulate(release(own), series={"other": release(other)})
    assert list(two) == list(one)
