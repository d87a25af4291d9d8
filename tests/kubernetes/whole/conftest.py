"""All of Kubernetes, compiled once for all processes and all test runs with the same code."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.kubernetes.whole.building import CODECS, build_apart, key_of
from tests.kubernetes.whole.packing import PACKED, unpack
from tests.kubernetes.whole.releases import REFERENCE
from tests.kubernetes.whole.shared import ROOT

Built = Callable[[str], tuple[Path, Path]]

BUILT = ROOT / "build" / "kubernetes-tests"
DAY = 24 * 60 * 60


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Builds a release; returns where the package and the specs are. All backends for the release of the vectors."""
    base = tmp_path_factory.getbasetemp()
    locks = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kubernetes"
    code = key_of(ROOT / "api-specs" / "kubernetes").encode()

    def build_once(release: str) -> tuple[Path, Path]:
        packed = b"" if release == REFERENCE else (PACKED / f"{release}.tar.xz").read_bytes()
        folder = BUILT / f"{release}-{sha256(code + packed).hexdigest()[:16]}"
        if not folder.exists():
            _build(release, folder, locks / folder.name)
        return folder, ROOT / "api-specs" / "kubernetes" if release == REFERENCE else folder / "api-specs"

    return build_once


def _build(release: str, folder: Path, lock: Path) -> None:
    """Build a release into `folder`, which appears as a whole. Other processes of this test run wait for it."""
    try:
        lock.mkdir(parents=True)
    except FileExistsError:
        _wait_for(folder)
        return
    BUILT.mkdir(parents=True, exist_ok=True)
    for old in BUILT.iterdir():
        if time.time() - old.stat().st_mtime > DAY:
            shutil.rmtree(old, ignore_errors=True)
    with TemporaryDirectory(dir=BUILT) as aside:
        target = Path(aside, "built")
        target.mkdir()
        if release == REFERENCE:
            build_apart(ROOT / "api-specs" / "kubernetes", target)
        else:
            build_apart(unpack(release, target), target, CODECS)
        try:
            target.rename(folder)
        except OSError:  # another test run was faster
            if not folder.exists():
                raise


def _wait_for(folder: Path, seconds: float = 600) -> None:
    """Until another process has built it."""
    end = time.monotonic() + seconds
    while not folder.is_dir():
        assert time.monotonic() < end, f"{folder} did not appear: the process that builds it has failed"
        time.sleep(0.2)
