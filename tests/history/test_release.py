"""`apigen release`: what it records, what it rejects, and that it does so whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from apigen.build.releasing import complete
from apigen.history.unfinished import JOURNAL_FILE as JOURNAL
from tests.cli.running import ROOT, apigen, command, environment, new_project, tree
from tests.history.projects import GROUP, Project, codes, frobbers, mentioned, two_groups

HISTORY = f"{GROUP}/history"


@pytest.mark.slow
def test_first_record_is_complete_and_later_ones_are_deltas(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    ran = apigen(tmp_path, "release", "1.12")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"recorded  api-specs/{HISTORY}/1.12.yaml\nrecorded  api-specs/history/1.12.yaml\n")
    assert apigen(tmp_path, "verify").code == 0, "the output is generated last"
    project.edit(f"{GROUP}/group.yaml", "plural: frobbers, shortNames: [fr]", "plural: frobbers, categories: [all]")
    project.edit(f"{GROUP}/v7alpha1.yaml", "doc: How tall the object is.", "doc: Its height.")
    assert apigen(tmp_path, "release", "1.13").code == 0
    lines = project.file(f"{HISTORY}/1.13.yaml").read_text().splitlines()
    assert [line.partition("  # ")[0] for line in lines[5:]] == [
        "group.yaml:",
        "  kinds:",
        "    Frobber: {categories: [all], shortNames: null}",
    ]


def test_a_release_without_changes_is_recorded_once(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    project.record("1.12")
    before = project.records()
    ran = apigen(tmp_path, "release", "1.12")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "no changes since the last record")
    assert project.records() == before
    project.record("1.13")
    assert project.records().keys() - before.keys() == {"history/1.13.yaml"}
    assert [str(release) for release in project.recorded().history.releases] == ["1.12", "1.13"]


@pytest.mark.parametrize("release", ["1.12", "1.11", "0.99"])
def test_past_release_cannot_be_recorded(release: str, tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    project.record("1.11")
    project.record("1.12")
    before = project.records()
    project.edit(f"{GROUP}/v6.yaml", "minimum: 0, maximum: 11", "minimum: 0, maximum: 12")
    report = project.release(release)
    assert codes(report) == ["AG1303"]
    assert mentioned(report, ["1.12 is recorded", GROUP, "`apigen release 1.13`"])
    assert project.records() == before
    project.record("1.13")


def test_past_release_is_the_only_error_about_stages_that_began_later(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    stages = '{release: "1.11", stage: alpha}, {release: "1.12", stage: beta, default: true}'
    gates = project.file("features.yaml").read_text(encoding="utf-8")
    project.write("features.yaml", f"{gates}\nWider: {{stages: [{stages}]}}\n")
    project.record("1.11")
    project.record("1.12")
    project.edit(f"{GROUP}/v6.yaml", "minimum: 0, maximum: 11", "minimum: 0, maximum: 12")
    assert codes(project.release("1.11")) == ["AG1303"]


@pytest.mark.slow
def test_releases_order_as_numbers(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    for release in ("1.9", "1.10", "1.100", "2.0"):
        project.record(release)
    assert [str(release) for release in project.recorded().history.releases] == ["1.9", "1.10", "1.100", "2.0"]
    report = project.release("1.99")
    assert codes(report) == ["AG1303"]
    assert mentioned(report, ["2.0 is recorded, and 1.99 is not a release after it"])


def test_specs_with_errors_are_not_recorded(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    project.edit(f"{GROUP}/v6.yaml", "param:    {type: string", "param:    {type: strnig")
    report = project.release("1.12")
    assert codes(report) == ["AG1304", "AG0301"]
    assert not project.records()


def test_specs_with_warnings_are_recorded(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    project.edit(f"{GROUP}/v6.yaml", "  Knob:\n", "  Unused:\n    fields:\n      x: {type: uint32}\n  Knob:\n")
    assert project.lint().diagnostics and not project.lint().has_errors
    project.record("1.12")


def test_damaged_records_are_not_added_to(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    project.record("1.12")
    project.edit(f"{HISTORY}/1.12.yaml", "of: things", "of: thongs")
    before = project.records()
    assert codes(project.release("1.13")) == ["AG1304", "AG1300"]
    assert project.records() == before


def test_single_groups(tmp_path: Path) -> None:
    project = two_groups(tmp_path)
    project.record("1.0", "bells")
    assert set(project.records()) == {"bells/history/1.0.yaml", "bells/history/chain.yaml"}
    project.record("1.0", "clocks")
    project.record("1.0")
    assert "history/1.0.yaml" in project.records()
    project.edit("bells/v1.yaml", "volume: {type: int32", "volume: {deprecated: '1.1', type: int32")
    assert codes(project.release("1.0", "bells")) == ["AG1303"], "1.0 is closed"
    project.record("1.1", "bells")
    assert "clocks/history/1.1.yaml" not in project.records()


def test_group_is_recorded_with_its_dependencies(tmp_path: Path) -> None:
    project = two_groups(tmp_path)
    report = project.release("1.0", "clocks")
    assert codes(report) == ["AG1309"]
    assert mentioned(report, ["`clocks` needs `bells`, which was never recorded", "--group bells --group clocks"])
    assert not project.records()
    project.record("1.0", "clocks", "bells")
    project.edit("bells/v1.yaml", "  Tone:\n", "  Pointers: {is: int32}\n  Tone:\n")
    project.edit("clocks/v1.yaml", "hands: {type: int32", "hands: {type: bells/v1.Pointers")
    report = project.release("1.1", "clocks")
    assert codes(report) == ["AG1309"]
    assert mentioned(report, ["`clocks` needs `bells`, which has changed since it was recorded"])
    project.record("1.1", "clocks", "bells")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("1.12", "--group", "things.exmple.com"), 2, "did you mean `things.example.com`?"),
        (("v1.12",), 2, "a release is written like 1.13, not v1.12"),
        (("1",), 2, "a release is written like 1.13, not 1"),
        ((), 2, "VERSION"),
        (("1.12", "--specs", "nowhere"), 3, "no such file or folder"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], code: int, said: str, tmp_path: Path) -> None:
    frobbers(tmp_path)
    ran = apigen(tmp_path, "release", *words)
    assert (ran.code, said in ran.err + ran.out) == (code, True), ran
    assert not list(tmp_path.rglob("history"))


def test_machine_readable_output(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    project.record("1.12")
    project.edit(f"{GROUP}/v6.yaml", "minimum: 0, maximum: 11", "minimum: 0, maximum: 12")
    ran = apigen(tmp_path, "release", "1.12", "--format", "json")
    assert ran.code == 1
    assert [one["code"] for one in json.loads(ran.out)["diagnostics"]] == ["AG1303"], ran.out


@pytest.mark.slow
def test_a_new_project_can_be_released(tmp_path: Path) -> None:
    folder = new_project(tmp_path)
    assert apigen(folder, "release", "1.0").code == 0
    assert apigen(folder, "lint").code == 0
    assert apigen(folder, "generate").code == 0
    assert apigen(folder, "verify").code == 0


# --- whole or not at all


KILLING = """
import os, sys
from apigen.build import releasing
step = int(sys.argv[1])
taken = 0
def trace(frame, event, argument):
    global taken
    if frame.f_code.co_filename == releasing.__file__ and event in ("line", "return"):
        taken += 1
        if taken == step:
            os._exit(99)
    return trace
sys.settrace(trace)
from apigen.cli.main import main
sys.exit(main(["release", "1.12"]))
"""


@pytest.mark.slow(one_in=16)
def test_killed_run_records_all_or_nothing(tmp_path: Path) -> None:
    """At each step of writing; the next run finds nothing to complain of, and the same records."""
    done = frobbers(tmp_path / "done")
    done.record("1.12")
    wanted = done.records()
    step, killed = 1, 0
    while step < 400:
        project = frobbers(tmp_path / str(step))
        ran = subprocess.run(
            [sys.executable, "-c", KILLING, str(step)], cwd=project.folder, env=environment(), capture_output=True
        )
        killed += ran.returncode == 99
        seen_by_lint = codes(project.lint())
        if (project.specs / JOURNAL).exists():
            assert seen_by_lint == ["AG1301"]
        else:
            assert not seen_by_lint
            assert project.records() in ({}, wanted)
        project.record("1.12")
        assert project.records() == wanted, step
        left = [path.name for path in project.specs.rglob(".*")]
        assert JOURNAL not in left
        if ran.returncode == 0:
            break
        step += 23
    assert killed >= 5


@pytest.mark.parametrize(
    "journal",
    [
        '{"../../history/outside.yaml": "x"}',
        '{"things.example.com/v6.yaml": "x"}',
        '{"history/1.0.py": "x"}',
        '{"/tmp/history/1.0.yaml": "x"}',
        "[1]",
        "{",
        '"x"',
        "[" * 100_000,
    ],
)
def test_journal_paths_outside_are_rejected(journal: str, tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    before = tree(tmp_path)
    project.file(JOURNAL).write_text(journal)
    ran = apigen(tmp_path, "release", "1.12")
    assert (ran.code, "remove it" in ran.err) == (3, True), ran
    assert tree(tmp_path).keys() - before.keys() == {f"api-specs/{JOURNAL}"}
    assert all(tree(tmp_path)[path] == content for path, content in before.items())


def test_a_link_in_place_of_the_journal_is_not_followed(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    target = tmp_path / "target.json"
    target.write_text(json.dumps({"x.yaml": "x"}))
    project.file(JOURNAL).symlink_to(target)
    complete(project.specs)
    assert target.exists() and not project.file("x.yaml").exists()


@pytest.mark.slow
def test_concurrent_runs_record_the_same(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    runs = [
        subprocess.Popen(command("release", "1.12"), cwd=tmp_path, env=environment(), stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    said = [run.communicate(timeout=120)[0].decode() for run in runs]
    assert [run.returncode for run in runs] == [0, 0, 0]
    assert [text.startswith("no changes since the last record\n") for text in said].count(True) == 2
    assert not project.lint().diagnostics
    assert os.listdir(project.specs) and ROOT.exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    project.file("history").write_text("")  # a file where the folder must be
    ran = apigen(tmp_path, "release", "1.12")
    assert ran.code == 3 and "Traceback" not in ran.err, ran
    assert not [path for path in project.records() if path.endswith(".yaml")]
    assert not project.file(JOURNAL).exists()


@pytest.mark.slow
def test_build_cache_depends_on_the_records(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    project.record("1.12")
    assert apigen(tmp_path, "generate").code == 0
    assert apigen(tmp_path, "verify").code == 0
    project.edit(f"{HISTORY}/1.12.yaml", "of: things", "of: thongs")
    ran = apigen(tmp_path, "verify")
    assert ran.code == 1 and "AG1300" in ran.err + ran.out


def test_output_depends_on_next_release_only_if_declared(tmp_path: Path) -> None:
    frobbers(tmp_path)
    (tmp_path / "apigen.toml").write_text('release = "1.13"\n')
    assert apigen(tmp_path, "lint").code == 0
    (tmp_path / "apigen.toml").write_text("release = 1.13\n")
    ran = apigen(tmp_path, "lint")
    assert ran.code == 2 and "`release` is a string, not a number" in ran.out, ran
    (tmp_path / "apigen.toml").write_text('release = "next"\n')
    ran = apigen(tmp_path, "lint")
    assert ran.code == 2 and "a release is written like" in ran.out, ran
    (tmp_path / "apigen.toml").unlink()
    assert apigen(tmp_path, "lint", "--release", "one").code == 2


def test_next_release(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    assert Project(tmp_path).recorded().target_release(None) is None
    project.record("1.12")
    recorded = project.recorded()
    assert str(recorded.target_release(None)) == "1.13"


@pytest.mark.parametrize("command", ["lint", "generate", "verify"])
def test_next_release_is_not_a_past_release(command: str, tmp_path: Path) -> None:
    """The recorded release was compared with later releases as if they were earlier ones."""
    project = frobbers(tmp_path)
    project.record("1.11")
    project.record("1.12")
    ran = apigen(tmp_path, command, "--release", "1.11")
    assert ran.code == 1 and "AG1303: 1.12 is recorded, and 1.11 is not a release after it" in ran.out + ran.err, ran
    (tmp_path / "apigen.toml").write_text('release = "0.9"\n')
    ran = apigen(tmp_path, command)
    assert ran.code == 1 and "apigen.toml:1:1: error AG1303: 1.12 is recorded, and 0.9 is not" in ran.out + ran.err, ran


def test_recorded_release_is_compared_with_its_predecessor(tmp_path: Path) -> None:
    """As in CI, right after `apigen release`, where the configuration names the release."""
    project = frobbers(tmp_path)
    project.record("1.11")
    project.record("1.12")
    assert "rollback from 1.12 to 1.11: " in apigen(tmp_path, "lint", "--release", "1.12").out
    assert "rollback from 1.13 to 1.12: " in apigen(tmp_path, "lint").out


@pytest.mark.parametrize("release", ["1.010", "01.2", "1.00"])
def test_noncanonical_release_is_rejected(release: str, tmp_path: Path) -> None:
    """1.010 was silently treated as 1.10."""
    project = frobbers(tmp_path)
    assert apigen(tmp_path, "release", release).code == 2
    assert apigen(tmp_path, "lint", "--release", release).code == 2
    project.edit(f"{GROUP}/group.yaml", 'introduced: "1.11"', f'introduced: "{release}"')
    assert "AG0210" in codes(project.lint())
    assert not project.records()


def test_an_empty_release_is_one_error(tmp_path: Path) -> None:
    frobbers(tmp_path)
    ran = apigen(tmp_path, "lint", "--release", "")
    assert ran.code == 2 and ran.out.count("AG0902:") == 1, ran


@pytest.mark.slow
@pytest.mark.parametrize("output", ["generated", "generated/old", ".", "link"])
def test_recorded_code_does_not_replace_generated_code(output: str, tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    (tmp_path / "apigen.toml").write_text('package = "generated"\n')
    (tmp_path / "link").symlink_to("generated")
    project.record("1.12")
    assert apigen(tmp_path, "generate").code == 0
    ran = apigen(tmp_path, "generate", "--recorded", "1.12", "--output", output)
    assert ran.code == 2 and "AG0906" in ran.err, ran
    assert apigen(tmp_path, "verify").code == 0
    assert apigen(tmp_path, "generate", "--recorded", "1.12", "--output", "old").code == 0


def test_recorded_release_is_not_the_next_release(tmp_path: Path) -> None:
    frobbers(tmp_path).record("1.12")
    ran = apigen(tmp_path, "generate", "--recorded", "1.12", "--release", "1.13", "--output", "old")
    assert ran.code == 2 and "`--recorded` and `--release` are mutually exclusive" in ran.err, ran
    assert not (tmp_path / "old").exists()


@pytest.mark.slow
def test_release_with_failed_generation_reports_next_command(tmp_path: Path) -> None:
    """The records are kept; only `generate` is needed after the problem is fixed."""
    folder = new_project(tmp_path)
    assert apigen(folder, "generate").code == 0
    shutil.rmtree(folder / "generated" / "docs")
    (folder / "generated" / "docs").write_text("in the way")
    ran = apigen(folder, "release", "1.0")
    assert ran.code == 1 and "recorded  " in ran.out
    assert "release 1.0 is recorded, but the output is not up to date" in ran.err and "`apigen generate`" in ran.err
    (folder / "generated" / "docs").unlink()
    assert apigen(folder, "generate").code == 0
    assert apigen(folder, "verify").code == 0
