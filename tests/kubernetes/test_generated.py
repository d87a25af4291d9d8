"""The package in the repository is what the specs give."""

from __future__ import annotations

from apigen.codegen.formatting import format_files, formatter_of
from apigen.codegen.pipeline import generate
from tests.this_project import ROOT, backend_input

GENERATED = ROOT / "generated"
MANIFEST = ".apigen-manifest.json"
"""What runs keep for themselves."""


def test_committed_package_is_the_output_of_the_specs() -> None:
    fresh = {
        file.path: file.content for file in format_files(list(generate(backend_input())), formatter_of("ruff")).files
    }
    written = {
        path.relative_to(GENERATED).as_posix(): path
        for path in GENERATED.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != MANIFEST
    }
    assert sorted(written) == sorted(fresh)
    assert [name for name, path in written.items() if path.read_bytes() != fresh[name]] == []
