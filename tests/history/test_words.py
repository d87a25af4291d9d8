"""Every code of the history, with its exact words. `APIGEN_UPDATE=1` writes what comes out now to `words/`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from apigen.codegen.pipeline import Sources, check_recorded
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.history.records import taken_apart
from apigen.language.releases import parse_release
from tests.history.projects import GROUP, Project, frobbers, two_groups

WORDS = Path(__file__).parent / "words"
HISTORY = f"{GROUP}/history"


def an_edit(folder: Path) -> Report:
    project = released(folder)
    project.edit(
        f"{HISTORY}/1.12.yaml",
        "height: {type: int32, protobuf: 2, minimum: 0}\n      param",
        "height: {type: int64, protobuf: 2}\n      param",
    )
    return project.lint()


def a_missing_record(folder: Path) -> Report:
    project = released(folder)
    project.file(f"{HISTORY}/1.12.yaml").unlink()
    return project.lint()


def a_stray_file(folder: Path) -> Report:
    project = released(folder)
    project.write(f"{HISTORY}/notes.yaml", "note: nothing\n")
    return project.lint()


def a_past_release(folder: Path) -> Report:
    project = released(folder)
    project.edit(f"{GROUP}/v6.yaml", "minimum: 0, maximum: 11", "minimum: 0, maximum: 12")
    return project.release("1.12")


def errors_in_the_specs(folder: Path) -> Report:
    project = frobbers(folder)
    project.edit(f"{GROUP}/v6.yaml", "param:    {type: string", "param:    {type: strnig")
    return project.release("1.12")


def a_group_that_is_gone(folder: Path) -> Report:
    project = two_groups(folder)
    project.record("1.0")
    for name in ("group.yaml", "v1.yaml"):
        project.file(f"clocks/{name}").unlink()
    return project.lint()


def a_record_of_another_apigen(folder: Path) -> Report:
    """A record with correct checksums and a key that this version of apigen does not know."""
    project = released(folder)
    forge(project, "1.12", "type: FrobberSize", "type: FrobberSze")
    report = Report()
    check_recorded(Sources(project.specs, None, project.folder), parse_release("1.12"), report)
    return report


def a_group_without_what_it_needs(folder: Path) -> Report:
    return two_groups(folder).release("1.0", "clocks")


CASES: dict[str, Callable[[Path], Report]] = {
    "AG1300": an_edit,
    "AG1301": a_missing_record,
    "AG1302": a_stray_file,
    "AG1303": a_past_release,
    "AG1304": errors_in_the_specs,
    "AG1305": a_group_that_is_gone,
    "AG1308": a_record_of_another_apigen,
    "AG1309": a_group_without_what_it_needs,
}


def released(folder: Path) -> Project:
    project = frobbers(folder)
    project.record("1.12")
    return project


def forge(project: Project, release: str, old: str, new: str) -> None:
    """Edit the only record of a group, and every checksum that could tell."""
    path = project.file(f"{HISTORY}/{release}.yaml")
    text = path.read_text().replace(old, new)
    for section in taken_apart(text).sections:
        text = text.replace(section.written, section.expected)
    before, after = taken_apart(text).written, taken_apart(text).expected
    path.write_text(text.replace(f"checksum: {before}", f"checksum: {after}"))
    for name in (f"{HISTORY}/chain.yaml", f"history/{release}.yaml"):
        project.write(name, project.file(name).read_text().replace(before, after))
    root = project.file(f"history/{release}.yaml")
    text = root.read_text()
    for section in taken_apart(text).sections:
        text = text.replace(section.written, section.expected)
    before, after = taken_apart(text).written, taken_apart(text).expected
    root.write_text(text.replace(f"checksum: {before}", f"checksum: {after}"))
    project.write("history/chain.yaml", project.file("history/chain.yaml").read_text().replace(before, after))


@pytest.mark.parametrize("code", sorted(CASES))
def test_words(code: str, tmp_path: Path) -> None:
    text = render([one for one in CASES[code](tmp_path).diagnostics if one.code == code])
    expected = WORDS / f"{code}.txt"
    if os.environ.get("APIGEN_UPDATE"):
        expected.parent.mkdir(exist_ok=True)
        expected.write_text(text, encoding="utf-8")
    assert code in text
    assert text == expected.read_text(encoding="utf-8")
