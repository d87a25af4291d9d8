"""The proof of every lens, run: its generated property tests pass, losses have counter-examples, nothing else is lost."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.generating import generate_package
from tests.lenses.test_lens_cases import folders
from tests.proofs import failures


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What the proof of each lens reports; empty if it holds."""
    root = tmp_path_factory.mktemp("proofs")
    packages = {folder.name: generate_package(folder / "specs", root) for folder in folders()}
    found = failures(root, packages.values())
    return {lens: found.get(package, "") for lens, package in packages.items()}


@pytest.mark.parametrize("lens", [folder.name for folder in folders()])
def test_proof(lens: str, reports: Mapping[str, str]) -> None:
    assert not reports[lens]
