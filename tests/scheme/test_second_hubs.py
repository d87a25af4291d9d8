"""A kind with a second hub in another group: conversion in both directions, with losses, and by hand if declared."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from tests.generating import generate_package
from tests.proofs import run_pytest

SPECS = Path(__file__).parent / "second_hub" / "specs"
BOX, CRATE, OWN = "two/hub.Box", "one.example.com/v1", "two.example.com/v1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("second")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        yield folder


@pytest.fixture(scope="module")
def package(folder: Path) -> str:
    return generate_package(SPECS, folder)


class Both:
    """The modules of the two groups."""

    def __init__(self, package: str) -> None:
        self.scheme: Any = importlib.import_module(f"{package}.scheme")
        self.one, self.two = (importlib.import_module(f"{package}.{name}.v1.types") for name in ("one", "two"))
        self.one_hub, self.two_hub = (importlib.import_module(f"{package}.{n}.hub.types") for n in ("one", "two"))
        self.errors: ModuleType = importlib.import_module(f"{package}.runtime.scheme")

    def crate(self, **spec: Any) -> Any:
        return self.one.Crate(spec=self.one.CrateSpec(**spec))

    def box(self, **spec: Any) -> Any:
        return self.two_hub.Box(spec=self.two_hub.BoxSpec(**spec))


@pytest.fixture(scope="module")
def both(package: str) -> Both:
    return Both(package)


def test_conversion_to_the_other_kind(both: Both) -> None:
    crate = both.crate(count=3, labels={"a": "b"}, parts=[both.one.CratePart(name="p")], note="gone")
    crate.metadata.name = "x"
    before = both.scheme.copy(crate)
    box = both.scheme.convert(crate, BOX)
    assert type(box) is both.two_hub.Box
    assert (box.metadata.name, box.spec.count, box.spec.selector.labels) == ("x", 3, {"a": "b"})
    assert box.spec.parts == [both.two_hub.Part(name="p")]
    box.metadata.name = box.spec.selector.labels["a"] = box.spec.parts[0].name = "changed"
    assert crate == before, "nothing is shared"


def test_unset_values_follow_the_hub_declaration(both: Both) -> None:
    box = both.scheme.convert(both.crate(), BOX)
    assert (box.spec.count, box.spec.selector, box.spec.content) == (0, None, both.one_hub.Content())
    crate = both.scheme.convert(box, CRATE)
    assert (crate.spec.count, crate.spec.labels, crate.spec.content) == (0, None, None)


def test_conversion_back(both: Both) -> None:
    selector = both.two_hub.Selector(labels={"a": "b"}, words=["lost"])
    box = both.box(count=2, selector=selector, content=both.one_hub.Content(text="t"))
    crate = both.scheme.convert(box, CRATE)
    assert (crate.kind, crate.api_version) == ("Crate", CRATE)
    assert (crate.spec.labels, crate.spec.content) == ({"a": "b"}, both.one.Content(text="t"))
    assert type(both.scheme.convert(both.box(), OWN)) is both.two.Box, "its own version stays the usual way"


def test_from_version_to_version(both: Both) -> None:
    box = both.two.Box(spec=both.two.BoxSpec(count=4))
    assert both.scheme.convert(box, CRATE).spec.count == 4
    hub = both.scheme.convert(both.crate(count=5), "hub")
    assert type(hub) is both.one_hub.Crate
    assert both.scheme.convert(hub, BOX).spec.count == 5, "from its own hub, by way of a version"
    assert both.scheme.convert(box, BOX) == both.scheme.convert(box, "hub")
    with pytest.raises(both.errors.SchemeError, match=r"no version of Box is seen as one/hub\.Crate"):
        both.scheme.convert(box, "one/hub.Crate")


@pytest.mark.slow
def test_generated_round_trip_tests_pass(package: str, folder: Path) -> None:
    tests = sorted((folder / package / "tests").glob("test_round_trips_one_*.py"))
    assert "crate_spec_as_two_box_spec" in tests[0].read_text()
    ran = run_pytest(folder, *tests)
    assert ran.returncode == 0, ran.stdout[-4000:]


@pytest.fixture(scope="module")
def by_hand(folder: Path, package: str) -> Both:
    specs = folder / "by_hand" / "specs"
    shutil.copytree(SPECS, specs)
    file = specs / "one" / "v1.yaml"
    file.write_text(file.read_text().replace("{drop: a crate has labels only}", "{byHand: kept as an annotation}"))
    written = folder / "hand_written_second"
    (written / "one" / "v1").mkdir(parents=True)
    for path in (written, written / "one", written / "one" / "v1"):
        (path / "__init__.py").touch()
    (written / "one" / "v1" / "conversions.py").write_text("""
def crate_as_two_box_from_hub(hub, generated):
    crate = generated(hub)
    if hub.spec.selector is not None and hub.spec.selector.words:
        crate.metadata.annotations = {**(crate.metadata.annotations or {}), "words": " ".join(hub.spec.selector.words)}
    return crate
""")
    return Both(generate_package(specs, folder, written))


def test_hand_written_function_with_generated_body(by_hand: Both) -> None:
    box = by_hand.box(selector=by_hand.two_hub.Selector(words=["a", "b"]))
    crate = by_hand.scheme.convert(box, CRATE)
    assert crate.metadata.annotations == {"words": "a b"}
    assert crate.spec.labels is None
    assert box.metadata.annotations is None, "the input stays as it is"


def test_single_group_has_no_second_hub(folder: Path) -> None:
    report = Report()
    checked = check(Sources(SPECS, None, SPECS, groups=("one",)), report)
    assert checked.backend_input is not None and not report.has_errors
    assert not checked.backend_input.hub.views
    assert {group.folder for group in checked.backend_input.api.groups} == {"meta", "one"}
