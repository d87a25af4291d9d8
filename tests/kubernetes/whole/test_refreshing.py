"""The committed specs of Kubernetes are what an import of its Go modules gives."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.inputs.go.kubernetes_modules import API, MACHINERY, module
from tests.inputs.go.modules import MissingModule
from tests.kubernetes.whole.packing import packed_releases, unpack
from tests.kubernetes.whole.refreshing import COMMITTED, import_into
from tests.kubernetes.whole.releases import REFERENCE


def committed_specs(release: str, folder: Path) -> Path:
    """A copy of the specs of a release, below `folder`."""
    if release != REFERENCE:
        return unpack(release, folder)
    return Path(shutil.copytree(COMMITTED, folder / "api-specs"))


@pytest.mark.slow
@pytest.mark.parametrize("release", [REFERENCE, *packed_releases()])
def test_import_changes_no_committed_spec(release: str, tmp_path: Path) -> None:
    """`make kubernetes` leaves the working tree clean; if this fails, run it and commit what it changed."""
    api, machinery = module(API, release), module(MACHINERY, release)
    for found in (api, machinery):
        if isinstance(found, MissingModule):
            pytest.skip(f"the Go modules of {release} are not available: {found}")
    assert not isinstance(api, MissingModule)
    assert not isinstance(machinery, MissingModule)
    assert not import_into(committed_specs(release, tmp_path), release, api.folder, machinery.folder)
