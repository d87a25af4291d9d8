"""A release is built again from its records, to the same API and the same code."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from apigen.codegen.pipeline import Sources, check, check_recorded, generate
from apigen.dataclass import replace
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.history.planning import differing, is_same
from apigen.ir.model import Api, TypeId
from apigen.language.releases import parse_release
from tests.cli.running import apigen, tree
from tests.history.projects import GROUP, ROOT, Project, frobbers, two_groups
from tests.selection.randomized_apis import Randomized, randomized_apis

FOLDERS = {
    **{
        f"{part}/{name}": ROOT / f"tests/{part}/cases/{name}/specs"
        for part, names in {
            "lenses": ["annotation", "singular", "selector", "second_hub", "split", "by_hand", "alias", "list"],
            "strategies": ["templates-of-other-groups", "several-gates", "numbers-that-count", "status-by-spec"],
        }.items()
        for name in names
        if (ROOT / f"tests/{part}/cases/{name}/specs").is_dir()
    },
}


def code_of(project: Project, release: str, *, recorded: bool = True) -> Mapping[str, bytes]:
    """What a recorded release gives, or what the specs give while they are made for that release."""
    report, parsed = Report(), parse_release(release)
    sources = Sources(project.specs, project.folder / "handwritten", project.folder, copied_from="generated")
    checked = check_recorded(sources, parsed, report) if recorded else check(replace(sources, release=parsed), report)
    assert checked.backend_input is not None and not report.has_errors, render(report.diagnostics)
    return {file.path: file.content for file in generate(checked.backend_input)}


def changed_files(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """Pages of documentation aside: a timeline knows the other releases on record."""
    changed = [path for path in {**one, **other} if one.get(path) != other.get(path)]
    return [path for path in changed if not path.startswith("docs/")]


def without_docs(project: Project) -> Project:
    """The project without what only docstrings come from."""
    for path in project.specs.rglob("*.yaml"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        assert not any(" doc: >" in line or " doc: |" in line for line in lines), path
        kept = [
            re.sub(r", doc: [^,{}]*|doc: [^,{}]*(, )?", "", line)
            for line in lines
            if not line.lstrip().startswith("doc: ")
        ]
        path.write_text("".join(kept), encoding="utf-8")
    return project


@pytest.mark.parametrize("name", FOLDERS)
def test_rebuilt_code_of_a_release_equals_the_original(name: str, tmp_path: Path, not_validated: None) -> None:
    shutil.copytree(FOLDERS[name], tmp_path / "api-specs")
    functions = FOLDERS[name].parent / "handwritten"
    shutil.copytree(functions if functions.is_dir() else ROOT / "handwritten", tmp_path / "handwritten")
    project = without_docs(Project(tmp_path))
    if project.lint().has_errors:  # the functions of other specs
        shutil.rmtree(tmp_path / "handwritten")
    before = code_of(project, "1.40", recorded=False)
    project.record("1.40")
    assert changed_files(code_of(project, "1.40"), before) == []


@pytest.mark.slow
@pytest.mark.parametrize("group", ["flowcontrol.apiserver.k8s.io", "autoscaling", "certificates.k8s.io"])
def test_a_group_of_kubernetes(group: str, tmp_path: Path, not_validated: None) -> None:
    """With lenses, second hubs and functions; types of other groups come from the catalog."""
    shutil.copytree(ROOT / "api-specs/kubernetes" / group, tmp_path / "api-specs" / group)
    shutil.copytree(ROOT / "handwritten", tmp_path / "handwritten")
    project = Project(tmp_path)
    project.write("features.yaml", "series: {name: kubernetes}\n")
    before = code_of(project, "1.36", recorded=False)
    project.record("1.36")
    assert changed_files(code_of(project, "1.36"), before) == []


@pytest.mark.slow(one_in=16)
def test_all_of_kubernetes(tmp_path: Path, not_validated: None) -> None:
    shutil.copytree(ROOT / "api-specs/kubernetes", tmp_path / "api-specs")
    shutil.copytree(ROOT / "handwritten", tmp_path / "handwritten")
    project = Project(tmp_path)
    now = api_of(project)
    project.record("1.36")
    rebuilt = project.recorded().history.api(parse_release("1.36"))
    assert list(rebuilt.types) == list(now.types)
    assert not list(differing(now, rebuilt, [group.folder for group in now.groups]))
    gates = {feature.name: feature for feature in rebuilt.features}
    assert gates.keys() == {feature.name for feature in now.features}
    assert all(is_same(feature, gates[feature.name]) for feature in now.features)


def test_docs_are_not_recorded(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    plain = without_docs(frobbers(tmp_path / "plain"))
    project.record("1.12")
    assert b"doc:" not in b"".join(project.records().values())
    assert (
        "A Frobber frobs" in code_of(project, "1.12", recorded=False)[f"{GROUP.replace('.', '_')}/v6/types.py"].decode()
    )
    assert changed_files(code_of(plain, "1.12", recorded=False), code_of(project, "1.12")) == []


@pytest.mark.slow
@settings(max_examples=8, deadline=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
@given(randomized_apis(), randomized_apis(), st.booleans())
def test_any_api_can_follow_any_other(
    tmp_path_factory: pytest.TempPathFactory, not_validated: None, first: Randomized, second: Randomized, has_code: bool
) -> None:
    """Whatever the second release changes of the first, both are built again as they were."""
    project = Project(tmp_path_factory.mktemp("made-up"))
    first.write(project.specs)
    code = code_of(project, "1.0", recorded=False) if has_code else {}
    project.record("1.0")
    was = api_of(project)
    report = Report()
    second.write(project.specs)
    changed = check(Sources(project.specs, None, project.folder), report)
    if changed.api is not None:  # it may take away what it must not
        project.record("1.1")
        assert not list(differing(changed.api, project.recorded().history.api(parse_release("1.1")), GROUPS))
    assert not list(differing(was, project.recorded().history.api(parse_release("1.0")), GROUPS))
    if has_code:
        assert changed_files(code_of(project, "1.0"), code) == []


GROUPS = ("a.example.com", "b.example.com", "meta")


def api_of(project: Project) -> Api:
    checked = project.check(Report())
    assert checked.api is not None
    return checked.api


def test_release_uses_the_latest_earlier_record_of_each_group(tmp_path: Path) -> None:
    project = two_groups(tmp_path)
    project.record("1.0")
    project.edit(
        "bells/v1.yaml",
        "pitch: {type: int32, required: false, protobuf: 1}",
        "pitch: {deprecated: '1.1', type: int32, required: false, protobuf: 1}",
    )
    project.record("1.1", "bells")
    project.edit("clocks/v1.yaml", "hands: {type: int32", "hands: {deprecated: '1.2', type: int32")
    project.record("1.2")
    history = project.recorded().history
    assert [str(release) for release in history.releases] == ["1.0", "1.1", "1.2"]
    apis = [history.api(release) for release in history.releases]
    assert [deprecated_in(api, "bells", "Tone", "pitch") for api in apis] == [None, "1.1", "1.1"]
    assert [deprecated_in(api, "clocks", "Clock", "hands") for api in apis] == [None, None, "1.2"]


def deprecated_in(api: Api, group: str, type_: str, name: str) -> str | None:
    field = api.struct(TypeId(group, "v1", type_)).field(name)
    assert field is not None
    return None if field.lifecycle.deprecated is None else str(field.lifecycle.deprecated)


@pytest.mark.slow
def test_hand_written_functions_of_the_release_are_used(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    module = tmp_path / "handwritten/things_example_com/v6/defaults.py"
    module.parent.mkdir(parents=True)
    text = (
        'def default_frobber(obj, features):\n    """Every Frobber has a name."""\n    obj.param = obj.param or "{}"\n'
    )
    module.write_text(text.format("first"))
    project.record("1.12")
    module.write_text(text.format("second"))
    project.record("1.13")
    module.unlink()
    project.record("1.14")
    path = "things_example_com/v6/hand_written_defaults.py"
    assert b'"first"' in code_of(project, "1.12")[path]
    assert b'"second"' in code_of(project, "1.13")[path]
    assert path not in code_of(project, "1.14")
    assert "functions:" in project.file(f"{GROUP}/history/1.12.yaml").read_text()


def test_only_text_modules_are_recorded(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    folder = tmp_path / "handwritten/things_example_com/v6"
    folder.mkdir(parents=True)
    (folder / "helper.py").symlink_to("/etc/hostname")
    project.record("1.12")
    assert b"functions:" not in b"".join(project.records().values())
    (folder / "helper.py").unlink()
    (folder / "helper.py").write_bytes(b"# \xff\n")
    ran = apigen(tmp_path, "release", "1.13")
    assert (ran.code, ran.err.endswith("helper.py: Python cannot decode this text\n")) == (3, True), ran.err


def test_command_writes_a_working_release(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    project.record("1.12")
    project.edit(f"{GROUP}/v6.yaml", "default: Always", "default: Never")
    before = tree(project.specs)
    ran = apigen(tmp_path, "generate", "--recorded", "1.12", "--output", "old")
    assert ran.code == 0, ran.err
    assert tree(project.specs) == before
    data = b'{"apiVersion": "things.example.com/v6", "kind": "Frobber", "height": 3}'
    program = "import sys; from old import scheme; o = scheme.decode(sys.stdin.buffer.read(), 'application/json');"
    program += "print(o.height, o.restart_policy)"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, input=data, capture_output=True, check=False)
    assert done.stdout == b"3 Always\n", done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--recorded", "1.9", "--output", "old"), 2, "release 1.9 was not recorded"),
        (("--recorded", "1.12"), 2, "requires `--output`"),
        (("--recorded", "new", "--output", "old"), 2, "a release is written like 1.13, not new"),
        (("--recorded", "1.12", "--output", "old", "--check"), 2, "are mutually exclusive"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], code: int, said: str, tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    project.record("1.12")
    ran = apigen(tmp_path, "generate", *words)
    assert (ran.code, said in ran.err) == (code, True), ran.err
    assert not (tmp_path / "old").exists()
