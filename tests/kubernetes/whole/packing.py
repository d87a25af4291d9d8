"""Specs of releases that are test data: one compressed archive each, the same bytes for the same specs."""

from __future__ import annotations

import io
import lzma
import tarfile
from pathlib import Path

PACKED = Path(__file__).resolve().parents[2] / "data" / "kubernetes" / "specs"


def pack(specs: Path, release: str) -> Path:
    """Write the archive of a release; returns where it is."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(specs.rglob("*.yaml")):
            if ".imported" in path.parts:
                continue
            content = path.read_bytes()
            entry = tarfile.TarInfo(path.relative_to(specs).as_posix())
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    target = PACKED / f"{release}.tar.xz"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(lzma.compress(data.getvalue(), preset=9))
    return target


def unpack(release: str, folder: Path) -> Path:
    """The specs of a release, below `folder`. Raises FileNotFoundError for one that is not packed."""
    specs = folder / "api-specs"
    with lzma.open(PACKED / f"{release}.tar.xz") as data, tarfile.open(fileobj=data) as archive:
        archive.extractall(specs, filter="data")
    return specs


def packed_releases() -> tuple[str, ...]:
    """The releases that have an archive, oldest first."""
    return tuple(sorted(path.name.removesuffix(".tar.xz") for path in PACKED.glob("*.tar.xz")))
