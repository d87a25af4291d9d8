"""Help texts and wrong usage."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from apigen.cli.commands import COMMANDS
from tests.cli.running import ROOT, apigen, environment

HEAVY = (
    "yaml",
    "jinja2",
    "libcst",
    "black",
    "tomllib",
    "apigen.language",
    "apigen.codegen",
    "apigen.diagnostics.codes",
)


def test_help_lists_the_commands(tmp_path: Path) -> None:
    ran = apigen(tmp_path, "--help")
    assert (ran.code, ran.err) == (0, "")
    for name, summary in COMMANDS.items():
        assert re.search(rf"^    {name}\s+{summary}$", ran.out, re.MULTILINE)


def test_help_loads_few_modules(tmp_path: Path) -> None:
    script = "import sys; from apigen.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(), capture_output=True, text=True, check=True, cwd=tmp_path
    )
    loaded = done.stdout.splitlines()[-1].split()
    assert [name for name in HEAVY if name in loaded] == []


def test_lint_does_not_load_the_explanations_of_codes(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    script = "import sys; from apigen.cli.main import main\nmain(['lint', '--specs', 'empty'])\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(), capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "AG0125" in done.stdout + done.stderr
    assert "apigen.diagnostics.codes" not in done.stdout.splitlines()[-1].split()


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_itself(tmp_path: Path, name: str) -> None:
    ran = apigen(tmp_path, name, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert f"\nexamples:\n  apigen {name}" in ran.out
    assert all(len(line) <= 100 for line in ran.out.splitlines())


def test_help_fits_a_narrow_terminal(tmp_path: Path) -> None:
    for words in (["--help"], ["diff", "--help"]):
        ran = apigen(tmp_path, *words, COLUMNS="1")
        assert (ran.code, ran.err) == (0, "")


def test_version(tmp_path: Path) -> None:
    ran = apigen(tmp_path, "--version")
    assert (ran.code, ran.out) == (0, "apigen 0.1.0\n")


def test_help_is_printed_without_a_command(tmp_path: Path) -> None:
    ran = apigen(tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("usage: apigen")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["generat"], "apigen: unknown command `generat`; did you mean `generate`?\n"),
        (["xyz"], f"apigen: unknown command `xyz`; commands: {', '.join(COMMANDS)}\n"),
        (["explain", "AG02"], "apigen explain: unknown code `AG02`; `apigen explain --list` lists them\n"),
        (["explain"], "apigen explain: pass a code; `apigen explain --list` lists them\n"),
        (
            ["init", "--group", "Shop"],
            "apigen init: `Shop` is not a valid group: a group is a DNS subdomain: lowercase letters, digits, `-` and `.`,"
            " at most 253 characters; write `shop`\n",
        ),
        (
            ["init", "--kind", "a b"],
            "apigen init: `a b` is not a valid kind: letters, digits and `-`, beginning with a letter, at most 63 characters;"
            " write a name such as `Widget`\n",
        ),
    ],
)
def test_wrong_usage(tmp_path: Path, words: list[str], message: str) -> None:
    ran = apigen(tmp_path, *words)
    assert (ran.code, ran.out, ran.err) == (2, "", message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [["generate", "--bogus"], ["convert"], ["convert", "x.yaml"], ["schema", "nothing"], ["lint", "--format", "xml"]],
    ids=" ".join,
)
def test_wrong_arguments(tmp_path: Path, words: list[str]) -> None:
    ran = apigen(tmp_path, *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"usage: apigen {words[0]}")


def test_explain_supports_every_code(tmp_path: Path) -> None:
    listed = apigen(tmp_path, "explain", "--list")
    assert listed.code == 0
    codes = [line.split()[0] for line in listed.out.splitlines()]
    assert codes == sorted(set(codes))
    told = apigen(tmp_path, "explain", codes[0].lower())
    assert told.code == 0
    assert told.out.startswith(f"{codes[0]}: ")
    assert "\nExample:\n\n    " in told.out


def test_every_code_that_can_be_reported_is_explained(tmp_path: Path) -> None:
    import re

    listed = set(re.findall(r"^AG\d{4}", apigen(tmp_path, "explain", "--list").out, re.MULTILINE))
    sources = (path for path in (ROOT / "apigen").rglob("*.py") if "catalog" not in path.parts)
    used = {code for path in sources for code in re.findall(r'"(AG\d{4})"', path.read_text(encoding="utf-8"))}
    assert used - listed == set()
