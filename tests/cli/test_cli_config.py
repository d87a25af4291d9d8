"""Configuration: how it is found, and the errors in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import apigen, new_project

CASES = {
    "unknown": (
        'specs = "api-specs"\nouput = "generated"\n',
        "apigen.toml:2:1: error AG0901: unknown setting `ouput`\n"
        "  |\n"
        '2 | ouput = "generated"\n'
        "  | ^\n"
        "  = help: did you mean `output`?\n",
    ),
    "table": (
        '[tool.apigen]\nspecs = "api-specs"\n',
        "apigen.toml:1:2: error AG0901: unknown setting `tool`\n"
        "  |\n"
        "1 | [tool.apigen]\n"
        "  |  ^\n"
        "  = help: in apigen.toml, write settings at the top level, without [tool.apigen]\n",
    ),
    "type": (
        "# the specs\nspecs = [\n  'api-specs',\n]\n",
        "apigen.toml:2:1: error AG0902: `specs` is a string, not a list\n"
        "  |\n"
        "2 | specs = [\n"
        "  | ^\n"
        '  = help: write specs = "api-specs"\n',
    ),
    "list": (
        'groups = "example.com"\n',
        "apigen.toml:1:1: error AG0902: `groups` is a list of names, not a string\n"
        "  |\n"
        '1 | groups = "example.com"\n'
        "  | ^\n"
        '  = help: write groups = ["example.com"]\n',
    ),
    "package": (
        'package = "my-api"\n',
        "apigen.toml:1:1: error AG0903: `my-api` is not the name of a Python package: `my-api` is not an identifier\n"
        "  |\n"
        '1 | package = "my-api"\n'
        "  | ^\n"
        '  = help: set its name: package = "name"\n',
    ),
    "standard library": (
        'output = "json"\n',
        "apigen.toml:1:1: error AG0903: a package `json` would hide the one of the standard library\n"
        "  |\n"
        '1 | output = "json"\n'
        "  | ^\n",
    ),
    "no TOML": (
        "specs = api-specs\n",
        "apigen.toml:1:9: error AG0904: invalid TOML: invalid value\n  |\n1 | specs = api-specs\n  |         ^\n"
        "  = help: correct the TOML at this location: strings need quotes, lists are written `[a, b]`\n",
    ),
    "overlap": (
        'output = "api-specs/generated"\n',
        "apigen.toml:1:1: error AG0906: `output` and `specs` overlap\n"
        "  |\n"
        '1 | output = "api-specs/generated"\n'
        "  | ^\n"
        "  = help: choose a separate output folder, because apigen removes outdated files from it\n",
    ),
    "group": (
        'groups = ["example.org"]\n',
        "apigen.toml:1:1: error AG0907: `example.org` in `groups` does not exist\n"
        "  |\n"
        '1 | groups = ["example.org"]\n'
        "  | ^\n"
        "  = help: did you mean `example.com`?\n",
    ),
    "backend": (
        'backends = ["jsom"]\n',
        "apigen.toml:1:1: error AG0907: `jsom` in `backends` does not exist\n"
        "  |\n"
        '1 | backends = ["jsom"]\n'
        "  | ^\n"
        "  = help: did you mean `json`?\n",
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_project(tmp_path_factory.mktemp("config"))


@pytest.mark.parametrize("case", CASES)
def test_mistakes(project: Path, case: str) -> None:
    text, expected = CASES[case]
    (project / "apigen.toml").write_text(text)
    ran = apigen(project, "generate")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{expected}\n1 error; for details, run `apigen explain {expected.split('error ')[1][:6]}`\n"
    assert not (project / "generated").exists()


def test_all_mistakes_are_reported_together(project: Path) -> None:
    (project / "apigen.toml").write_text('spec = "a"\noutput = 3\n\nbackend = []\n')
    ran = apigen(project, "lint", "--format", "github")
    assert ran.code == 2
    assert [line.partition("::")[2][:25] for line in ran.out.splitlines()] == [
        "error file=apigen.toml,li" for _ in range(3)
    ]


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("nothing.toml", "nothing.toml: error AG0905: cannot be read: No such file or directory\n"),
        ("api-specs", "api-specs: error AG0905: the configuration must be a file, but this is a folder\n"),
        ("pyproject.toml", "pyproject.toml: error AG0905: it has no table [tool.apigen]\n"),
        ("latin.toml", "latin.toml: error AG0905: the byte 0xe9 is not UTF-8\n"),
    ],
)
def test_a_configuration_that_cannot_be_read(project: Path, named: str, message: str) -> None:
    (project / "pyproject.toml").write_text("[tool.other]\n")
    (project / "latin.toml").write_bytes(b"# caf\xe9\n")
    ran = apigen(project, "lint", "--config", named)
    assert ran.code == 3
    assert ran.out.startswith(message)


@pytest.mark.slow
def test_nearest_configuration_is_used(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    (tmp_path / "apigen.toml").write_text("broken\n")
    (tmp_path / "pyproject.toml").write_text("[tool.apigen]\nbroken = 1\n")
    (project / "pyproject.toml").write_text("[tool.other]\n")
    inside = project / "api-specs" / "example.com"
    assert apigen(inside, "lint").out.startswith("no findings in ")
    (project / "apigen.toml").rename(project / "elsewhere.toml")
    assert apigen(inside, "lint", "--config", "../../elsewhere.toml").out.startswith("no findings in ")
    (project / "pyproject.toml").write_text('[tool.apigen]\nspecs = "api-specs"\n')
    assert apigen(inside, "lint").out.startswith("no findings in ")


@pytest.mark.parametrize(("name", "table"), [("apigen.toml", ""), ("pyproject.toml", "[tool.apigen]\n")])
def test_byte_order_mark_is_ignored(tmp_path: Path, name: str, table: str) -> None:
    project = new_project(tmp_path)
    (project / "apigen.toml").unlink()
    (project / "api-specs").rename(project / "apis")
    (project / name).write_text(f'{table}specs = "apis"\n', encoding="utf-8-sig")
    assert apigen(project, "lint").out.startswith("no findings in ")


def test_command_line_paths_are_relative_to_working_directory(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    assert apigen(tmp_path, "lint", "--specs", "project/api-specs").out.startswith("no findings in ")
    missing = apigen(project, "lint", "--specs", "apis")
    assert missing.code == 3
    assert missing.out.startswith("apis: error AG0101: no such file or folder\n")
    assert apigen(project, "lint", "--specs", "").code == 2
    named = apigen(project, "generate", "--package", "a.class")
    assert named.err.startswith("command line: error AG0903: `a.class` is not the name of a Python package: `class` is")


@pytest.mark.parametrize("command", ["generate", "verify", "lint", "proof"])
def test_missing_project(tmp_path: Path, command: str) -> None:
    ran = apigen(tmp_path, command)
    assert ran.code == 2
    assert (ran.out or ran.err) == (
        ".: error AG0908: no project found: neither a configuration nor a folder api-specs\n"
        " = help: run `apigen init` in an empty folder to create one\n"
        "\n1 error; for details, run `apigen explain AG0908`\n"
    )
