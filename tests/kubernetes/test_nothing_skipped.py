"""No test against Kubernetes may be skipped, or be expected to fail: its data is part of this project."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
NEEDS_SHARED = {"test_manual.py"}
"""Part of it compares with notes that lie next to the project; CI has them, and lets nothing be skipped."""
FILES = sorted(
    file
    for folder in ("facts", "kubernetes", "runtime")
    for file in (TESTS / folder).glob("*.py")
    if file.name not in NEEDS_SHARED
)
WAYS_OUT = {"skip", "skipif", "xfail", "importorskip", "SkipTest"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_skip_and_xfail_are_not_used(file: Path) -> None:
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    names |= {node.id for node in nodes if isinstance(node, ast.Name)}
    assert not names & WAYS_OUT


def test_test_files_exist() -> None:
    assert len([file for file in FILES if file.name.startswith("test_")]) >= 20
