"""Black accepts what ruff makes of generated modules: a test for each folder of the output, as Black is slow."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import black
import pytest

from apigen.codegen.formatting import format_files, formatter_of
from apigen.codegen.pipeline import generate
from tests.this_project import compilation

FOLDERS = (
    "",
    "apps",
    "autoscaling",
    "core",
    "extensions",
    "flowcontrol_apiserver_k8s_io",
    "meta",
    "networking_k8s_io",
    "tests",
    "things_example_com",
)
BY_HAND = "runtime"
"""What is copied as people wrote it, in lines of 120."""


@cache
def modules() -> Mapping[str, str]:
    """The text of every generated module, by path."""
    files = format_files(list(generate(compilation())), formatter_of("ruff")).files
    return {file.path: file.content.decode() for file in files if file.path.endswith((".py", ".pyi"))}


def folder_of(path: str) -> str:
    return path.partition("/")[0] if "/" in path else ""


def test_every_folder_is_looked_at() -> None:
    assert {folder_of(path) for path in modules()} == {*FOLDERS, BY_HAND}


@pytest.mark.parametrize("folder", FOLDERS)
def test_black_has_nothing_to_do(folder: str) -> None:
    ugly = []
    for path, text in modules().items():
        if folder_of(path) == folder:
            mode = black.Mode(is_pyi=path.endswith(".pyi"))
            if black.format_str(text, mode=mode) != text:
                ugly.append(path)
    assert ugly == []
