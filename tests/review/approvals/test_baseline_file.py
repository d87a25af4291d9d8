"""A baseline: known findings are counted and never fail; changed ones are open again; stale entries are information."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import ROOT, Ran, apigen


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A base and a revision with one breaking change: a lower maximum."""
    write(tmp_path, "old.json", 10, 63)
    write(tmp_path, "new.json", 5, 63)
    return tmp_path


def write(folder: Path, name: str, maximum: int, length: int) -> None:
    size, text = {"type": "integer", "maximum": maximum}, {"type": "string", "maxLength": length}
    (folder / name).write_text(json.dumps({"type": "object", "properties": {"size": size, "name": text}}))


def diff(folder: Path, *words: str) -> Ran:
    return apigen(folder, "diff", "old.json", "new.json", "--no-cache", *words)


def test_findings_in_the_baseline_pass(folder: Path) -> None:
    assert diff(folder).code == 1
    written = diff(folder, "--baseline", "known.txt", "--write-baseline")
    assert written.code == 0, written.err
    assert "1 in the baseline: passed" in written.out
    (entry,) = [line for line in (folder / "known.txt").read_text().splitlines() if not line.startswith("#")]
    assert entry.split()[1:] == ["bound-tightened", "Schema.size"]
    assert diff(folder, "--baseline", "known.txt", "--fail-on", "info").code == 0


def test_a_baseline_does_not_cover_a_changed_finding(folder: Path) -> None:
    diff(folder, "--baseline", "known.txt", "--write-baseline")
    write(folder, "new.json", 4, 63)
    ran = diff(folder, "--baseline", "known.txt")
    assert ran.code == 1
    assert "info: 1 known finding of known.txt no longer reported" in ran.out


def test_writing_a_baseline_adds_new_and_drops_stale(folder: Path) -> None:
    diff(folder, "--baseline", "known.txt", "--write-baseline")
    write(folder, "new.json", 10, 32)
    assert diff(folder, "--baseline", "known.txt", "--write-baseline").code == 0
    report = json.loads(diff(folder, "--baseline", "known.txt", "--format", "json").out)["baseline"]
    assert (report["file"], len(report["findings"]), report["stale"]) == ("known.txt", 1, [])
    assert "Schema.name" in (folder / "known.txt").read_text()
    assert "Schema.size" not in (folder / "known.txt").read_text()


def test_missing_or_malformed_baseline_is_an_error(folder: Path) -> None:
    missing = diff(folder, "--baseline", "known.txt")
    assert (missing.code, "AG1428" in missing.err, "--baseline known.txt --write-baseline" in missing.err) == (
        3,
        True,
        True,
    )
    (folder / "known.txt").write_text("# a comment\n\nbound-tightened Schema.size\n")
    bent = diff(folder, "--baseline", "known.txt")
    assert (bent.code, "known.txt:3:1" in bent.err) == (3, True)


def test_write_baseline_requires_a_file_name(folder: Path) -> None:
    ran = diff(folder, "--write-baseline")
    assert (ran.code, "--baseline apigen-baseline.txt" in ran.err) == (2, True)


def test_findings_link_to_the_page_of_their_rule(folder: Path) -> None:
    run = json.loads(diff(folder, "--format", "sarif").out)["runs"][0]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["helpUri"].endswith(f"/docs/reference/rules/{rule['id']}.md")
    assert (ROOT / "docs" / "reference" / "rules" / f"{rule['id']}.md").read_text().count(f"# {rule['id']}") == 1
    assert f"rule: {rule['helpUri']}" in diff(folder, "--format", "github").out
