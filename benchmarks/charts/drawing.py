"""Which charts there are: for each area how much of each target is used up, and for some work all contenders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.areas import AREAS, Area
from benchmarks.charts.bars import Bar, Mark, bars
from benchmarks.figures import Figures, Results
from benchmarks.targets import Evaluated

LONGEST = 3.0
LONGEST_LABEL = 56
WORK = {
    "decode": ("JSON → object: a Pod of 2.2 KB", "json_decode", "pod"),
    "encode": ("Object → JSON: a Pod of 2.2 KB", "json_encode", "pod"),
    "full-way": ("JSON → decoded, defaulted, converted by way of the hub → JSON: a Pod of 2.2 KB", "full_way", "pod"),
}
NAMES = {
    "apigen": "apigen, standard library", "go": "Kubernetes in Go", "json": "json, dicts", "orjson": "orjson, dicts",
    "msgspec": "msgspec Structs",
}  # fmt: skip


def charts(results: Mapping[str, Results]) -> Mapping[str, str]:
    """File name -> SVG, of the areas that were measured."""
    found = {f"{area.name}.svg": _area(area, results[area.name].figures) for area in AREAS if area.name in results}
    for name, (title, operation, object_) in WORK.items():
        rows = _contenders(results["generated"].figures, f"/{operation}/{object_}") if "generated" in results else ()
        if rows:
            found[f"{name}.svg"] = bars(f"{title}, µs", "Less is better.", rows)
    return found


def _area(area: Area, figures: Figures) -> str:
    rows = [
        _used(evaluated)
        for evaluated in area.evaluated(figures)
        if evaluated.figures and evaluated.target.limit is not None
    ]
    title = f"{area.title}: how much of each target is used up"
    return bars(title, "A bar that crosses the line misses its target.", rows, LONGEST, Mark(1, "target"))


def _used(evaluated: Evaluated) -> Bar:
    """The worst of a target's objects, as a share of its bound."""
    target, limit = evaluated.target, evaluated.target.limit or 0.0
    used = max(_share(figure, limit, at_least=target.at_least) for figure in evaluated.figures.values())
    parts = (target.work, target.form, target.beside if target.peer else "")
    label = ", ".join(part for part in parts if part)
    return Bar(_cut(label), used, f"{used:.2f}", "missed" if evaluated.missed else "ours")


def _share(figure: float, limit: float, *, at_least: bool) -> float:
    if at_least:
        return limit / figure
    return figure / limit if limit else figure


def _cut(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1].rstrip()}…"


def _contenders(figures: Figures, end: str) -> Sequence[Bar]:
    found = {name.removesuffix(end): value * 1e6 for name, value in figures.items() if name.endswith(end)}
    return [
        Bar(NAMES.get(name, name), value, f"{value:.3g}", "ours" if name.startswith("apigen") else "peer")
        for name, value in sorted(found.items(), key=lambda item: item[1])
    ]
