"""Whatever is done by hand to the records of a project is seen, and where."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apigen.diagnostics import Report
from apigen.history.records import taken_apart
from tests.history.projects import GROUP, Project, codes, frobbers, mentioned

HISTORY = f"{GROUP}/history"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with three releases."""
    project = frobbers(tmp_path_factory.mktemp("recorded"))
    project.record("1.12")
    project.edit(f"{GROUP}/v6.yaml", "minimum: 0, maximum: 11", "minimum: 0, maximum: 12")
    project.record("1.13")
    project.edit(f"{GROUP}/v6.yaml", "minimum: 0, maximum: 12", "minimum: 0, maximum: 13")
    project.record("1.14")
    return project.folder


@pytest.fixture
def project(recorded: Path, tmp_path: Path) -> Project:
    """A copy that a test may damage."""
    shutil.copytree(recorded, tmp_path / "project")
    return Project(tmp_path / "project")


def found(project: Project) -> Report:
    """What is wrong with the records."""
    report = Report()
    project.recorded(report)
    return report


def test_unmodified_records_have_no_findings(project: Project) -> None:
    assert not found(project).diagnostics


def test_edited_type_is_reported_with_its_location(project: Project) -> None:
    project.edit(
        f"{HISTORY}/1.12.yaml",
        "height: {type: int32, protobuf: 2, minimum: 0}\n      param",
        "height: {type: int64, protobuf: 2}\n      param",
    )
    [diagnostic] = [one for one in found(project).diagnostics if one.code == "AG1300"]
    assert "`Frobber`" in diagnostic.message
    assert diagnostic.source_line is not None and diagnostic.source_line.startswith("  Frobber:  # ")
    assert "git checkout" in (diagnostic.hint or "")


EDITS: dict[str, tuple[Callable[[Project], object], str]] = {
    "a line more": (
        lambda p: p.edit(f"{HISTORY}/1.13.yaml", "v6.yaml:\n", "v6.yaml:\n  Frob:\n    is: string\n"),
        "AG1300",
    ),
    "a release's name": (lambda p: p.edit(f"{HISTORY}/1.13.yaml", 'release: "1.13"', 'release: "1.15"'), "AG1300"),
    "what was before": (lambda p: p.edit(f"{HISTORY}/1.13.yaml", 'after: {"1.12"', 'after: {"1.11"'), "AG1300"),
    "the head is gone": (lambda p: p.write(f"{HISTORY}/1.13.yaml", "v6.yaml: {}\n"), "AG1302"),
    "an empty file": (lambda p: p.write(f"{HISTORY}/1.13.yaml", ""), "AG1302"),
    "a comment": (lambda p: p.edit(f"{HISTORY}/1.13.yaml", "v6.yaml:\n", "v6.yaml:\n# so it was\n"), "AG1300"),
    "the newest is gone": (lambda p: p.file(f"{HISTORY}/1.14.yaml").unlink(), "AG1301"),
    "one between is gone": (lambda p: p.file(f"{HISTORY}/1.13.yaml").unlink(), "AG1301"),
    "the first is gone": (lambda p: p.file(f"{HISTORY}/1.12.yaml").unlink(), "AG1301"),
    "the list is gone": (lambda p: p.file(f"{HISTORY}/chain.yaml").unlink(), "AG1301"),
    "all of a group is gone": (lambda p: shutil.rmtree(p.file(HISTORY)), "AG1301"),
    "a record of another": (
        lambda p: shutil.copy(p.file("history/1.13.yaml"), p.file(f"{HISTORY}/1.13.yaml")),
        "AG1301",
    ),
    "a record under another name": (
        lambda p: shutil.copy(p.file(f"{HISTORY}/1.14.yaml"), p.file(f"{HISTORY}/1.15.yaml")),
        "AG1301",
    ),
    "a stranger's file": (lambda p: p.write(f"{HISTORY}/notes.yaml", "a: b\n"), "AG1302"),
    "a folder": (lambda p: p.file(f"{HISTORY}/1.9.yaml").mkdir(), "AG0103"),
    "the list's line": (lambda p: p.write(f"{HISTORY}/chain.yaml", "1.12: yes\n"), "AG1301"),
    "not text": (lambda p: p.file(f"{HISTORY}/1.13.yaml").write_bytes(b"\xff\xfe"), "AG0104"),
    "a conflict": (lambda p: p.edit(f"{HISTORY}/1.13.yaml", "v6.yaml:\n", "<<<<<<< ours\nv6.yaml:\n"), "AG0108"),
}


@pytest.mark.parametrize("name", EDITS)
def test_edit_is_detected(name: str, project: Project) -> None:
    edit, code = EDITS[name]
    edit(project)
    report = found(project)
    assert code in codes(report), report.diagnostics
    assert all(diagnostic.place.file.startswith("api-specs/") for diagnostic in report.diagnostics)
    assert codes(project.lint()), "lint says so, too"


def test_fix_of_a_missing_record_is_a_path_from_the_project(project: Project) -> None:
    shutil.rmtree(project.file(HISTORY))
    [missing] = found(project).diagnostics
    assert f"`git checkout -- api-specs/{HISTORY}`" in (missing.hint or "")


def test_hint_for_missing_records_has_their_folder(project: Project) -> None:
    shutil.rmtree(project.file(GROUP))
    [diagnostic] = found(project).diagnostics
    assert f"`git checkout -- api-specs/{HISTORY}`" in (diagnostic.hint or "")


def test_replaced_record_is_not_reported_line_by_line(project: Project) -> None:
    """A file of 10 MB has a million lines that could each cause a diagnostic."""
    path = project.file(f"{HISTORY}/1.13.yaml")
    path.write_text(path.read_text() + "".join(f"key{number}: 1\n" for number in range(1000)))
    report = found(project)
    assert codes(report) == ["AG1300"] * 11
    assert mentioned(report, ["`key0`", "`key9`", "990 more parts of the record of 1.13 were edited by hand"])


def test_a_forged_record_breaks_the_chain(project: Project) -> None:
    """An edited record with correct checksums still contradicts the records after it."""
    path = project.file(f"{HISTORY}/1.13.yaml")
    text = path.read_text().replace("maximum: 12", "maximum: 99")
    for section in taken_apart(text).sections:
        text = text.replace(section.written, section.expected)
    signed = taken_apart(text)
    path.write_text(text.replace(f"checksum: {signed.written}", f"checksum: {signed.expected}"))
    report = found(project)
    assert set(codes(report)) == {"AG1301"}
    assert mentioned(report, ["1.14.yaml", "the record of 1.13 was replaced", "chain.yaml"])


def test_inserted_record_is_detected(project: Project) -> None:
    """Two histories that diverged after 1.12 are combined."""
    other = frobbers(project.folder / "other")
    shutil.rmtree(other.specs)
    shutil.copytree(project.specs, other.specs)
    for release in ("1.13", "1.14"):
        other.file(f"{HISTORY}/{release}.yaml").unlink()
        other.file(f"history/{release}.yaml").unlink()
    for folder in (HISTORY, "history"):
        chain = other.file(f"{folder}/chain.yaml")
        chain.write_text("".join(chain.read_text().splitlines(keepends=True)[:2]))
    assert not found(other).diagnostics
    other.edit(f"{GROUP}/v6.yaml", "maximum: 13", "maximum: 20")
    other.record("1.13")
    shutil.copy(other.file(f"{HISTORY}/1.13.yaml"), project.file(f"{HISTORY}/1.13.yaml"))
    assert "AG1301" in codes(found(project))


def test_windows_line_endings_are_not_an_edit(project: Project) -> None:
    for path in project.specs.rglob("history/*.yaml"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert not found(project).diagnostics


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_changed_byte_is_detected(recorded: Path, data: st.DataObject) -> None:
    """A byte is replaced, removed or added anywhere in any record."""
    project = Project(recorded)
    records = project.records()
    path = data.draw(st.sampled_from(sorted(records)))
    content = records[path]
    at = data.draw(st.integers(0, len(content) - 1))
    new = data.draw(st.sampled_from([b"", b"x", b"1", b" ", b"#", b"\n", content[at : at + 1] * 2]))
    changed = content[:at] + new + content[at + 1 :]
    if changed.strip(b"\n") == content.strip(b"\n") or (path.endswith("chain.yaml") and b"#" in content[at : at + 1]):
        return
    try:
        project.file(path).write_bytes(changed)
        assert codes(found(project)) or not says_anything_else(content, changed), (path, at, new)
    finally:
        project.file(path).write_bytes(content)


def says_anything_else(content: bytes, changed: bytes) -> bool:
    """Whether more than comments of a chain.yaml differs."""

    def lines(text: bytes) -> list[bytes]:
        return [line for line in text.split(b"\n") if line and not line.startswith(b"#")]

    return lines(content) != lines(changed)
