"""Generated Python is formatted by the formatter that the project chooses, and by no configuration near it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from apigen.emit.formatting import FORMATTERS, Formatter, FormattingError, formatted, formatter_of
from apigen.emit.output import OutputFile, text_file

LONG = "value = call(first_argument_of_the_call, second_argument_of_the_call, third_argument_of_the_call)\n"
SPLIT = """\
value = call(
    first_argument_of_the_call, second_argument_of_the_call, third_argument_of_the_call
)
"""


def content(text: str, formatter: str, path: str = "a/b.py") -> str:
    (file,) = formatted([text_file(path, text)], formatter_of(formatter), {})
    assert file.path == path
    return file.content.decode()


@pytest.mark.parametrize(("formatter", "wanted"), [("ruff", SPLIT), ("black", SPLIT), ("none", LONG)])
def test_each_formatter(formatter: str, wanted: str) -> None:
    assert content(LONG, formatter) == wanted


@pytest.mark.parametrize("formatter", ["ruff", "black"])
def test_stub_files_are_formatted_as_stubs(formatter: str) -> None:
    text = "class A: ...\n\nclass B:\n    x: int\n"
    assert content(text, formatter, "scheme.pyi") == text
    assert content(text, formatter, "scheme.py") != text


def test_only_python_is_formatted_and_no_copied_source() -> None:
    files = [text_file("a.md", LONG), OutputFile("runtime/b.py", LONG.encode(), is_source=True)]
    assert formatted(files, formatter_of("ruff"), {}) == files


def test_known_files_start_no_formatter(monkeypatch: pytest.MonkeyPatch) -> None:
    file = text_file("a.py", LONG)
    monkeypatch.setattr(subprocess, "run", None)
    (found,) = formatted([file], formatter_of("ruff"), {file.digest: b"known"})
    assert found.content == b"known"


def test_equal_text_in_two_files() -> None:
    found = formatted([text_file("a.py", LONG), text_file("b.pyi", LONG)], formatter_of("ruff"), {})
    assert [file.content.decode() for file in found] == [SPLIT, SPLIT]


@pytest.mark.parametrize("formatter", ["ruff", "black"])
def test_configuration_of_the_user_has_no_effect(
    formatter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ruff.toml").write_text('line-length = 40\nextend-exclude = ["*.py"]\n')
    (tmp_path / "pyproject.toml").write_text("[tool.black]\nline-length = 40\n[tool.ruff]\nline-length = 40\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert content(LONG, formatter) == SPLIT


@pytest.mark.parametrize("formatter", ["ruff", "black"])
def test_code_that_is_not_python_is_an_error(formatter: str) -> None:
    with pytest.raises(FormattingError, match=formatter):
        content("def :\n", formatter)


def test_ruff_that_cannot_be_run_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruff.find_ruff_bin", lambda: "/nowhere/ruff")
    with pytest.raises(FormattingError, match="cannot be run"):
        content(LONG, "ruff")


def test_no_files_start_no_formatter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", None)
    assert formatted([], formatter_of("ruff"), {}) == []


def test_formatters_have_versions() -> None:
    assert [bool(formatter_of(name).version) for name in FORMATTERS] == [True, True, False]
    assert str(Formatter("none", "")) == "none"
