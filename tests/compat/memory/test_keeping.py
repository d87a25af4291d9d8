"""What an earlier run read is used again, and only where it would be the same."""

from __future__ import annotations

import os
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from apigen.compat.memory import contents
from apigen.compat.memory.keeper import Keeper
from apigen.compat.memory.known_review import known_review
from apigen.compat.memory.packing import DamagedError, pack, unpack
from apigen.compat.review import Review, review
from apigen.compat.sources import specs
from apigen.compat.sources.both import load_both
from apigen.compat.sources.loading import load
from apigen.compat.sources.source import Setting
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.example import ABSENT
from apigen.diagnostics import Report
from apigen.spec.build_nodes import build_nodes
from apigen.spec.source import SourceFile
from tests.compat.sources.things import TYPES, commit, loaded, refused, repository, write_things


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    """A project with a cache."""
    folder = repository(tmp_path / "project")
    return Setting(folder, folder / "api-specs", cache=tmp_path / "cache")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders of specs that were really read."""
    found: list[str] = []
    load_specs = specs.Specs.load

    def counted(self: specs.Specs, said: str, setting: Setting, report: Report) -> Surface | None:
        found.append(said)
        return load_specs(self, said, setting, report)

    monkeypatch.setattr(specs.Specs, "load", counted)
    return found


def entries(setting: Setting) -> list[Path]:
    """The files of the cache."""
    assert setting.cache is not None
    return [path for path in setting.cache.rglob("*") if path.is_file()]


@pytest.mark.parametrize("said", ["api-specs", "main", "HEAD:api-specs"])
def test_a_surface_is_read_once(said: str, setting: Setting, reads: list[str]) -> None:
    first = loaded(said, setting)
    assert loaded(said, setting) == first
    assert len(reads) == 1


def test_what_changed_is_read_again(setting: Setting, reads: list[str]) -> None:
    first = loaded("api-specs", setting)
    write_things(setting.folder / "api-specs", TYPES.replace("int32", "int64"))
    assert loaded("api-specs", setting) != first
    assert len(reads) == 2


def test_of_what_changed_only_the_files_that_did_are_read(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def counted(file: SourceFile, report: Report) -> object:
        parsed.append(file.name)
        return build_nodes(file, report)

    monkeypatch.setattr("apigen.spec.load.build_nodes", counted)
    loaded("api-specs", setting)
    assert len(parsed) > 1
    write_things(setting.folder / "api-specs", TYPES.replace("int32", "int64"))
    parsed.clear()
    changed = loaded("api-specs", setting)
    assert parsed == ["api-specs/things.example.com/v1.yaml"]
    assert changed == loaded("api-specs", replace(setting, cache=None))


def test_a_branch_that_moved_is_read_again(setting: Setting, reads: list[str]) -> None:
    loaded("main", setting)
    write_things(setting.folder / "api-specs", TYPES.replace("int32", "int64"))
    commit(setting.folder)
    loaded("main", setting)
    assert len(reads) == 2


def test_places_come_back(setting: Setting) -> None:
    first, again = loaded("api-specs", setting), loaded("api-specs", setting)
    assert repr(dict(first.groups["things.example.com"].versions["v1"].types)) == repr(
        dict(again.groups["things.example.com"].versions["v1"].types)
    )


def test_nothing_is_kept_of_what_cannot_be_read(setting: Setting) -> None:
    write_things(setting.folder / "api-specs", TYPES.replace("int32", "int33"))
    assert refused("api-specs", setting) == refused("api-specs", setting)
    assert entries(setting) == []


def test_nothing_is_kept_without_a_cache(setting: Setting) -> None:
    loaded("api-specs", Setting(setting.folder, setting.specs))
    assert entries(setting) == []


def test_a_damaged_entry_is_made_anew_with_a_warning(setting: Setting) -> None:
    first = loaded("api-specs", setting)
    for entry in entries(setting):
        entry.write_bytes(entry.read_bytes()[:-7] + b"garbage")
    report = Report()
    assert load("api-specs", setting, report) == first
    assert {each.code for each in report.diagnostics} == {"AG1408"}
    assert loaded("api-specs", setting) == first


def test_a_cache_that_cannot_be_written_is_no_harm(setting: Setting) -> None:
    assert setting.cache is not None
    setting.cache.write_text("a file where the folder should be", encoding="utf-8")
    report = Report()
    assert load("api-specs", setting, report) is not None
    assert {each.code for each in report.diagnostics} == {"AG1408"}


SCHEMA = """\
{"$defs": {"part": {"type": "object", "properties": {"inner": {"$ref": "#/$defs/part"}, "a": %s}}},
 "type": "object", "properties": {"part": {"$ref": "#/$defs/part"}, "b": {"anyOf": [{"$ref": "#/properties/part"}]}}}
"""
DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {part: {type: object, properties: {a: %s}}}}
"""
OLD, NEW = '{"type": "string", "anyOf": [{"maxLength": 3}]}', '{"type": "string", "anyOf": [{"maxLength": 2}]}'


@pytest.mark.parametrize(("name", "text"), [("api.json", SCHEMA), ("api.yaml", DEFINITION)])
def test_schemas_that_come_back_are_judged_as_before(name: str, text: str, setting: Setting) -> None:
    def judged(new: str) -> list[tuple[str, str, str]]:
        (setting.folder / name).write_text(text % new, encoding="utf-8")
        found = review(loaded(f"main:{name}", setting), loaded(name, setting))
        return [(each.rule, str(each.element), str(each.severity)) for each in found.findings]

    (setting.folder / name).write_text(text % OLD, encoding="utf-8")
    commit(setting.folder)
    first, again = judged(NEW), judged(NEW)
    assert first and first == again and entries(setting)
    assert not judged(OLD)


def test_runs_share_a_cache(setting: Setting) -> None:
    with ProcessPoolExecutor(4) as pool:
        found = list(pool.map(loaded, ["api-specs"] * 8, [setting] * 8))
    assert all(each == found[0] for each in found)


def test_both_sides_are_loaded_at_the_same_time(setting: Setting) -> None:
    write_things(setting.folder / "new", TYPES.replace("int32", "int64"))
    report = Report()
    old, new = load_both("api-specs", "new", setting, report, processes=2)
    assert (old, new) == (loaded("api-specs", setting), loaded("new", setting))
    assert not report.diagnostics


def test_errors_of_both_sides_are_told(setting: Setting) -> None:
    write_things(setting.folder / "new", TYPES.replace("int32", "int33"))
    write_things(setting.folder / "old", TYPES.replace("int32", "int34"))
    report = Report()
    assert load_both("old", "new", setting, report, processes=2) == (None, None)
    assert {each.place.file.partition("/")[0] for each in report.diagnostics} == {"old", "new"}


def test_a_review_is_made_once(setting: Setting) -> None:
    write_things(setting.folder / "new", TYPES.replace("int32", "int64"))
    made: list[Review] = []

    def make() -> Review:
        made.append(review(loaded("api-specs", setting), loaded("new", setting)))
        return made[-1]

    sides = ("api-specs", "new")
    first = known_review(sides, ("api",), setting, Report(), make)
    again = known_review(sides, ("api",), setting, Report(), make)
    assert first == again and len(made) == 1
    assert again is not None and again.findings and again.old == first.old  # type: ignore[union-attr]
    known_review(sides, ("wire",), setting, Report(), make)
    assert len(made) == 2


def test_there_is_one_absent() -> None:
    assert unpack(pack((ABSENT,)))[0] is ABSENT


@dataclass(frozen=True)
class Stranger:
    """A class that is no part of the model."""

    name: str


class Calls:
    """What a file from elsewhere would call."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("called",)


@pytest.mark.parametrize("value", [Stranger("x"), Calls(), Path("x"), Keeper])
def test_nothing_else_is_unpacked(value: object, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DamagedError):
        unpack(pickle.dumps(value))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("data", [b"", b"x", b"\x80\x05", pickle.dumps([1, 2])[:-1]])
def test_what_is_no_value_is_refused(data: bytes) -> None:
    with pytest.raises(DamagedError):
        unpack(data)


def test_a_file_that_goes_after_it_was_listed_is_no_crash(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = contents._listed

    def gone(folder: str) -> list[os.DirEntry[str]]:
        found = listed(folder)
        for entry in found:
            if entry.is_file():
                Path(entry.path).unlink()
        return found

    monkeypatch.setattr(contents, "_listed", gone)
    report = Report()
    assert load("api-specs", setting, report) is None
    assert [each.code for each in report.diagnostics] == ["AG1401"]


def test_what_is_read_while_files_change_is_not_kept(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    before = load("api-specs", replace(setting, cache=None), Report())
    load_specs = specs.Specs.load

    def changing(self: specs.Specs, said: str, setting: Setting, report: Report) -> Surface | None:
        write_things(setting.folder / "api-specs", TYPES.replace("default: 3", "default: 4"))
        return load_specs(self, said, setting, report)

    monkeypatch.setattr(specs.Specs, "load", changing)
    assert load("api-specs", setting, Report()) != before
    monkeypatch.undo()
    write_things(setting.folder / "api-specs")
    assert load("api-specs", setting, Report()) == before
