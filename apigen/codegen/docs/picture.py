"""Draws a timeline as an SVG picture: plain shapes and text, the same bytes for the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil

from apigen.codegen.docs.timeline import Look, Row, Stretch, Timeline
from apigen.codegen.rendering import render
from apigen.dataclass import dataclass
from apigen.diagnostics.quoting import xml_attribute as xml
from apigen.ir.model import Release

LEFT, RIGHT, TOP, BOTTOM = 24, 24, 84, 44
ROW, BAR, HEADING = 26, 16, 34
LETTER = 6.4
"""The width of a letter of the names on the left, about."""
LONGEST_NAME = 44
WIDEST, NARROWEST, WHOLE = 72, 26, 1100
CLOSEST = 38
"""Maximum and minimum width of a release, target width of all releases, and minimum distance of two printed release
numbers.
"""
_FILLED = frozenset(Look) - {Look.UNSERVED, Look.GONE}
"""The looks with a dark fill, on which text is white."""
LEGEND = (
    ("served", "served, or available"),
    ("deprecated", "deprecated"),
    ("alpha", "alpha"),
    ("beta", "beta"),
    ("ga", "GA"),
    ("locked", "locked"),
    ("off", "disabled by default"),
    ("gone", "removed, name reserved"),
)


@dataclass(frozen=True, slots=True)
class _Bar:
    """A drawn stretch. `title` is its tooltip, also for screen readers."""

    x: float
    y: int
    width: float
    style: str
    label: str
    label_style: str
    title: str
    open_left: bool
    open_right: bool


@dataclass(frozen=True, slots=True)
class _Line:
    """The name of a row, or a heading."""

    y: int
    words: str


@dataclass(slots=True)
class _Axis:
    """The horizontal positions of releases."""

    releases: tuple[Release, ...]
    left: float
    step: float

    def at(self, release: Release) -> float:
        return self.left + (self.releases.index(release) + 1) * self.step

    @property
    def right(self) -> float:
        """The end of the column after the last release, in which current elements continue."""
        return self.left + (len(self.releases) + 2) * self.step


def picture(title: str, drawn: Timeline) -> str:
    """The SVG of a timeline that has releases."""
    rows = [row for _, rows in drawn.sections for row in rows]
    longest = max(min(len(_name(row)), LONGEST_NAME) for row in rows)
    left = LEFT + longest * LETTER + 16
    step = max(NARROWEST, min(WIDEST, WHOLE / (len(drawn.releases) + 2)))
    axis = _Axis(drawn.releases, left, step)
    bars: list[_Bar] = []
    names: list[_Line] = []
    headings: list[_Line] = []
    y = TOP
    for heading, of_section in drawn.sections:
        headings.append(_Line(y + 20, xml(heading)))
        y += HEADING
        for row in of_section:
            names.append(_Line(y + 12, xml(_cropped(_name(row)))))
            bars += (_bar(row, stretch, y, axis) for stretch in row.stretches)
            y += ROW
    return render(
        "docs/timeline.svg.jinja",
        title=xml(f"Timeline of {title}"),
        description=xml(_description(title, drawn)),
        heading=xml(title),
        width=round(axis.right + RIGHT),
        height=y + BOTTOM,
        bar_height=BAR,
        left=round(left, 1),
        top=TOP,
        bottom=y + 6,
        columns=list(_columns(axis, drawn.shipped)),
        headings=headings,
        names=names,
        bars=bars,
        legend=list(_legend(drawn)),
        legend_y=y + 20,
        legend_x=LEFT,
        more=f"… and {drawn.left_out} more fields and values" if drawn.left_out else "",
    )


def _columns(axis: _Axis, shipped: frozenset[Release]) -> Iterator[tuple[float, str, str]]:
    """Yield for each release its position, its number and its style; most numbers are omitted if releases are close
    together.
    """
    every = ceil(CLOSEST / axis.step)
    last = len(axis.releases) - 1
    for number, release in enumerate(axis.releases):
        shown = xml(str(release)) if (last - number) % every == 0 else ""
        yield round(axis.at(release), 1), shown, "release shipped" if release in shipped else "release"


def _bar(row: Row, stretch: Stretch, y: int, axis: _Axis) -> _Bar:
    start = axis.left if stretch.start is None else axis.at(stretch.start)
    end = axis.right if stretch.end is None else axis.at(stretch.end)
    width = round(max(end - start, 6), 1)
    since = "" if stretch.start is None else f" from {stretch.start}"
    until = "" if stretch.end is None else f" until {stretch.end}"
    what = stretch.label or stretch.look.value
    style = stretch.look.value + ("" if stretch.is_enabled else " off") + (" locked" if stretch.is_locked else "")
    fits = len(what) * 5.6 + 10 <= width
    short = what.partition(",")[0]
    shown = what if fits else short if len(short) * 5.6 + 8 <= width else ""
    return _Bar(
        round(start, 1),
        y,
        width,
        style,
        xml(shown if stretch.label else ""),
        "label" if stretch.is_enabled and stretch.look in _FILLED else "label onlight",
        xml(f"{_name(row)}: {what}{since}{until}"),
        stretch.start is None,
        stretch.end is None,
    )


def _legend(drawn: Timeline) -> Iterator[tuple[int, str, str]]:
    """Yield the legend of the looks that occur: x, class, words."""
    stretches = [stretch for _, rows in drawn.sections for row in rows for stretch in row.stretches]
    used = {stretch.look.value for stretch in stretches}
    used |= {"off" for stretch in stretches if not stretch.is_enabled}
    used |= {"locked" for stretch in stretches if stretch.is_locked}
    x = LEFT
    for look, words in LEGEND:
        if look in used:
            yield x, f"ga {look}" if look in ("off", "locked") else look, words
            x += round(26 + len(words) * LETTER + 14)


def _description(title: str, drawn: Timeline) -> str:
    """The picture in words, for who cannot see it."""
    counts: Mapping[str, int] = {heading.lower(): len(rows) for heading, rows in drawn.sections}
    parts = ", ".join(f"{heading}: {count}" for heading, count in counts.items())
    first, last = drawn.releases[0], drawn.releases[-1]
    return f"{title} from release {first} to {last}: {parts}. Each row is a bar from the release that brings it."


def _name(row: Row) -> str:
    return f"{row.name} ({row.note})" if row.note else row.name


def _cropped(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
