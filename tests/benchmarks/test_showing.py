from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import reasons
from benchmarks.areas import AREAS
from benchmarks.charts.drawing import charts
from benchmarks.comparing import compared, earlier
from benchmarks.figures import Results, least, read_results, write_results
from benchmarks.page import PAGE, parts
from benchmarks.showing import misses, shown

REVIEW = next(area for area in AREAS if area.name == "review")
FIGURES = {"apigen/cold/cpu": 2.0, "apigen/cached/cpu": 0.1, "buf/cpu": 1.0}


def results(**changed: float) -> dict[str, Results]:
    figures = FIGURES | {f"apigen/{name}/cpu": value for name, value in changed.items()}
    return {"review": Results("abc1234", "2 cores", {"buf": "1.75.0"}, figures, REVIEW.ratios(figures))}


def test_a_table_has_figures_bounds_and_outcomes() -> None:
    cells = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in shown(REVIEW, FIGURES).splitlines()]
    assert cells[2:] == [
        ["two releases of all of Kubernetes, cold", "2 s", "buf breaking", "1 s", "**2**", "≤ 1.5", "≤ 1", "missed"],
        ["two releases of all of Kubernetes, from cache", "0.1 s", "buf breaking", "1 s", "0.1", "≤ 0.5", "≤ 0.2", "met, and the stretch"],
        ["a CRD of 7,000 lines, cold", "", "crdify", "", "–", "≤ 1.5", "≤ 1", "not measured"],
    ]  # fmt: skip


def test_missed_target_has_reason_or_reports_none(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "- **two releases of all of Kubernetes, cold, compared with buf breaking** (2): "
    key = "two releases of all of Kubernetes, cold | buf breaking"
    monkeypatch.delitem(dict_of(reasons.REASONS), key)
    assert misses(REVIEW, FIGURES) == f"{words}the reason is not known yet.\n"
    monkeypatch.setitem(dict_of(reasons.REASONS), key, "it is hard")
    assert misses(REVIEW, FIGURES) == f"{words}it is hard.\n"


def dict_of(mapping: object) -> dict[str, str]:
    assert isinstance(mapping, dict)
    return mapping


def test_reasons_belong_to_targets() -> None:
    keys = {target.key for area in AREAS for target in (*area.by_object, *area.targets)}
    assert set(reasons.REASONS) <= keys


def test_page_contains_all_generated_parts() -> None:
    made = parts(results())
    text = PAGE.read_text(encoding="utf-8")
    for name in made:
        assert f"<!-- made: {name} -->" in text
    assert text.count("<!-- made: ") == text.count("<!-- end -->") == len(made)


def test_charts_are_svg_with_text_description() -> None:
    figures = {"apigen/json_decode/pod": 1e-4, "go/json_decode/pod": 2e-4}
    drawn = charts(results() | {"generated": Results("abc1234", "2 cores", {}, figures, {})})
    assert set(drawn) == {"review.svg", "generated.svg", "decode.svg"}
    for text in drawn.values():
        ElementTree.fromstring(text)
        assert "prefers-color-scheme: dark" in text
    assert "apigen, standard library: 100; Kubernetes in Go: 200" in drawn["decode.svg"]


def test_results_round_trip_through_json(tmp_path: Path) -> None:
    write_results(results(), tmp_path / "figures.json")
    assert read_results((tmp_path / "figures.json").read_text()) == results()


def test_comparison_lists_worst_changes_first() -> None:
    text = compared(results(cold=3.0, cached=0.05), results())
    rows = [line.split("|")[1:5] for line in text.splitlines() if line.startswith("| review")]
    assert [[cell.strip() for cell in row] for row in rows] == [
        ["review, two releases of all of Kubernetes, cold, buf breaking", "2", "3", "1.50"],
        ["review, two releases of all of Kubernetes, from cache, buf breaking", "0.1", "0.05", "0.50"],
    ]
    assert "none differs" in compared(results(), results())


@pytest.mark.parametrize("text", ["[]", '{"review": 1}', '{"review": {}}', "no json"])
def test_invalid_results_file_is_rejected(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(SystemExit, match=r"other\.json"):
        earlier(str(path))


def test_unknown_commit_is_rejected() -> None:
    with pytest.raises(SystemExit, match="is no file, and no commit"):
        earlier("no-such-commit")


def test_minimum_of_several_runs_is_used() -> None:
    assert least({"a": 2.0, "b": 1.0}, {"a": 1.0, "c": 3.0}) == {"a": 1.0, "b": 1.0, "c": 3.0}
