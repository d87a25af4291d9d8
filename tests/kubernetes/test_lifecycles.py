"""Lifecycles and storage versions agree with what Kubernetes' own code says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kubernetes.lifecycles import KNOWN, api_of, lifecycles_of, storage_of
from tests.kubernetes.whole.packing import unpack

ROOT = Path(__file__).resolve().parents[2]


def test_lifecycles_of_the_reference_release() -> None:
    compared = lifecycles_of(api_of(ROOT / "api-specs" / "kubernetes"), "v0.36.6")
    assert compared.differences == ()
    assert (compared.agreed, compared.known, compared.total) == (1187, len(KNOWN), 1192)
    assert compared.idle == 481


@pytest.mark.slow
def test_storage_versions_of_every_emulated_release(tmp_path: Path) -> None:
    compared = storage_of(api_of(unpack("v0.37.2", tmp_path)))
    assert compared.differences == ()
    assert compared.agreed == compared.total > 10_000
    assert compared.idle < compared.total
