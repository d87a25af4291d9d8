"""Bounds are read by checks and by the backends that say so, and an edit of bounds reaches what these make."""

from __future__ import annotations

import random
import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from apigen import pipeline
from apigen.backends.registry import BACKENDS, BOUNDED, backend_of
from apigen.backends.types.borrowed import borrowed_classes
from apigen.choice import everything
from apigen.config import Config
from apigen.diagnostics import Report
from apigen.ir import literal_reader
from apigen.ir.locks import plan_locks
from apigen.ir.resolve import resolve
from apigen.pipeline import Sources, check_part, compile_good
from apigen.project import build, partial
from apigen.project.memory import Memory
from apigen.project.publishing import publish_project
from apigen.spec.load import load_api
from apigen.spec.model import BOUNDS, ApiSpec, Constraints, FieldSpec
from tests.project.projects import bound
from tests.project.test_partial_builds import agree, built, replaced
from tests.project.test_partial_builds import config as config
from tests.project.test_rewording import sources as sources


class Unread(Constraints):
    """Constraints of which nobody may read bounds, nor whether there are any. All are alike, so that none decides anything."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name in BOUNDS or name in ("is_empty", "__repr__"):
            raise AssertionError(f"{name} is read")
        return super().__getattribute__(name)

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Unread), "whether there are any constraints is read"
        return True

    def __hash__(self) -> int:
        return 0


def unread(value: Any, known: dict[int, Any]) -> Any:
    """A value of the spec model, of which nobody may read bounds."""
    if id(value) not in known:
        known[id(value)] = _unread(value, known)
    return known[id(value)]


def _unread(value: Any, known: dict[int, Any]) -> Any:
    if type(value) is tuple:
        return tuple(unread(each, known) for each in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    if isinstance(value, FieldSpec) and value.inline:
        return value  # that it says nothing of the kind is found when it is read
    parts = {field.name: unread(getattr(value, field.name), known) for field in fields(value) if field.init}
    return Unread(**parts) if isinstance(value, Constraints) else type(value)(**parts)


def test_nobody_else_reads_bounds(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    """Literals are judged by them wherever one is read; what is bad is told by checks, which an edit of bounds runs again."""
    monkeypatch.setattr(literal_reader, "violations", lambda *_: iter(()))
    assert sources.specs is not None
    report = Report()
    own = load_api(sources.specs, report)
    whole = check_part(own, sources, report)
    assert whole.api is not None
    assert whole.compilation is not None
    spec: ApiSpec = unread(whole.spec, {})
    api = resolve(spec, report, is_checked=False)
    compilation = pipeline._compile(api, everything(own), whole.own, sources, report)
    assert not report.has_errors
    assert [*plan_locks(api, spec)] == [*plan_locks(whole.api, whole.spec)]
    for name in BACKENDS.keys() - BOUNDED.keys():
        assert [*backend_of(name)(compilation)] == [*backend_of(name)(whole.compilation)], name
    for name in BOUNDED:
        with pytest.raises(AssertionError, match=" is read"):
            list(backend_of(name)(compilation))


@pytest.mark.parametrize("name", BOUNDED)
def test_who_reads_bounds_needs_no_conversions(sources: Sources, name: str) -> None:
    assert sources.specs is not None
    own, report = load_api(sources.specs, Report()), Report()
    whole, types = check_part(own, sources, report).compilation, compile_good(own, sources, report, has_bounds=True)
    assert whole is not None
    assert types is not None
    types = types.told(borrowed_classes, whole.once(borrowed_classes))
    files = [*backend_of(name)(types)]
    assert files == [*backend_of(name)(whole)]
    assert files
    assert all(re.search(BOUNDED[name], file.path) for file in files)


def refused(*_: object) -> None:
    raise AssertionError("this is no slight edit")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("base/v1.yaml", "minimum: 0", "minimum: 1"),
        ("base/v1.yaml", "1, minimum: 0", "1"),
        ("base/v1.yaml", "minimum: 0", "minimum: 0, maximum: 7"),
        ("base/v1.yaml", "minimum: 0", "\n        # a remark\n        minimum: 1, doc: How many."),
        ("base/v1.yaml", "protobuf: 3}", "protobuf: 3, maxLength: 9}"),
        ("a.example.com/v1.yaml", "minimum: 0", "minimum: 3"),
        ("a.example.com/v1.yaml", '"map[string]string"', '"map[string]string", maxProperties: 3'),
        ("b.example.com/v1.yaml", "size: {", "size: {doc: How large it is., maximum: 9, "),
        ("c.example.com/v1.yaml", "minimum: 1", "exclusiveMinimum: 1"),
    ],
)
def test_an_edit_of_bounds_is_not_compiled_as_others_are(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str
) -> None:
    cache, spec = tmp_path / "cache", config.specs / file
    before = spec.read_text()
    for edited in (old, new):
        replaced(spec, old, edited)
        first = agree(config, cache, edited)
        assert first is not None
        assert publish_project(config, first, Report()) is not None
        spec.write_text(before)
        with monkeypatch.context() as patched:
            patched.setattr(partial, "build_partly", refused)
            patched.setattr(build, "_build", refused)
            assert built(config, Memory(cache, config))[0] is not None
        agree(config, cache, "as it was")


@pytest.mark.parametrize("seed", range(2))
def test_edits_of_bounds_one_after_the_other(config: Config, tmp_path: Path, seed: int) -> None:
    chance, cache = random.Random(seed), tmp_path / "cache"
    paths = [path for path in sorted(config.specs.rglob("v*.yaml")) if ".lock." not in path.name]
    for number in range(10):
        result = agree(config, cache, f"seed {seed}, edit {number}")
        if result is not None:
            assert publish_project(config, result, Report()) is not None
        for path in chance.sample(paths, chance.choice((1, 1, 1, 2, 3))):
            path.write_text(bound({path: path.read_text()}, path, chance)[path])


SIZE = "      size: {type: int32, protobuf: 1, minimum: 3}\n"


@pytest.mark.parametrize(
    ("written", "bad"),
    [
        (f"{SIZE}      more: {{type: int32, optional: true, default: 3, maximum: 3}}\n", "maximum: 2"),
        (
            f"{SIZE}      more: {{type: More, optional: true, default: 3}}\n  More: {{is: int32, maximum: 3}}\n",
            "maximum: 2",
        ),
        (SIZE.replace("}", ", maximum: 3}"), "maximum: 2"),
    ],
)
def test_bounds_that_are_bad_are_told(config: Config, tmp_path: Path, written: str, bad: str) -> None:
    cache, spec = tmp_path / "cache", config.specs / "b.example.com/v1.yaml"
    replaced(spec, SIZE, written)
    good = agree(config, cache, "good")
    assert good is not None
    assert publish_project(config, good, Report()) is not None
    replaced(spec, "maximum: 3", bad)
    assert agree(config, cache, "bad") is None
    replaced(spec, bad, "maximum: 3")
    assert agree(config, cache, "good again") is not None


def test_bounds_that_a_strategy_breaks_are_told(config: Config, tmp_path: Path) -> None:
    cache, group = tmp_path / "cache", config.specs / "b.example.com"
    replaced(group / "group.yaml", "gadgets}", "gadgets, strategy: {create: {set: {count: 3}}}}")
    replaced(
        group / "v1.yaml",
        "  Holder:",
        "      count: {type: Count, optional: true}\n  Count: {is: int32, maximum: 3}\n  Holder:",
    )
    good = agree(config, cache, "good")
    assert good is not None
    assert publish_project(config, good, Report()) is not None
    replaced(group / "v1.yaml", "maximum: 3", "maximum: 2")
    assert agree(config, cache, "bad") is None
    assert [each.code for each in built(config, Memory(cache, config))[1] if each.severity == "error"] == ["AG0616"]
