"""Colors, `--quiet`, completion, and suggestions for misspelled files and versions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from apigen.cli.commands import COMMANDS
from apigen.cli.main import main
from apigen.diagnostics.suggest import nearest_file

GROUP = """
group: things.example.com
versions: {v1: {storage: true}}
kinds: {Thing: {scope: Cluster, plural: things, list: false}}
"""
GOOD = "types: {Thing: {fields: {size: {type: int32}}}}\n"
BAD = "types: {Thing: {fields: {size: {typ: int32}}}}\n"


def lint(folder: Path, types: str, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    group = folder / "specs" / "things.example.com"
    group.mkdir(parents=True, exist_ok=True)
    (group / "group.yaml").write_text(GROUP)
    (group / "v1.yaml").write_text(types)
    main(["lint", "--specs", str(folder / "specs"), *words])
    return capsys.readouterr().out


def test_color_follows_option_terminal_and_environment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b[1;31merror AG0201\x1b[0m" in lint(tmp_path, BAD, capsys, "--color", "always")
    assert "\x1b" not in lint(tmp_path, BAD, capsys)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert "\x1b" in lint(tmp_path, BAD, capsys)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in lint(tmp_path, BAD, capsys)


@pytest.mark.slow
def test_quiet_omits_summaries_and_keeps_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no findings in 1 group, 1 version, 1 type, 1 field" in lint(tmp_path, GOOD, capsys)
    assert lint(tmp_path, GOOD, capsys, "--quiet") == ""
    assert "1 error" in lint(tmp_path, BAD, capsys)
    quiet = lint(tmp_path, BAD, capsys, "-q")
    assert "error AG0201" in quiet
    assert "1 error" not in quiet


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_has_every_command_and_is_valid(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = tmp_path / shell
    script.write_text(capsys.readouterr().out)
    assert all(name in script.read_text() for name in (*COMMANDS, "fail-on", "sarif"))
    if shutil.which(shell):
        subprocess.run([shell, "-n", str(script)], check=True, timeout=20)


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (("ge",), ["generate"]),
        (("proof", "--output", "m"), ["markdown"]),
        (("completion", ""), ["bash", "zsh", "fish"]),
        (("lint", "--qu"), ["--quiet"]),
        (("lint", "--specs", ""), []),
    ],
)
def test_bash_completes_words(
    words: tuple[str, ...], completed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["completion", "bash"])
    script = tmp_path / "script"
    array = " ".join(f"'{word}'" for word in ("apigen", *words))
    ask = f'\nCOMP_WORDS=({array}); COMP_CWORD={len(words)}; _apigen; printf "%s\\n" "${{COMPREPLY[@]}}"\n'
    script.write_text(capsys.readouterr().out + ask)
    ran = subprocess.run(["bash", str(script)], capture_output=True, text=True, check=True, timeout=20)
    assert ran.stdout.split()[: len(completed) or None] == completed


def test_misspelled_file_or_folder_gets_a_suggestion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "objects").mkdir()
    (tmp_path / "objects" / "thing.yaml").write_text("kind: Thing\n")
    meant = str(tmp_path / "objects" / "thing.yaml")
    assert nearest_file(str(tmp_path / "objects" / "thin.yaml")) == meant
    assert nearest_file(str(tmp_path / "object" / "thing.yaml")) == meant
    assert nearest_file(str(tmp_path / "nowhere" / "else.yaml")) is None
    assert main(["convert", str(tmp_path / "objects" / "thin.yaml"), "--to", "v1"]) == 3
    assert f"did you mean `{meant}`?" in capsys.readouterr().err
