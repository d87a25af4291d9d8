"""The formats of strings: the answers of kube-apiserver."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apigen.runtime.structural.engine import Structural
from tests.yaml_files import read_yaml

ANSWERS: dict[str, Any] = read_yaml(Path(__file__).with_name("formats.yaml").read_text(encoding="utf-8"))


def _is_valid(format_: str, text: str) -> bool:
    return not Structural({"type": "string", "format": format_}).checked(text)


@pytest.mark.parametrize("format_", ANSWERS)
def test_formats_are_those_of_the_api_server(format_: str) -> None:
    answers = ANSWERS[format_]
    assert [text for text in answers.get("valid", ()) if not _is_valid(format_, text)] == []
    assert [text for text in answers.get("invalid", ()) if _is_valid(format_, text)] == []


def test_unknown_formats_accept_every_string() -> None:
    assert _is_valid("mine", "x") and _is_valid("Date", "x")
