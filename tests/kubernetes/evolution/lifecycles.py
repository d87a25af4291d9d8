"""Lifecycles of kinds, and the versions in which they are stored."""

from __future__ import annotations

from pathlib import Path

from tests.kubernetes.evolution.section import Report
from tests.kubernetes.lifecycles import NEWEST_OF_STORAGE, Compared, api_of, lifecycles_of, storage_of
from tests.kubernetes.whole.packing import unpack
from tests.kubernetes.whole.releases import REFERENCE
from tests.kubernetes.whole.shared import ROOT


def report(folder: Path) -> Report:
    """Both comparisons."""
    compared = [
        lifecycles_of(api_of(ROOT / "api-specs" / "kubernetes"), REFERENCE),
        storage_of(api_of(unpack(NEWEST_OF_STORAGE, folder))),
    ]
    problems = tuple(f"{one.what}: {difference}" for one in compared for difference in one.differences)
    return Report(tuple(map(_line, compared)), problems)


def _line(compared: Compared) -> str:
    known = f", {compared.known} differ on purpose" if compared.known else ""
    return f"{compared.what}: {compared.agreed:,} of {compared.total:,} agree{known}; doing nothing: {compared.idle:,}"
