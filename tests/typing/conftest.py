from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.generating import generate_package

SPECS = Path(__file__).resolve().parents[2] / "api-specs"
GROUPS = ("things.example.com", "kubernetes/networking.k8s.io", "kubernetes/core")
SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture(scope="package")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package `api`, which has its own run-time library, and the samples beside it."""
    folder = tmp_path_factory.mktemp("project")
    specs = folder / "specs"
    for group in GROUPS:
        shutil.copytree(SPECS / group, specs / Path(group).name)
    shutil.copy(SPECS / "features.yaml", specs)
    (folder / generate_package(specs, folder)).rename(folder / "api")
    shutil.rmtree(specs)
    for sample in SAMPLES.glob("*.py"):
        shutil.copy(sample, folder)
    return folder
