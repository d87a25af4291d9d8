"""All of Kubernetes, compiled once for all processes of a test run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kubernetes.whole.building import CODECS, build_apart
from tests.kubernetes.whole.packing import unpack
from tests.kubernetes.whole.releases import REFERENCE
from tests.kubernetes.whole.shared import ROOT

Built = Callable[[str], tuple[Path, Path]]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Builds a release; returns where the package and the specs are. All backends for the release of the vectors."""
    base = tmp_path_factory.getbasetemp()
    root = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kubernetes"

    def build_once(release: str) -> tuple[Path, Path]:
        folder = root / release
        specs = ROOT / "api-specs" / "kubernetes" if release == REFERENCE else folder / "api-specs"
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            _wait_for(folder / "cost.json")
            return folder, specs
        if release == REFERENCE:
            build_apart(specs, folder)
        else:
            build_apart(unpack(release, folder), folder, CODECS)
        return folder, specs

    return build_once


def _wait_for(file: Path, seconds: float = 600) -> None:
    """Until another process has built it."""
    end = time.monotonic() + seconds
    while not file.is_file():
        assert time.monotonic() < end, f"{file} did not appear: the process that builds it has failed"
        time.sleep(0.2)
