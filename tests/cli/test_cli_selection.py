"""`kinds` and `groups` of the configuration, from the command line's side."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import apigen, new_project, tree

OTHER = """
group: other.example
versions: {v1: {introduced: "1.0", storage: true}}
hub: v1
kinds: {Thing: {scope: Cluster, plural: things}, Idle: {scope: Cluster, plural: idles}}
"""
TYPES = """
types:
  Thing: {fields: {metadata: {type: meta/v1.ObjectMeta, required: false}, size: {type: int32}}}
  Idle: {fields: {metadata: {type: meta/v1.ObjectMeta, required: false}, height: {type: int32}}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = new_project(tmp_path)
    group = project / "api-specs/other.example"
    group.mkdir()
    (group / "group.yaml").write_text(OTHER)
    (group / "v1.yaml").write_text(TYPES)
    return project


def configure(project: Path, text: str) -> None:
    (project / "apigen.toml").write_text(text)


def test_locks_cover_all_specs(project: Path) -> None:
    """Numbers never change, including those of kinds that are not selected."""
    configure(project, 'kinds = ["Thing"]\n')
    assert apigen(project, "generate").code == 0
    made = tree(project)
    assert "class Idle" not in made["generated/other_example/v1/types.py"].decode()
    assert "  Idle:\n" in made["api-specs/other.example/v1.lock.yaml"].decode()
    assert "api-specs/example.com/v1.lock.yaml" in made
    assert not any(path.startswith("generated/example_com/") for path in made)


@pytest.mark.slow
def test_output_no_longer_selected_is_removed(project: Path) -> None:
    assert apigen(project, "generate").code == 0
    everything = tree(project)
    configure(project, 'groups = ["example.com"]\nkinds = ["Thing.other.example"]\n')
    assert apigen(project, "verify").code == 1
    assert apigen(project, "generate").code == 0
    part = tree(project / "generated")
    assert "example_com/v1/types.py" in part and "other_example/v1/types.py" in part
    assert "class Idle" not in part["other_example/v1/types.py"].decode()
    configure(project, everything["apigen.toml"].decode())
    assert apigen(project, "generate").code == 0
    assert tree(project) == everything


def test_lint_checks_kinds_that_are_not_selected(project: Path) -> None:
    configure(project, 'kinds = ["Thing"]\n')
    path = project / "api-specs/example.com/v1beta1.yaml"
    path.write_text(
        path.read_text() + "  Extra: {fields: {metadata: {type: string}}, hubOnly: {none: {drop: nothing}}}\n"
    )
    assert apigen(project, "generate").code == 0, "conversions of omitted kinds are not generated"
    ran = apigen(project, "lint")
    assert ran.code == 1
    assert "`none`" in ran.out


def test_unknown_kind_is_rejected_with_suggestion(project: Path) -> None:
    configure(project, 'specs = "api-specs"\nkinds = ["Thng"]\n')
    ran = apigen(project, "generate")
    assert ran.code == 2
    assert ran.err.startswith(
        "apigen.toml:2:1: error AG0907: `Thng` in `kinds` does not exist\n"
        "  |\n"
        '2 | kinds = ["Thng"]\n'
        "  | ^\n"
        "  = help: did you mean `Thing`?\n"
    )


def test_a_list_of_kinds(project: Path) -> None:
    configure(project, "kinds = []\n")
    ran = apigen(project, "generate")
    assert ran.code == 2
    assert 'write kinds = ["name"]' in ran.err
