"""No size and no nesting makes resolving slow or breaks it: every step is linear in what is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.ir.graphs import walk
from apigen.ir.resolve import resolve
from apigen.language.load import load_api
from tests.effort import within
from tests.ir.resolving import write_specs

N = 1_000
MOST_CALLS = N**2
"""Fewer than one call for each pair."""

MORE_CALLS = {"misspelt types": 12 * N**2, "an enum with many values, and defaults that are not in it": 5 * N**2}
"""Those that suggest another name compare it with some others, a hundred calls each; all would be a hundred for each pair."""


def block(lines: list[str]) -> str:
    return "types:\n" + "".join(f"  {line}\n" for line in lines)


HOSTILE = {
    "structs that lead on, and back": block(
        [f"S{i}: {{fields: {{next: {{type: S{i + 1}}}, back: {{type: S{i // 2}}}}}}}" for i in range(N)]
        + [f"S{N}: {{fields: {{}}}}"]
    ),
    "names for names": block([f"A{i}: {{is: A{(i + 1) % N}}}" for i in range(N)]),
    "structs inline in structs": block(
        [f"S{i}: {{fields: {{inner: {{type: S{i + 1}, inline: true}}, own{i}: {{type: string}}}}}}" for i in range(N)]
        + [f"S{N}: {{fields: {{}}}}"]
    ),
    "misspelt types": block([f"Right{i}: {{fields: {{width: {{type: Rihgt{i}}}}}}}" for i in range(N)]),
    "one struct of many fields, each with a default by path": block(
        [
            "Wide:",
            f"  fields: {{{', '.join(f'f{i}: {{type: string, omitEmpty: true}}' for i in range(N))}}}",
            f"  defaults: {{{', '.join(f'f{i}: x' for i in range(N))}}}",
            f"  unions: [{', '.join(f'{{members: [f{i}, f{i + 1}]}}' for i in range(0, N, 2))}]",
        ]
    ),
    "an enum with many values, and defaults that are not in it": block(
        [
            f"Mode: {{enum: {{{', '.join(f'V{i}: {{}}' for i in range(N))}}}}}",
            f"Wide: {{fields: {{{', '.join(f'f{i}: {{type: Mode, default: W{i}}}' for i in range(N))}}}}}",
        ]
    ),
    "lists with keys": block(
        [
            f"Item: {{fields: {{{', '.join(f'k{i}: {{type: string, optional: true}}' for i in range(N))}}}}}",
            "Wide:",
            "  fields:",
            f"    items: {{type: '[]Item', listType: map, listMapKeys: [{', '.join(f'k{i}' for i in range(N))}]}}",
        ]
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_effort(name: str, tmp_path: Path) -> None:
    write_specs(tmp_path, {"v1.yaml": HOSTILE[name]})
    report = Report()
    spec = load_api(tmp_path, report, display_root=tmp_path)
    assert not report.has_errors
    with within(MORE_CALLS.get(name, MOST_CALLS)):
        resolve(spec, report)


def test_walk_takes_linear_time() -> None:
    """A path of 50,000 nodes of which each leads back to one before it, the worst that a walk can meet."""
    size = 50_000
    found = walk(range(size), lambda n: [n + 1, size - 1 - n] if n < size - 1 else [0])
    assert len(found.order) == size
    assert [len(knot) for knot in found.knots] == [size]


def test_walk_orders_dependencies_first() -> None:
    needs = {"a": "bc", "b": "d", "c": "d", "d": "", "e": "fe", "f": "g", "g": "f"}
    found = walk(needs, lambda name: needs[name])
    assert "".join(found.order).index("d") < "".join(found.order).index("b")
    assert found.order.index("a") > found.order.index("c")
    assert sorted(sorted(knot) for knot in found.knots) == [["e"], ["f", "g"]]
    assert {tuple(sorted(cycle)) for cycle in found.cycles} == {("e",), ("f", "g")}
