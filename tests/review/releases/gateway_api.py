"""The 20 steps of the two channels of gateway-api, from the releases that is next to the project; `../shared` may be absent."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

_BESIDE = Path(__file__).resolve().parents[4] / "shared"
ARCHIVE = Path(os.environ.get("APIGEN_SHARED", _BESIDE)) / "peers" / "releases" / "gateway-api.tar.xz"

CHANNELS = ("standard", "experimental")
RELEASES = (
    "v0.5.1",
    "v0.6.2",
    "v0.7.1",
    "v0.8.1",
    "v1.0.0",
    "v1.1.1",
    "v1.2.1",
    "v1.3.0",
    "v1.4.1",
    "v1.5.1",
    "v1.6.1",
)


def steps() -> Iterator[tuple[str, str]]:
    """Both folders of each step, below the folder that `unpacked` returns."""
    for channel in CHANNELS:
        for old, new in pairwise(RELEASES):
            yield f"gateway-api/{channel}/{old}", f"gateway-api/{channel}/{new}"


def unpacked(folder: Path) -> Path:
    """Unpack the releases into a folder, which is returned."""
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder
