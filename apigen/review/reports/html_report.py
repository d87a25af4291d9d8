"""The report as one self-contained HTML page: no network, no other file.

All text of inputs is escaped. The Content Security Policy allows only the page's own script and style, by their hashes, so
that text that is not escaped could not act.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from apigen import __version__
from apigen.codegen.rendering import template_environment, template_folder
from apigen.dataclass import dataclass
from apigen.diagnostics.model import Place
from apigen.ir.stability import Stability, VersionRank, version_rank
from apigen.ir.surface import Version
from apigen.review.finding import Finding
from apigen.review.grouping import SameChange, same_changes
from apigen.review.reports.first_screen import first_screen
from apigen.review.reports.lines import LONGEST, json_text, prose, shown
from apigen.review.reports.report import Style
from apigen.review.reports.summary import DIRECTIONS, SHOWN, Summary, counted_word
from apigen.review.results import Severity

if TYPE_CHECKING:
    import jinja2
    from markupsafe import Markup


MOST_FINDINGS = 2_000
MOST_LISTED = 1_000


@dataclass(frozen=True, slots=True)
class Difference:
    """The text of one side: the common start and end, and the difference between them."""

    before: str
    different: str
    after: str
    place: str


def _words(change: SameChange) -> str:
    """Return the text of a change that the filter searches."""
    finding = change.findings[0]
    elements = (str(each.element) for each in change.findings)
    texts = (word for each in change.variants for word in (each.result.message, each.old, each.new))
    return " ".join((finding.rule, *elements, *texts, *finding.kinds)).casefold()[: 2 * LONGEST]


def _strikes(change: SameChange) -> str:
    """Return the severities and directions of a change, as in the matrix: `error:stored`."""
    found = change.by_direction.items()
    return " ".join(f"{severity.word}:{'none' if each is None else each.value}" for each, severity in found)


def _differences(finding: Finding) -> tuple[Difference, Difference]:
    """Return both sides, with the difference between their common start and end."""
    old, new = _cropped(finding.old), _cropped(finding.new)
    places = _place(finding.old_place, finding.old), _place(finding.new_place, finding.new)
    if not old or not new:
        return Difference("", old, "", places[0]), Difference("", new, "", places[1])
    start = _of_words(old, new, _shared(old, new))
    rest = min(len(old), len(new)) - start
    end = min(_of_words(old[::-1], new[::-1], _shared(old[::-1], new[::-1])), rest)
    return (
        Difference(old[:start], old[start : len(old) - end], old[len(old) - end :], places[0]),
        Difference(new[:start], new[start : len(new) - end], new[len(new) - end :], places[1]),
    )


def _shared(one: str, other: str) -> int:
    """Return the length of the common start of two texts."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _of_words(one: str, other: str, end: int) -> int:
    """Return the end of the last whole word that two texts share up to `end`."""
    while end > 0 and any(text[end - 1 : end + 1].isalnum() and end < len(text) for text in (one, other)):
        end -= 1
    return end


def _cropped(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _place(place: Place, text: str) -> str:
    return str(place) if text else f"nearest parent: {place}"


MOST_GROUPS = 30
"""The maximum number of groups in the picture; the others are counted."""


@dataclass(frozen=True, slots=True)
class Row:
    """A version on both sides, or on one; `label` counts the changes, `state` is the severity or `added`, `removed`, `same`."""

    old: Version | None
    new: Version | None
    label: str
    state: str


@dataclass(frozen=True, slots=True)
class GroupGraph:
    """A group with all its versions, the most stable one first."""

    name: str
    rows: tuple[Row, ...]


def graphs(summary: Summary) -> tuple[tuple[GroupGraph, ...], int]:
    """Return a picture for each group with findings or changes, the worst first, and the number of omitted groups."""
    found: dict[str, dict[str, list[Severity]]] = {}
    listed = (*summary.findings, *summary.additions, *summary.documentation, *summary.harmless)
    for change in same_changes(listed):
        for (group, version), severity in change.by_version.items():
            found.setdefault(group, {}).setdefault(version, []).append(severity)
    old, new = summary.old.groups, summary.new.groups
    worst = {name: max(max(severities) for severities in versions.values()) for name, versions in found.items()}
    names = sorted((name for name in dict.fromkeys((*new, *old)) if name in found), key=lambda name: -worst[name])
    pictures = []
    for name in names[:MOST_GROUPS]:
        before, after = (side[name].versions if name in side else {} for side in (old, new))
        versions = sorted(dict.fromkeys((*after, *before)), key=_rank, reverse=True)
        rows = (_row(before.get(each), after.get(each), found[name].get(each, ())) for each in versions)
        pictures.append(GroupGraph(name, tuple(rows)))
    return tuple(pictures), max(0, len(names) - MOST_GROUPS)


def _row(old: Version | None, new: Version | None, found: Sequence[Severity]) -> Row:
    counted = Counter(found)
    most = max(counted, default=Severity.SILENT)
    words = ", ".join(counted_word(s, counted[s]) for s in SHOWN if counted[s])
    state = most.word if counted else "same"
    if old is None or new is None:
        how = "added" if old is None else "removed"
        state = state if most >= Severity.WARNING else how
        words = f"{how}, {words}" if words else how
    return Row(old, new, words or "unchanged", state)


def _note(version: Version) -> str:
    """Return the state of a version: stored, not served, deprecated."""
    notes: Iterable[str] = (
        "stored" if version.storage or any(kind.storage for kind in version.kinds.values()) else "",
        "" if version.served else "not served",
        "deprecated" if version.lifecycle.declares_deprecation else "",
    )
    return ", ".join(note for note in notes if note)


def _rank(name: str) -> tuple[VersionRank, str]:
    return version_rank(name) or VersionRank(Stability.STABLE, 0, 0), name


_FOLDER = "review"


def render(summary: Summary, _: Style) -> str:
    """Return the page."""
    pictures, undrawn = graphs(summary)
    return (
        _environment()
        .get_template(f"{_FOLDER}/page.html.jinja")
        .render(
            summary=summary,
            screen=first_screen(summary),
            version=__version__,
            changes=summary.changes[:MOST_FINDINGS],
            most_findings=MOST_FINDINGS,
            most_listed=MOST_LISTED,
            matrix=summary.matrix_rows,
            severities=[severity.word for severity in SHOWN],
            directions=DIRECTIONS,
            stabilities=[each.value for each in reversed(Stability)],
            rules=sorted({finding.rule for finding in summary.findings}),
            graphs=pictures,
            undrawn=undrawn,
        )
    )


@cache
def _environment() -> jinja2.Environment:
    from markupsafe import Markup

    environment = template_environment(autoescape=True, finalize=_shown)
    environment.filters |= {"prose": _prose, "json": json_text}
    environment.globals |= {"differences": _differences, "note_of": _note, "strikes": _strikes, "words": _words}
    for name in ("style.css", "script.js"):
        text = (template_folder() / _FOLDER / name).read_text(encoding="utf-8")
        variable = name.partition(".")[0]
        environment.globals[variable] = Markup(text)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        environment.globals[f"{variable}_hash"] = f"sha256-{digest}"  # for the Content Security Policy
    return environment


def _prose(text: str) -> Markup:
    """Return a sentence with the names and values in backticks as code, escaped."""
    from markupsafe import Markup

    parts = ((Markup("<code>%s</code>") if is_code else Markup("%s")) % part for part, is_code in prose(text))
    return Markup("").join(parts)


def _shown(value: object) -> object:
    """Return a text without control and direction characters, and of limited length."""
    return shown(value) if type(value) is str else value
