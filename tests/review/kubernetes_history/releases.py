"""The specs of five releases, all imported from their Go sources by one version of the importer.

Nothing is added by hand, except for a features.yaml that names the release series `kubernetes` and its release.
"""

from __future__ import annotations

import io
import lzma
import tarfile
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.inputs.source import Setting
from apigen.ir.surface import Surface
from apigen.review.sources.loading import load

PACKED = Path(__file__).resolve().parents[2] / "data" / "kubernetes" / "history"
RELEASES = ("v0.33.0", "v0.34.0", "v0.35.0", "v0.36.6", "v0.37.2")
STEPS = tuple(pairwise(RELEASES))
"""What is compared: each release with the one before."""


def unpack(release: str, folder: Path) -> Path:
    """The specs of a release, below a folder."""
    specs = folder / release
    with lzma.open(PACKED / f"{release}.tar.xz") as data, tarfile.open(fileobj=data) as archive:
        archive.extractall(specs, filter="data")
    return specs


def pack(specs: Path, release: str) -> None:
    """Write the archive of a release: the same bytes for the same specs."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(specs.rglob("*.yaml")):
            content = path.read_bytes()
            entry = tarfile.TarInfo(path.relative_to(specs).as_posix())
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    PACKED.mkdir(parents=True, exist_ok=True)
    (PACKED / f"{release}.tar.xz").write_bytes(lzma.compress(data.getvalue(), preset=9))


@cache
def surface(release: str) -> Surface:
    """The surface of a release."""
    report = Report()
    with TemporaryDirectory() as folder:
        found = load(str(unpack(release, Path(folder))), Setting(Path(folder)), report)
    assert found is not None, render(report.diagnostics)
    return found
