"""A review calls no change of a CRD safe for which the engine rejects an object of the base."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.review.pipeline.pairs import tried

PAIRS = 150
"""`make diff-proof` tries many more."""


@pytest.mark.slow
def test_change_that_rejects_objects_is_never_safe(tmp_path: Path) -> None:
    found = tried(range(PAIRS), tmp_path)
    assert found.rejecting > PAIRS // 10
    assert not found.unsound
