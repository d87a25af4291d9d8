"""Whose words the files of the output repeat is what backends say of them, and an edit of words reaches no others."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Container
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from apigen.backends.registry import WORDED, backend_of
from apigen.backends.types.borrowed import borrowed_classes
from apigen.compilation import Compilation, Worded, no_words
from apigen.config import Config
from apigen.diagnostics import Place, Report
from apigen.ir.types import TypeId
from apigen.ir.words import other_words, words_of
from apigen.pipeline import Sources, check_part, compile_good, generate
from apigen.project import build, partial
from apigen.project.memory import Memory
from apigen.project.publishing import publish_project
from apigen.spec.load import load_api
from apigen.spec.model import Located, TypeSpec
from apigen.spec.wording import Difference, difference
from tests.project.projects import write_project
from tests.project.test_partial_builds import agree, built
from tests.project.test_partial_builds import config as config

SPECS = Path(__file__).resolve().parents[2] / "api-specs"
SOME = ("networking.k8s.io", "policy", "flowcontrol.apiserver.k8s.io", "autoscaling")
"""Groups of Kubernetes, which name many types of others."""


class Listening:
    """Has every file made, and notes whose words it repeats."""

    def __init__(self) -> None:
        self.words: dict[str, Container[TypeId]] = {}

    def text(
        self, path: str, package: str, make: Callable[[], str], besides: tuple[object, ...], words: Worded = no_words
    ) -> bytes:
        self.words[path] = words()
        return make().encode()


def generated(compilation: Compilation | None) -> tuple[dict[str, bytes], Listening]:
    assert compilation is not None
    listening = Listening()
    return {f.path: f.content for f in generate(replace(compilation, known=listening))}, listening


def reworded(value: Any, chance: random.Random, rarity: int, is_chosen: bool = False) -> Any:
    """A value of the spec model, all of which stands elsewhere, and some of whose types have another documentation."""
    if isinstance(value, Place):
        return replace(value, line=value.line + 7, column=value.column + 3) if value.line else value
    if type(value) is tuple:
        return tuple(reworded(each, chance, rarity, is_chosen) for each in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    if isinstance(value, TypeSpec):
        is_chosen = chance.randrange(rarity) == 0
    parts = {
        field.name: reworded(getattr(value, field.name), chance, rarity, is_chosen)
        for field in fields(value)
        if field.init
    }
    if "doc" in parts and is_chosen:
        parts["doc"] = chance.choice((None, Located(f"Said anew: {chance.random()}.", Place("x"))))
    return type(value)(**parts)


@pytest.fixture(params=["made up", "things", "some of Kubernetes"])
def sources(request: pytest.FixtureRequest, tmp_path: Path) -> Sources:
    if request.param == "made up":
        return Sources(write_project(tmp_path) / "api-specs")
    names = SOME if request.param == "some of Kubernetes" else ("things.example.com",)
    root = SPECS / "kubernetes" if request.param == "some of Kubernetes" else SPECS
    for name in names:
        shutil.copytree(root / name, tmp_path / "specs" / name, ignore=shutil.ignore_patterns("history"))
    shutil.copy(root / "features.yaml", tmp_path / "specs")
    return Sources(tmp_path / "specs", SPECS.parent / "handwritten")


@pytest.mark.parametrize("rarity", [1, 4])
def test_files_repeat_the_words_of_those_whose_they_say(sources: Sources, rarity: int) -> None:
    assert sources.specs is not None
    own, report = load_api(sources.specs, Report()), Report()
    chance = random.Random(rarity)
    groups = tuple(
        replace(
            group,
            version_files=reworded(group.version_files, chance, rarity),
            hub_file=reworded(group.hub_file, chance, rarity),
        )
        for group in own.groups
    )
    assert {*map(difference, own.groups, groups)} == {Difference.WORDS}
    compilation = check_part(own, sources, report).compilation
    other = check_part(replace(own, groups=groups), sources, report).compilation
    assert not report.has_errors
    (before, _), (after, listening) = generated(compilation), generated(other)
    assert compilation is not None
    assert other is not None
    others = other_words(words_of(compilation.types.values()), other.types)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed
    assert {path for path in changed if not any(id_ in listening.words.get(path, ()) for id_ in others)} == set()
    types = compile_good(replace(own, groups=groups), sources, report)
    assert types is not None
    types = types.told(borrowed_classes, compilation.once(borrowed_classes))
    made = {file.path: file.content for name in WORDED for file in backend_of(name)(types)}
    assert {path for path, words in listening.words.items() if words and made.get(path) != after.get(path)} == set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("types:\n", "types:\n\n  # a remark\n"),
        ("Condition:\n", "Condition:\n    doc: How something is.\n"),
        ("status: {", "status: {doc: Whether it is., "),
        ("Yes: {}", "Yes: {doc: It is so.}"),
    ],
)
def test_an_edit_of_words_is_not_compiled_as_others_are(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    cache, spec = tmp_path / "cache", config.specs / "base/v1.yaml"
    first = agree(config, cache, "at first")
    assert first is not None
    assert publish_project(config, first, Report()) is not None  # with its locks, which count
    assert old in spec.read_text()
    spec.write_text(spec.read_text().replace(old, new))

    def refused(*_: object) -> None:
        raise AssertionError("no edit of words")

    with monkeypatch.context() as patched:
        patched.setattr(partial, "build_partly", refused)
        patched.setattr(build, "_build", refused)
        assert built(config, Memory(cache, config))[0] is not None
    spec.write_text(spec.read_text().replace(new, new.replace(" i", " I")))
    assert agree(config, cache, "and again") is not None
    spec.write_text(spec.read_text().replace("protobuf: 3}", "protobuf: 3, maxLength: 20}"))
    assert agree(config, cache, "something else") is not None


@pytest.mark.parametrize("folder", ["api-specs", "a\\b'\"é"])
def test_what_was_found_moves_with_the_words(config: Config, tmp_path: Path, folder: str) -> None:
    config = replace(config, specs=config.specs.rename(config.specs.with_name(folder)))
    spec = config.specs / "a.example.com/v1.yaml"
    spec.write_text(spec.read_text() + "  Idle:\n    fields:\n      name: {type: string}\n")
    first = agree(config, tmp_path / "cache", "a type that nobody uses")
    assert first is not None
    assert first.warnings
    assert publish_project(config, first, Report()) is not None
    spec.write_text(spec.read_text().replace("types:\n", "types:\n  # a remark\n"))
    second = agree(config, tmp_path / "cache", "a remark above it")
    assert second is not None
    assert second.warnings != first.warnings
