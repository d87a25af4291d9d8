"""The package in the repository is what the specs give."""

from __future__ import annotations

from tests.kubernetes.compiling import ROOT, output

GENERATED = ROOT / "generated"


def test_committed_package_is_the_output_of_the_specs() -> None:
    written = {path.relative_to(GENERATED).as_posix(): path for path in GENERATED.rglob("*") if path.is_file()}
    fresh = output()
    assert {path for path, content in fresh.items() if written[path].read_bytes() != content} == set()
