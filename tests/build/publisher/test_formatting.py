"""Generated Python is formatted by the formatter that the project chooses, and by no configuration near it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from apigen.codegen.formatting import FORMATTERS, Formatter, FormattingError, format_files, formatter_of
from apigen.codegen.output import OutputFile, text_file
from apigen.language import configuration

LONG = "value = call(first_argument_of_the_call, second_argument_of_the_call, third_argument_of_the_call)\n"
SPLIT = """\
value = call(
    first_argument_of_the_call, second_argument_of_the_call, third_argument_of_the_call
)
"""


def content(text: str, formatter: str, path: str = "a/b.py") -> str:
    (file,) = format_files([text_file(path, text)], formatter_of(formatter)).files
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


def test_only_generated_python_files_are_formatted() -> None:
    files = [text_file("a.md", LONG), OutputFile("runtime/b.py", LONG.encode(), is_source=True)]
    done = format_files(files, formatter_of("ruff"))
    assert done.files == tuple(files) and done.by_digest == {}


@pytest.mark.parametrize("known", [b"known", b""])
def test_cached_files_do_not_run_the_formatter(known: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    file = text_file("a.py", LONG)
    monkeypatch.setattr(subprocess, "run", None)
    done = format_files([file], formatter_of("ruff"), {file.digest: known, "of a removed file": b""})
    assert [each.content for each in done.files] == [known]
    assert done.by_digest == {file.digest: known}


def test_same_text_in_two_files() -> None:
    done = format_files([text_file("a.py", LONG), text_file("b.pyi", LONG)], formatter_of("ruff"))
    assert [file.content.decode() for file in done.files] == [SPLIT, SPLIT]
    assert len(done.by_digest) == 2


@pytest.mark.parametrize("formatter", ["ruff", "black"])
def test_user_configuration_is_ignored(formatter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ruff.toml").write_text('line-length = 40\nextend-exclude = ["*.py"]\n')
    (tmp_path / "pyproject.toml").write_text("[tool.black]\nline-length = 40\n[tool.ruff]\nline-length = 40\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert content(LONG, formatter) == SPLIT


def test_ruff_environment_variables_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ruff.toml").write_text("line-length = 40\n")
    for name, value in {
        "RUFF_CONFIG": str(tmp_path / "ruff.toml"),
        "RUFF_OUTPUT_FORMAT": "nonsense",
        "RUFF_OUTPUT_FILE": str(tmp_path / "output"),
        "RUFF_NO_CACHE": "nonsense",
        "RUFF_CACHE_DIR": str(tmp_path / "cache"),
        "ruff_line_length": "40",
    }.items():
        monkeypatch.setenv(name, value)
    assert content(LONG, "ruff") == SPLIT
    assert [path.name for path in tmp_path.iterdir()] == ["ruff.toml"]


def test_ruff_error_is_shortened_to_its_first_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "ruff"
    program.write_text("#!/bin/sh\nprintf '\\nunknown option \\377\\n\\nUsage: ruff\\n' >&2\nexit 2\n")
    program.chmod(0o755)
    monkeypatch.setattr("ruff.find_ruff_bin", lambda: str(program))
    with pytest.raises(FormattingError, match=r"^ruff failed with exit code 2: unknown option \ufffd$"):
        content(LONG, "ruff")
    program.write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(FormattingError, match=r"^ruff failed with exit code 3$"):
        content(LONG, "ruff")


def test_error_of_ruff_is_without_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLICOLOR_FORCE", "1")
    with pytest.raises(FormattingError, match=r"^ruff failed with exit code 2: error: Failed to parse"):
        content("def :\n", "ruff")


@pytest.mark.parametrize("formatter", ["ruff", "black"])
def test_code_that_is_not_python_is_an_error(formatter: str) -> None:
    with pytest.raises(FormattingError, match=formatter):
        content("def :\n", formatter)


def test_ruff_that_cannot_be_run_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruff.find_ruff_bin", lambda: "/nowhere/ruff")
    with pytest.raises(FormattingError, match="cannot be run"):
        content(LONG, "ruff")


def test_formatter_does_not_run_without_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apigen.codegen.formatting.FORMATTERS", {})
    assert format_files([text_file("a.md", LONG)], formatter_of("ruff")).by_digest == {}


def test_formatters_match_the_configuration() -> None:
    assert tuple(FORMATTERS) == configuration.FORMATTERS


def test_formatters_have_versions() -> None:
    assert [bool(formatter_of(name).version) for name in FORMATTERS] == [True, True, False]
    assert str(Formatter("none", "")) == "none"
