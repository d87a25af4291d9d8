"""The proof of every lens, run: its generated property tests pass, losses have counterexamples, nothing else is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generating import generate_package
from tests.lenses.test_lens_cases import folders
from tests.proofs import failures
from tests.share import share

PARTS = 4
"""Processes that run the proofs: each has the packages of some lenses, and workers of pytest share the work."""


@pytest.mark.parametrize("part", range(PARTS))
def test_proofs(part: int, tmp_path: Path) -> None:
    lenses = {generate_package(folder / "specs", tmp_path): folder.name for folder in share(folders(), 12)[part::PARTS]}
    found = failures(tmp_path, lenses)
    assert {lenses[package]: report for package, report in found.items()} == {}
