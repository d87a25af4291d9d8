"""A review of an earlier run is used again, and only if it would be the same."""

from __future__ import annotations

import os
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.files import folder_contents as contents
from apigen.files.packing import DamagedError, pack, unpack
from apigen.inputs.source import Setting
from apigen.ir.surface import Surface
from apigen.review.finding import Review
from apigen.review.links import Links
from apigen.review.results import ABSENT
from apigen.review.review import review
from apigen.review.running import cached_review
from apigen.review.sources import specs
from apigen.review.sources.loading import load
from tests.review.sources.things import TYPES, commit, repository, write_things


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    """A project with a cache."""
    folder = repository(tmp_path / "project")
    return Setting(folder, folder / "api-specs", cache=tmp_path / "cache")


def entries(setting: Setting) -> list[Path]:
    """The files of the cache."""
    assert setting.cache is not None
    return [path for path in setting.cache.rglob("*") if path.is_file()]


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


def made(setting: Setting, old: str, new: str, preset: str = "api") -> tuple[Review | None, Report, bool]:
    """A review with the cache: what came out, what was reported, and whether it was made."""
    calls: list[str] = []
    report = Report()

    def make() -> Review | None:
        calls.append("")
        before, after = load(old, setting, report), load(new, setting, report)
        return None if before is None or after is None else review(before, after)

    return cached_review((old, new), (preset,), setting, report, make), report, bool(calls)


@pytest.mark.parametrize("old", ["api-specs", "main", "HEAD:api-specs"])
def test_review_is_computed_once(setting: Setting, old: str) -> None:
    write_things(setting.folder / "new", TYPES.replace("int32", "int64"))
    first, _, is_made = made(setting, old, "new")
    again, report, is_made_again = made(setting, old, "new")
    assert is_made and not is_made_again and not report.diagnostics
    assert first is not None and again == first and again.findings
    assert again.old == first.old and repr(again.findings) == repr(first.findings)
    assert made(setting, old, "new", "wire")[2]


def test_review_of_a_changed_side_is_recomputed(setting: Setting) -> None:
    made(setting, "main", "api-specs")
    write_things(setting.folder / "api-specs", TYPES.replace("int32", "int64"))
    assert made(setting, "main", "api-specs")[2]
    commit(setting.folder)
    assert made(setting, "main", "api-specs")[2]
    assert not made(setting, "main", "api-specs")[2]


def test_side_with_errors_is_not_cached(setting: Setting) -> None:
    write_things(setting.folder / "old", TYPES.replace("int32", "int34"))
    write_things(setting.folder / "new", TYPES.replace("int32", "int33"))
    for _ in range(2):
        found, report, is_made = made(setting, "old", "new")
        assert found is None and is_made
        assert {each.place.file.partition("/")[0] for each in report.diagnostics} == {"old", "new"}
    assert entries(setting) == []


def test_nothing_is_stored_without_a_cache(setting: Setting) -> None:
    assert made(replace(setting, cache=None), "main", "api-specs")[2]
    assert entries(setting) == []


def test_damaged_entry_is_recreated_with_a_warning(setting: Setting) -> None:
    first, *_ = made(setting, "main", "api-specs")
    for entry in entries(setting):
        entry.write_bytes(entry.read_bytes()[:-7] + b"garbage")
    again, report, is_made = made(setting, "main", "api-specs")
    assert again == first and is_made
    assert {each.code for each in report.diagnostics} == {"AG1408"}
    assert not made(setting, "main", "api-specs")[2]


def test_unwritable_cache_is_ignored(setting: Setting) -> None:
    assert setting.cache is not None
    setting.cache.write_text("a file where the folder should be", encoding="utf-8")
    found, report, _ = made(setting, "main", "api-specs")
    assert found is not None
    assert {each.code for each in report.diagnostics} == {"AG1408"}


@pytest.mark.parametrize(("name", "text"), [("api.json", SCHEMA), ("api.yaml", DEFINITION)])
def test_reviews_of_schemas_are_cached(name: str, text: str, setting: Setting) -> None:
    for content in (OLD, NEW):
        (setting.folder / name).write_text(text % content, encoding="utf-8")
        commit(setting.folder)
    sides = f"main~1:{name}", f"main:{name}"
    first, *_ = made(setting, *sides)
    again, _, is_made = made(setting, *sides)
    assert first is not None and again is not None and first.findings and not is_made
    assert [(each.rule, each.element, each.severity) for each in again.findings] == [
        (each.rule, each.element, each.severity) for each in first.findings
    ]


def _review_again(setting: Setting) -> Review | None:
    return made(setting, "main", "api-specs")[0]


@pytest.mark.slow
def test_runs_share_a_cache(setting: Setting) -> None:
    with ProcessPoolExecutor(4) as pool:
        found = list(pool.map(_review_again, [setting] * 8))
    assert found[0] is not None and all(each == found[0] for each in found)


def test_file_removed_after_listing_causes_no_crash(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = contents._listed

    def gone(folder: str) -> list[os.DirEntry[str]]:
        found = listed(folder)
        for entry in found:
            if entry.is_file():
                Path(entry.path).unlink()
        return found

    monkeypatch.setattr(contents, "_listed", gone)
    found, report, _ = made(setting, "main", "api-specs")
    assert found is None
    assert [each.code for each in report.diagnostics] == ["AG1401"]


def test_input_changed_during_reading_is_not_cached(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    write_things(setting.folder / "new")
    load_specs = specs.Specs.load

    def changing(self: specs.Specs, said: str, setting: Setting, report: Report) -> Surface | None:
        write_things(setting.folder / "new", TYPES.replace("default: 3", "default: 4"))
        return load_specs(self, said, setting, report)

    monkeypatch.setattr(specs.Specs, "load", changing)
    found, *_ = made(setting, "main", "new")
    assert found is not None and found.findings
    monkeypatch.undo()
    write_things(setting.folder / "new")
    found, _, is_made = made(setting, "main", "new")
    assert found is not None and not found.findings and is_made


def test_absent_is_a_singleton_after_unpacking() -> None:
    assert unpack(pack((ABSENT,)))[0] is ABSENT


@dataclass(frozen=True)
class Stranger:
    """A class that is no part of the model."""

    name: str


class Calls:
    """What a file from elsewhere would call."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("called",)


@pytest.mark.parametrize("value", [Stranger("x"), Calls(), Path("x"), Links])
def test_other_types_are_not_unpacked(value: object, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DamagedError):
        unpack(pickle.dumps(value))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("data", [b"", b"x", b"\x80\x05", pickle.dumps([1, 2])[:-1]])
def test_invalid_data_is_rejected(data: bytes) -> None:
    with pytest.raises(DamagedError):
        unpack(data)


def test_review_of_crd_files_is_used_again(tmp_path: Path) -> None:
    setting = Setting(tmp_path, cache=tmp_path / "cache")
    for name, schema in (("old", OLD), ("new", NEW)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "thing.yaml").write_text(DEFINITION % schema, encoding="utf-8")
    first, _, is_made = made(setting, "old", "new")
    again, _, is_made_again = made(setting, "old", "new")
    assert is_made and not is_made_again and again == first
    (tmp_path / "new" / "thing.yaml").write_text(DEFINITION % OLD, encoding="utf-8")
    changed, _, is_made_now = made(setting, "old", "new")
    assert is_made_now and changed != first
