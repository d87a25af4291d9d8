"""A chart of horizontal bars, as SVG; it can be read on light and on dark pages, and by who cannot see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

WIDTH, LABEL, FIGURE = 900, 400, 90
ROW, BAR, TOP = 24, 15, 52
_STYLE = """  text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2937; }
  .paper { fill: #ffffff; stroke: #d1d5db; }
  .heading { font-size: 15px; font-weight: 600; }
  .label { text-anchor: end; }
  .figure { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
  .ours { fill: #0f766e; }
  .peer { fill: #9ca3af; }
  .missed { fill: #b45309; }
  .mark { stroke: #1f2937; stroke-dasharray: 4 3; }
  .markname { text-anchor: middle; fill: #4b5563; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e5e7eb; }
    .paper { fill: #111827; stroke: #374151; }
    .figure { stroke: #111827; }
    .ours { fill: #2dd4bf; }
    .peer { fill: #6b7280; }
    .missed { fill: #f59e0b; }
    .mark { stroke: #e5e7eb; }
    .markname { fill: #9ca3af; }
  }
"""


@dataclass(frozen=True, slots=True)
class Bar:
    """A row: its name, how long the bar is, what is next to it, and whose it is (`ours`, `peer` or `missed`)."""

    label: str
    length: float
    figure: str
    style: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across all bars, and what it says."""

    length: float
    name: str


def bars(
    title: str, description: str, rows: Sequence[Bar], longest: float | None = None, mark: Mark | None = None
) -> str:
    """The chart. A bar that is longer than `longest` ends at the edge; its figure says how long it is."""
    most = longest or max((row.length for row in rows), default=1)
    height = TOP + ROW * len(rows) + 12
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="description">{escape(_said(description, rows))}</desc>',
        f"<style>\n{_STYLE}</style>",
        f'<rect class="paper" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6"/>',
        f'<text class="heading" x="16" y="26">{escape(title)}</text>',
        *(_bar(number, row, most) for number, row in enumerate(rows)),
        *(() if mark is None else _mark(mark, most, height)),
        *(line for number, row in enumerate(rows) for line in _words(number, row, most)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _bar(number: int, row: Bar, most: float) -> str:
    top, length = TOP + ROW * number, _length(row, most)
    return f'<rect class={quoteattr(row.style)} x="{LABEL}" y="{top}" width="{length:.1f}" height="{BAR}" rx="2"/>'


def _words(number: int, row: Bar, most: float) -> Iterator[str]:
    """Text before and after a bar; drawn after the mark, which it may cover."""
    base, end = TOP + ROW * number + 12, LABEL + _length(row, most) + 8
    yield f'<text class="label" x="{LABEL - 10}" y="{base}">{escape(row.label)}</text>'
    yield f'<text class="figure" x="{end:.1f}" y="{base}">{escape(row.figure)}</text>'


def _length(row: Bar, most: float) -> float:
    return max(1.0, _across(min(row.length, most), most))


def _mark(mark: Mark, most: float, height: int) -> Iterator[str]:
    at = LABEL + _across(mark.length, most)
    yield f'<line class="mark" x1="{at:.1f}" y1="{TOP - 6}" x2="{at:.1f}" y2="{height - 8}"/>'
    yield f'<text class="markname" x="{at:.1f}" y="{TOP - 10}">{escape(mark.name)}</text>'


def _across(length: float, most: float) -> float:
    return length / most * (WIDTH - LABEL - FIGURE)


def _said(description: str, rows: Sequence[Bar]) -> str:
    return f"{description} {'; '.join(f'{row.label}: {row.figure}' for row in rows)}."
