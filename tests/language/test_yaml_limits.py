"""What a stranger's file could do to the build is bounded in time and memory, with either parser of PyYAML."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
import yaml

from apigen.diagnostics import Report
from apigen.language.build_nodes import build_nodes
from apigen.language.source import MAX_FILE_BYTES, SourceFile, Sources
from tests.effort import calls_of, within
from tests.language.reading import nodes_of, plain

BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))


@pytest.fixture(params=["C", "Python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both parsers."""
    name: str = request.param
    if name == "Python":
        monkeypatch.setattr(yaml, "__with_libyaml__", False)
    return name


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" * 100_000, "AG0116"),
        ("- " * 100_000 + "x", "AG0116"),
        ("{a: " * 100_000, "AG0116"),
        ("? " * 100_000, "AG0116"),
        (BOMB, "AG0119"),
        ("".join(f"a{n}: &a{n} [*a{n - 1}]\n" if n else "a0: &a0 []\n" for n in range(200)), "AG0116"),
        ("a: &a [*a]", "AG0117"),
        ("a: &a {b: {c: *a}}", "AG0117"),
    ],
)
def test_rejected_in_bounded_time(text: str, code: str) -> None:
    report = Report()
    with within(150_000):
        assert nodes_of(text, report) is None
    assert [diagnostic.code for diagnostic in report.diagnostics] == [code]


@pytest.mark.usefixtures("parser")
def test_aliases_within_the_limits_are_values() -> None:
    assert plain(nodes_of("a: &a [1, 2]\nb: [*a, *a]\n")) == {"a": [1, 2], "b": [[1, 2], [1, 2]]}


@pytest.mark.usefixtures("parser")
def test_anchor_can_be_redefined() -> None:
    assert plain(nodes_of("a: &x 1\nb: *x\nc: &x 2\nd: *x\n")) == {"a": 1, "b": 1, "c": 2, "d": 2}


def test_huge_file_is_rejected_without_reading(tmp_path: Path) -> None:
    path = tmp_path / "v1.yaml"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    report = Report()
    tracemalloc.start()
    assert Sources(report).read(path, "v1.yaml") is None
    assert tracemalloc.get_traced_memory()[1] < 100_000
    tracemalloc.stop()
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["AG0105"]


def test_the_largest_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "v1.yaml"
    path.write_bytes(b"#" * MAX_FILE_BYTES)
    assert Sources(Report()).read(path, "v1.yaml") is not None


@pytest.mark.slow
def test_effort_is_linear_in_the_number_of_keys() -> None:
    def calls(count: int) -> int:
        text = "".join(f"key{n}: [a, {{b: c}}]\n" for n in range(count))
        return calls_of(lambda: build_nodes(SourceFile(Path("x"), "x", text), Report()))

    assert calls(40_000) < 8.1 * calls(5_000)
