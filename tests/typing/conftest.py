from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from apigen.codegen.pipeline import Sources
from tests.generating import generate_from

SPECS = Path(__file__).resolve().parents[2] / "api-specs"
GROUP = "things.example.com"
KINDS = ("Ingress.networking.k8s.io", "IngressClass", "ConfigMap")
SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture(scope="package")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package `api`, which has its own run-time library, and the samples next to it."""
    folder = tmp_path_factory.mktemp("project")
    specs = folder / "specs"
    shutil.copytree(SPECS / GROUP, specs / GROUP)
    shutil.copy(SPECS / "features.yaml", specs)
    (folder / generate_from(Sources(specs, None, specs, (GROUP,), kinds=KINDS), folder)).rename(folder / "api")
    shutil.rmtree(specs)
    for sample in SAMPLES.glob("*.py"):
        shutil.copy(sample, folder)
    return folder
