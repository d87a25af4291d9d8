"""Conversions and defaults of the kinds that the vectors omit: random objects, run through the code of Kubernetes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.kubernetes.records import DATA, conversions, defaultings
from tests.kubernetes.whole.building import load
from tests.kubernetes.whole.conftest import Built
from tests.kubernetes.whole.outcomes import count
from tests.kubernetes.whole.releases import REFERENCE
from tests.kubernetes.whole.vectors import Vectors

MORE = DATA / "more-vectors"
FILES = [
    (what, path.name.removesuffix(".jsonl.gz"))
    for what in ("conversions", "defaults")
    for path in sorted((MORE / what).glob("*.jsonl.gz"))
]


@pytest.mark.parametrize(("what", "group"), FILES)
def test_more_vectors(built: Built, what: str, group: str, record_property: Callable[[str, object], None]) -> None:
    vectors = Vectors(load(built(REFERENCE)[0]), MORE)
    outcomes = list(getattr(vectors, what)(group))
    found = count(outcomes)
    record_property("vectors", [what, f"{group} (more)", found.total, found.agree, found.by_nothing])
    wrong = [f"{outcome.name}: {outcome.problem}" for outcome in outcomes if outcome.problem]
    assert outcomes
    assert not wrong, f"{len(wrong)} of {len(outcomes)} records\n" + "\n".join(wrong[:20])


def test_number_of_records() -> None:
    """Exact numbers, so that a missing record fails the test."""
    assert (len(conversions(MORE)), len(defaultings(MORE))) == (1064, 342)
    assert len({str(record) for record in (*conversions(MORE), *defaultings(MORE))}) == 1064 + 342
