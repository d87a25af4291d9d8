"""The file of approvals: reading, writing, pruning; every fault has its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.files.whole_file import write_whole
from apigen.review.approvals.approval import ApprovalsFile
from apigen.review.approvals.approvals_file import read_approvals
from apigen.review.approvals.writing import can_be_changed, pruned, with_skeletons
from apigen.review.finding import Finding
from tests.review.reports.hand_made import TODAY, field, finding

ENTRY = """\
  - fingerprint: "0123456789abcdef"
    rule: bound-tightened
    element: things.example.com/v1.Thing.name
    old: "maxLength: 63"
    new: "maxLength: 32"
    reason: no client sends longer names
    created: 2026-03-01
    expires: 2026-04-01
"""


def read(folder: Path, text: str) -> tuple[ApprovalsFile, list[str]]:
    (folder / "a.yaml").write_text(text, encoding="utf-8")
    report = Report()
    file = read_approvals(folder / "a.yaml", "a.yaml", TODAY, report)
    return file, [f"{each.place.line}:{each.place.column} {each.code}" for each in report.diagnostics]


def test_valid_entry(tmp_path: Path) -> None:
    file, problems = read(tmp_path, f"approvals:\n{ENTRY}")
    (one,) = file.approvals
    assert problems == []
    assert (one.old, one.new, one.reason, str(one.expires)) == (
        "maxLength: 63",
        "maxLength: 32",
        "no client sends longer names",
        "2026-04-01",
    )


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("reason: no client sends longer names", 'reason: ""', "7:13 AG1420"),
        ("reason: no client sends longer names", "reason: because", "7:13 AG1420"),
        ("reason: no client sends longer names", "reason: '         a  b    '", "7:13 AG1420"),
        ("    reason: no client sends longer names\n", "", "2:5 AG0203"),
        ("created: 2026-03-01", "created: 2026-03-03", "8:14 AG1421"),
        ("created: 2026-03-01", "created: 2026-02-30", "8:14 AG0210"),
        ("expires: 2026-04-01", "expires: soon", "9:14 AG0210"),
        ("expires: 2026-04-01", "expires: [1]", "9:14 AG0202"),
        ("reason:", "raeson:", "7:5 AG0201"),
        ("0123456789abcdef", "0123", "2:18 AG0210"),
        ("created:", "directions: [rolback]\n    created:", "8:18 AG0206"),
        ('"maxLength: 63"', "63", "5:10 AG0202"),
    ],
)
def test_errors_have_locations(tmp_path: Path, old: str, new: str, problem: str) -> None:
    file, problems = read(tmp_path, f"approvals:\n{ENTRY.replace(old, new)}")
    assert (file.approvals, problems) == ((), [problem])


def test_invalid_entry_does_not_affect_others(tmp_path: Path) -> None:
    bad = ENTRY.replace("no client sends longer names", "no").replace("0123", "aaaa")
    file, problems = read(tmp_path, f"approvals:\n{bad}{ENTRY}")
    assert [one.fingerprint for one in file.approvals] == ["0123456789abcdef"]
    assert problems == ["7:13 AG1420"]


def test_duplicate_entries(tmp_path: Path) -> None:
    file, problems = read(tmp_path, f"approvals:\n{ENTRY}{ENTRY}")
    assert (len(file.approvals), problems) == (1, ["10:5 AG1426"])


@pytest.mark.parametrize("text", ["- a\n", "approvals: 7\n", "x: 1\n", "approvals: [\n", "approvals: &a [*a]\n"])
def test_invalid_approvals_file(tmp_path: Path, text: str) -> None:
    file, problems = read(tmp_path, text)
    assert problems
    assert not file.is_usable


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "approvals: []\n"])
def test_file_without_entries(tmp_path: Path, text: str) -> None:
    file, problems = read(tmp_path, text)
    assert (file.approvals, problems, file.is_usable) == ((), [], True)


FOUND = (finding(), finding(field("b"), old='quote: "\\\u202e\n', new=""))


def written(folder: Path, text: str, found: tuple[Finding, ...] = FOUND) -> str:
    file, _ = read(folder, text)
    changed, count = with_skeletons(file, found, TODAY)
    assert count == len(found)
    return changed


@pytest.mark.parametrize(
    "text", ["", "approvals: []\n", f"# ours\napprovals:\n{ENTRY}", "approvals:\n" + ENTRY.replace("\n  ", "\n")[2:]]
)
def test_skeletons_can_be_read_and_do_not_pass(tmp_path: Path, text: str) -> None:
    before, _ = read(tmp_path, text)
    changed = written(tmp_path, text)
    file, problems = read(tmp_path, changed)
    assert [problem.partition(" ")[2] for problem in problems] == ["AG1420", "AG1420"], changed
    assert len(file.entries) == len(before.entries) + 2
    assert with_skeletons(file, FOUND, TODAY) == (changed, 0)


def test_completed_skeletons_match_their_findings(tmp_path: Path) -> None:
    changed = written(tmp_path, "").replace('reason: ""', "reason: seen and taken for good")
    file, problems = read(tmp_path, changed)
    assert problems == []
    assert all(one.is_of(of) for one, of in zip(file.approvals, FOUND, strict=True))


def test_pruning_preserves_other_entries(tmp_path: Path) -> None:
    first, second = ENTRY.replace("0123", "aaaa"), ENTRY.replace("0123", "bbbb")
    text = (
        f"# head\napprovals:\n  # of the first\n{first}\n  # of the second\n{second}\n  # of the third\n{ENTRY}# end\n"
    )
    file, _ = read(tmp_path, text)
    assert (
        pruned(file, file.approvals[1:2])
        == f"# head\napprovals:\n  # of the first\n{first}\n  # of the third\n{ENTRY}# end\n"
    )
    assert pruned(file, file.approvals[2:]) == text[: text.index("  # of the third")] + "# end\n"
    assert pruned(file, ()) == text
    alone, problems = read(tmp_path, pruned(file, file.approvals))
    assert (alone.entries, problems) == ((), [])


def test_flow_style_entries_are_not_pruned(tmp_path: Path) -> None:
    inner = ", ".join(line.strip(" -") for line in ENTRY.splitlines())
    file, problems = read(tmp_path, f"approvals: [{{{inner}}}]\n")
    assert (len(file.approvals), problems) == (1, [])
    assert not can_be_changed(file)
    assert pruned(file, file.approvals) == file.text


def test_writing(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.yaml", b"approvals: []\n")
    assert [path.name for path in tmp_path.iterdir()] == ["a.yaml"]
