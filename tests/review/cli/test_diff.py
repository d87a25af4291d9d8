"""`apigen diff`: what it compares, what it prints, and how it ends."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import Ran, apigen
from tests.review.cli.repository import add_field, commit, git, new_repository, remove_field, spec

ELEMENT = "example.com/v1.OrderSpec.paused"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_repository(tmp_path_factory.mktemp("repository"))


@pytest.fixture
def project(template: Path, tmp_path: Path) -> Path:
    import shutil

    return Path(shutil.copytree(template, tmp_path / "shop"))


def diff(project: Path, *words: str) -> Ran:
    return apigen(project, "diff", "--no-counterexamples", *words)


def report(project: Path, *words: str) -> dict[str, object]:
    ran = diff(project, "--format", "json", *words)
    assert ran.err == ""
    return dict(json.loads(ran.out))


def test_nothing_changed(project: Path) -> None:
    ran = diff(project)
    assert (ran.code, ran.err, ran.out.splitlines()[-1]) == (0, "", "no changes: passed")


def test_working_tree_of_default_branch_is_compared_with_head(project: Path) -> None:
    remove_field(project)
    ran = diff(project)
    assert (ran.code, ran.err) == (1, "")
    assert f"error field-removed  {ELEMENT}  stable" in ran.out
    assert ran.out.splitlines()[-1].endswith("failed (--fail-on error)")


def test_branch_is_compared_with_its_merge_base(project: Path) -> None:
    git(project, "switch", "--quiet", "--create", "feature/x")
    remove_field(project)
    commit(project, "on the branch")
    git(project, "switch", "--quiet", "main")
    add_field(project)
    commit(project, "meanwhile")
    git(project, "switch", "--quiet", "feature/x")
    ran = diff(project)
    assert ran.code == 1
    assert "field-removed" in ran.out and "OrderSpec.note" not in ran.out


@pytest.mark.slow
def test_base_and_revision_can_be_passed(project: Path) -> None:
    remove_field(project)
    commit(project, "second")
    assert diff(project, "HEAD~1", "HEAD").code == 1
    assert diff(project, "HEAD", "HEAD").code == 0
    back = diff(project, "HEAD", "HEAD~1", "--verbose")
    assert "v1 `OrderSpec.paused` was added" in back.out


@pytest.mark.slow
def test_findings_are_shown_by_objects(project: Path) -> None:
    remove_field(project)
    ran = apigen(project, "diff", "--format", "json")
    assert (ran.code, ran.err) == (1, "")
    counterexamples = [
        counterexample for found in json.loads(ran.out)["findings"] for counterexample in found["counterexamples"]
    ]
    assert {counterexample["direction"] for counterexample in counterexamples} >= {"oldClient", "stored"}
    assert all("paused" in counterexample["before"]["spec"] for counterexample in counterexamples)
    assert apigen(project, "diff", "--format", "json").out == ran.out


def test_fail_on(project: Path) -> None:
    remove_field(project)
    assert diff(project, "--fail-on", "never").code == 0
    assert diff(project, "--fail-on", "info").code == 1


def test_several_reports_in_one_run(project: Path) -> None:
    remove_field(project)
    ran = diff(
        project, "--format", "line", "--output", "html=r.html", "--output", "json=r.json", "--output", "markdown=r.md"
    )
    assert ran.code == 1
    assert ran.out.splitlines()[-1].endswith("failed (--fail-on error)")
    assert ELEMENT in (project / "r.html").read_text()
    assert json.loads((project / "r.json").read_text())["result"]["passes"] is False
    assert "field-removed" in (project / "r.md").read_text()


def test_report_to_dash_is_printed(project: Path) -> None:
    remove_field(project)
    printed = diff(project, "--format", "html")
    ran = diff(project, "--output", "html=-", "--output", "json=r.json")
    assert (ran.code, ran.out, ran.err) == (1, printed.out, "")
    assert json.loads((project / "r.json").read_text())["result"]["passes"] is False
    assert not (project / "-").exists()
    assert (diff(project, "--output", "line=./-").code, (project / "-").read_text().count("field-removed")) == (1, 1)


def test_locations_refer_to_the_files(project: Path) -> None:
    before = spec(project).read_text().splitlines()
    remove_field(project)
    findings = report(project)["findings"]
    assert isinstance(findings, list)
    (found,) = [each for each in findings if each["rule"] == "field-removed"]
    line = next(number for number, text in enumerate(before, 1) if text.strip() == "paused:")
    assert (found["old"]["line"], found["old"]["column"]) == (line, 7)
    assert found["old"]["file"].endswith(":api-specs/example.com/v1.yaml")
    assert found["new"]["file"] == "api-specs/example.com/v1.yaml"
    assert spec(project).read_text().splitlines()[found["new"]["line"] - 1].strip() == "OrderSpec:"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--format", "xml"], "invalid choice"),
        (["--output", "html"], "expected FORMAT=FILE"),
        (["--output", "pdf=x"], "unknown format 'pdf'"),
        (["--fail-on", "fatal"], "invalid choice"),
        (["--at-release", "soon"], "a release is written like 1.13"),
        (["--date", "tomorrow"], "a day is written like 2026-03-31"),
        (["a", "b", "c"], "unrecognized arguments: c"),
        ([""], "argument BASE: it is empty"),
        (["main", " "], "argument REVISION: it is empty"),
        (["--output", "json=x", "--output", "sarif=./x"], "two reports for one file: --output json=x and"),
        (
            ["--output", "json=-", "--output", "sarif=-"],
            "two reports for one file: --output json=- and --output sarif=-",
        ),
        (["--format", "line", "--output", "html=-"], "two reports for one file: --format line and --output html=-"),
    ],
)
def test_wrong_usage(project: Path, words: list[str], says: str) -> None:
    ran = apigen(project, "diff", *words)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err


@pytest.mark.parametrize("words", [["old.json", "new.json"], ["new.json", "jsonschema:old.json"]])
def test_report_does_not_overwrite_an_input(tmp_path: Path, words: list[str]) -> None:
    for name in ("old.json", "new.json"):
        (tmp_path / name).write_text('{"type": "object"}', encoding="utf-8")
    (tmp_path / "link.json").symlink_to("old.json")
    for path in ("old.json", "./old.json", "link.json"):
        ran = diff(tmp_path, *words, "--output", f"json={path}")
        assert (ran.code, ran.out) == (2, "")
        assert "a report would overwrite an input" in ran.err
    assert (tmp_path / "old.json").read_text(encoding="utf-8") == '{"type": "object"}'


def test_full_disk_is_reported_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"type": "object"}', encoding="utf-8")
    ran = diff(tmp_path, "a.json", "a.json", "--output", "html=/dev/full")
    assert (ran.code, ran.out, ran.err) == (3, "", "apigen: /dev/full: No space left on device\n")
    ran = diff(tmp_path, "a.json", "a.json", "--output", "html=no/folder.html")
    assert (ran.code, ran.out, ran.err) == (3, "", "apigen: no/folder.html: No such file or directory\n")


def test_missing_base(tmp_path: Path) -> None:
    assert apigen(tmp_path, "init").code == 0
    ran = diff(tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("apigen diff: cannot determine the base")


def test_no_specs_to_compare(tmp_path: Path) -> None:
    ran = diff(tmp_path, "x")
    assert (ran.code, ran.out) == (2, "")
    assert "pass both sides: `apigen diff BASE REVISION`" in ran.err


def test_an_input_that_cannot_be_read(project: Path) -> None:
    ran = diff(project, "no-such-branch")
    assert (ran.code, ran.out) == (3, "")
    assert "no-such-branch" in ran.err
    spec(project).write_text("types: [")
    ran = diff(project)
    assert (ran.code, ran.out) == (3, "")
    assert "api-specs/example.com/v1.yaml:1:" in ran.err


APPROVALS = "apigen-approvals.yaml"
DAY = ("--date", "2026-03-02")


def approved(project: Path, reason: str = "no client sets it, see the logs") -> None:
    """Write approvals for what is found, with a reason."""
    ran = diff(project, "--write-approvals", *DAY)
    assert ran.code == 4, ran.err
    file = project / APPROVALS
    file.write_text(file.read_text().replace('reason: ""', f"reason: {reason}"))


def test_approvals_from_beginning_to_end(project: Path) -> None:
    remove_field(project)
    ran = diff(project, "--write-approvals", *DAY)
    assert ran.code == 4
    assert re.fullmatch(
        r"apigen diff: added \d+ entr(y|ies) to apigen-approvals\.yaml: add a reason to each.*\n", ran.err
    )
    assert "error AG1420: invalid approval: the reason is missing" in ran.out
    file = project / APPROVALS
    file.write_text(file.read_text().replace('reason: ""', "reason: no client sets it, see the logs"))
    ran = diff(project, *DAY)
    assert (ran.code, ran.err) == (0, ""), ran.out
    assert "reason: no client sets it, see the logs (until 2026-05-31, 90 days left)" in ran.out
    assert diff(project, "--write-approvals", *DAY).code == 0


def test_an_approval_ends(project: Path) -> None:
    remove_field(project)
    approved(project)
    ran = diff(project, "--date", "2026-06-01")
    assert ran.code == 4
    assert f"{APPROVALS}:" in ran.out and "error AG1422: this approval expired on 2026-05-31" in ran.out


def test_an_approval_ends_with_a_release(project: Path) -> None:
    remove_field(project)
    approved(project)
    file = project / APPROVALS
    file.write_text(file.read_text().replace("expires: 2026-05-31", 'expires: "1.3"'))
    assert diff(project, "--at-release", "1.2", *DAY).code == 0
    assert diff(project, "--at-release", "1.3", *DAY).code == 4


def test_an_unused_approval_is_pruned(project: Path) -> None:
    remove_field(project)
    approved(project)
    git(project, "checkout", "--quiet", "api-specs")
    ran = diff(project, *DAY)
    assert ran.code == 4
    assert "AG1423" in ran.out
    ran = diff(project, "--prune-approvals", *DAY)
    assert ran.code == 0, ran.out
    assert ran.err.startswith("apigen diff: removed ")
    assert "approvals: []" in (project / APPROVALS).read_text()
    assert diff(project, *DAY).code == 0


def test_broken_approvals_file_is_not_modified(project: Path) -> None:
    remove_field(project)
    file = project / APPROVALS
    file.write_text("approvals: {\n")
    ran = diff(project, "--write-approvals", *DAY)
    assert ran.code == 4
    assert "AG1427" in ran.out
    assert file.read_text() == "approvals: {\n"


def test_named_approvals_file_must_exist(project: Path) -> None:
    ran = diff(project, "--approvals", "other.yaml")
    assert ran.code == 4
    assert "other.yaml: error AG0101" in ran.out


def test_color(project: Path) -> None:
    remove_field(project)
    assert "\x1b[" not in diff(project).out
    assert "\x1b[" in diff(project, "--color", "always").out


def test_explain_knows_the_rules(tmp_path: Path) -> None:
    listed = apigen(tmp_path, "explain", "--rules")
    assert listed.code == 0
    assert "unclassified-change" in listed.out
    told = apigen(tmp_path, "explain", "unclassified-change")
    assert told.code == 0
    assert told.out.startswith("unclassified-change: change without a rule\n")
    for word in ("fix:", "severity:", "presets:", "applies to:", "mitigated by:", "counterexample:"):
        assert f"\n{word}" in told.out
    wrong = apigen(tmp_path, "explain", "unclasified-change")
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.err == "apigen explain: unknown rule `unclasified-change`; did you mean `unclassified-change`?\n"


def test_the_schema_of_the_report_is_printed(tmp_path: Path) -> None:
    ran = apigen(tmp_path, "schema", "review")
    assert ran.code == 0
    assert json.loads(ran.out)["title"].startswith("A review of an API change")


@pytest.mark.slow
def test_shallow_clone_without_a_base_is_a_warning(project: Path, tmp_path: Path) -> None:
    remove_field(project)
    commit(project, "second")
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{project}", "shallow")
    ran = diff(tmp_path / "shallow")
    assert ran.code == 0
    assert "AG1409" in ran.err
    assert "fetch-depth: 0" in ran.err
    git(tmp_path / "shallow", "checkout", "--quiet", "--detach")
    for name in ("refs/heads/main", "refs/remotes/origin/main", "refs/remotes/origin/HEAD"):
        git(tmp_path / "shallow", "update-ref", "--no-deref", "-d", name)
    ran = diff(tmp_path / "shallow")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "no changes: passed")
    assert "AG1409" in ran.err and "fetch-depth: 0" in ran.err
    assert "AG1409" not in diff(project).err


def test_shallow_clone_with_a_base_is_compared(project: Path, tmp_path: Path) -> None:
    git(project, "checkout", "--quiet", "-b", "change")
    remove_field(project)
    commit(project, "second")
    git(project, "checkout", "--quiet", "main")
    words = ("--quiet", "--depth", "2", "--no-single-branch", "--branch", "change", f"file://{project}", "shallow")
    git(tmp_path, "clone", *words)
    ran = diff(tmp_path / "shallow")
    assert "AG1409" not in ran.err
    assert ran.code == 1


def test_inputs_of_different_forms_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "api.proto").write_text('syntax = "proto3";\npackage shop.v1;\nmessage Thing { string a = 1; }\n')
    (tmp_path / "thing.json").write_text(
        '{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}'
    )
    ran = diff(tmp_path, "api.proto", "thing.json")
    assert ran.code == 3
    assert "AG1410: the base has the form `proto`, the revision the form `jsonschema`" in ran.err
    assert "crd:PATH" in ran.err
