"""Black accepts what ruff makes of generated modules: of those of one name, which one backend writes, the largest."""

from __future__ import annotations

from pathlib import PurePosixPath

import black
import pytest

from apigen.codegen.formatting import format_files, formatter_of
from apigen.codegen.pipeline import generate
from tests.this_project import backend_input

BY_HAND = "runtime"
"""What is copied as people wrote it, in lines of 120."""


def largest_modules() -> dict[str, str]:
    """The text of the largest generated module of each name, by name; Black is too slow for all."""
    found: dict[str, str] = {}
    for file in format_files(list(generate(backend_input())), formatter_of("ruff")).files:
        path = PurePosixPath(file.path)
        if path.suffix in (".py", ".pyi") and path.parts[0] != BY_HAND:
            found[path.name] = max(found.get(path.name, ""), file.content.decode(), key=len)
    return found


@pytest.mark.slow(one_in=16)
def test_black_makes_no_changes() -> None:
    modules = largest_modules()
    assert {
        "types.py",
        "conversions.py",
        "defaults.py",
        "json_codec.py",
        "validation.py",
        "scheme.py",
    } <= modules.keys()
    ugly = [
        name
        for name, text in modules.items()
        if black.format_str(text, mode=black.Mode(is_pyi=name.endswith(".pyi"))) != text
    ]
    assert ugly == []
