"""Targets and what came out, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.areas import Area
from benchmarks.figures import Figures
from benchmarks.generated.contenders import GO
from benchmarks.generated.objects import OBJECTS
from benchmarks.reasons import REASONS
from benchmarks.tables import table
from benchmarks.targets import Evaluated, Target

SHOWN_FIRST = ("go", "apigen", "apigen with orjson", "apigen compiled")


def shown(area: Area, figures: Figures) -> str:
    """The tables of an area: targets with a column for each object, then the others."""
    evaluated = area.evaluated(figures)
    by_object = [each for each in evaluated if each.target in area.by_object]
    others = [each for each in evaluated if each.target in area.targets]
    tables = []
    if by_object:
        columns = ["work", "form", "divided by", *OBJECTS, "target", "stretch", "outcome"]
        tables.append(table(columns, [_by_object(each) for each in by_object]))
    if others:
        columns = ["work", "apigen", "divided by", "peer", "figure", "target", "stretch", "outcome"]
        tables.append(table(columns, [_single(each, figures) for each in others]))
    return "\n".join(tables)


def misses(area: Area, figures: Figures) -> str:
    """Return the missed targets, each with its reason and attempts; an unexplained one is marked."""
    missed = [each for each in area.evaluated(figures) if each.missed]
    return "".join(
        f"- {_words(each)}: {REASONS.get(each.target.key, 'the reason is not known yet')}.\n" for each in missed
    )


def microseconds(figures: Figures, object_: str) -> str:
    """What each contender takes for an object, by operation."""
    names = sorted({name.split("/")[0] for name in figures if name.endswith(f"/{object_}")}, key=_order)
    rows = []
    for contender in names:
        cells = [figures.get(f"{contender}/{operation}/{object_}") for operation in GO]
        memory = figures.get(f"{contender}/memory/{object_}")
        kibibytes = "" if memory is None else f"{memory / 1024:.1f}"
        rows.append([contender, *("" if cell is None else _digits(cell * 1e6) for cell in cells), kibibytes])
    return table(["µs", *(name.replace("_", " ") for name in GO), "KiB"], rows)


def _order(contender: str) -> tuple[int, str]:
    first = SHOWN_FIRST.index(contender) if contender in SHOWN_FIRST else len(SHOWN_FIRST)
    return first, contender


def _words(evaluated: Evaluated) -> str:
    parts = [
        evaluated.target.work,
        evaluated.target.form,
        f"compared with {evaluated.target.beside}" if evaluated.target.beside else "",
    ]
    figures = ", ".join(f"{name} {_value(evaluated, name)}".strip() for name in evaluated.missed)
    return f"**{', '.join(part for part in parts if part)}** ({figures})"


def _by_object(evaluated: Evaluated) -> Sequence[str]:
    target = evaluated.target
    cells = [_cell(evaluated, name) if name in target.objects else "" for name in OBJECTS]
    return [target.work, target.form, target.beside, *cells, *_bounds(target), _outcome(evaluated)]


def _single(evaluated: Evaluated, figures: Figures) -> Sequence[str]:
    target = evaluated.target
    ours = figures.get(target.ours)
    theirs = None if target.peer is None else figures.get(target.peer)
    absolute = ["" if figure is None or target.peer is None else _amount(target, figure) for figure in (ours, theirs)]
    return [
        target.work, absolute[0], target.beside, absolute[1], _cell(evaluated, ""), *_bounds(target), _outcome(evaluated),
    ]  # fmt: skip


def _outcome(evaluated: Evaluated) -> str:
    return "" if evaluated.target.limit is None else evaluated.result.value


def _amount(target: Target, figure: float) -> str:
    """An absolute figure next to its ratio: seconds, or bytes by field."""
    return f"{_digits(figure)} s" if "memory" not in target.work else f"{figure / 1024:.2f} KiB"


def _cell(evaluated: Evaluated, name: str) -> str:
    if name not in evaluated.figures:
        return "–"
    value = _value(evaluated, name)
    return f"**{value}**" if name in evaluated.missed else value


def _value(evaluated: Evaluated, name: str) -> str:
    figure = _digits(evaluated.figures[name])
    return f"{figure} {evaluated.target.unit}".strip()


def _bounds(target: Target) -> Iterator[str]:
    sign = "≥" if target.at_least else "≤"
    for bound in (target.limit, target.stretch):
        yield "" if bound is None else f"{sign} {_digits(bound)} {target.unit}".strip()


def _digits(figure: float) -> str:
    """Three digits, without an exponent."""
    if figure >= 100 or figure == int(figure):
        return f"{figure:,.0f}"
    return f"{float(f'{figure:.3g}')}"
