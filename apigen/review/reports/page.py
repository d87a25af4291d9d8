"""The content of the HTML page as plain text; the template only places it."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.review.approvals.matching import Approved
from apigen.review.finding import Finding
from apigen.review.reports.lines import LONGEST, json_text
from apigen.review.reports.summary import DIRECTIONS, NO_DIRECTION, SHOWN, Summary
from apigen.review.same_change import SameChange

MOST_FINDINGS = 2_000
MOST_LISTED = 1_000


@dataclass(frozen=True, slots=True)
class Difference:
    """The text of one side: the common start and end, and the difference between them."""

    before: str
    different: str
    after: str
    place: str


@dataclass(frozen=True, slots=True)
class CounterexampleView:
    """An object that shows a finding."""

    kind: str
    before: str
    outcome: str
    after: str


@dataclass(frozen=True, slots=True)
class EffectView:
    """The effect in a direction."""

    direction: str
    name: str
    impact: str
    text: str
    counterexamples: tuple[CounterexampleView, ...]


@dataclass(frozen=True, slots=True)
class FindingView:
    """The worst finding of a change on the page. `words` is the text that the filter searches.

    `strikes` are severities and directions of the change, as in the matrix: `error:stored`. `others` are its different
    findings with their effects, `same_in` the elements of all other findings, with their fingerprints.
    """

    anchor: str
    finding: Finding
    title: str
    element: str
    old: Difference
    new: Difference
    effects: tuple[EffectView, ...]
    strikes: str
    fix: str
    patch: tuple[str, ...]
    consequences: tuple[Finding, ...]
    others: tuple[tuple[Finding, tuple[EffectView, ...]], ...]
    same_in: tuple[tuple[str, str], ...]
    partly: str
    words: str


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A direction (or none) and its numbers by severity."""

    direction: str
    name: str
    cells: tuple[tuple[str, int], ...]


def change_views(summary: Summary) -> tuple[FindingView, ...]:
    """Return the changes that fit on the page, each by its worst finding."""
    return tuple(_change(number, each, summary) for number, each in enumerate(summary.changes[:MOST_FINDINGS]))


def matrix_rows(summary: Summary) -> tuple[MatrixRow, ...]:
    """Return the matrix of directions and severities; with a row for findings without direction if there are any."""
    counted = summary.matrix
    rows = []
    for direction in (*DIRECTIONS, None):
        cells = tuple((severity.word, counted[direction, severity]) for severity in SHOWN)
        if direction is not None or any(count for _, count in cells):
            name = NO_DIRECTION if direction is None else DIRECTIONS[direction]
            rows.append(MatrixRow("none" if direction is None else direction.value, name, cells))
    return tuple(rows)


def _change(number: int, change: SameChange, summary: Summary) -> FindingView:
    finding, *others = change.findings
    old, new = _differences(finding)
    element = str(finding.element)
    elements = (str(each.element) for each in change.findings)
    variants = change.variants
    told = (word for each in variants for word in (each.result.message, each.old, each.new))
    words = (finding.rule, *elements, *told, *finding.kinds)
    return FindingView(
        anchor=f"f{number}-{finding.fingerprint}",
        finding=finding,
        title=summary.title(finding),
        element=element,
        old=old,
        new=new,
        effects=_effects(finding),
        strikes=" ".join(_strikes(change)),
        fix=summary.fix(finding),
        patch=tuple(finding.result.patch.splitlines()),
        consequences=tuple(one for each in change.findings for one in each.consequences),
        others=tuple((each, _effects(each)) for each in variants[1:]),
        same_in=tuple((str(each.element), each.fingerprint) for each in others),
        partly=_partly(summary.partly.get(finding.fingerprint)),
        words=" ".join(words).casefold()[: 2 * LONGEST],
    )


def _strikes(change: SameChange) -> list[str]:
    found = change.by_direction.items()
    return [f"{severity.word}:{'none' if direction is None else direction.value}" for direction, severity in found]


def _partly(approved: Approved | None) -> str:
    if approved is None:
        return ""
    names = ", ".join(DIRECTIONS[direction] for direction in approved.directions)
    return f"approved for {names}: {approved.approval.reason}"


def _effects(finding: Finding) -> tuple[EffectView, ...]:
    views = []
    for direction, name in DIRECTIONS.items():
        effect = finding.effects.get(direction)
        if effect is not None:
            counterexamples = tuple(
                CounterexampleView(
                    each.kind, json_text(each.before), each.outcome, "" if each.after is None else json_text(each.after)
                )
                for each in finding.counterexamples
                if each.direction is direction
            )
            views.append(EffectView(direction.value, name, effect.impact.value, effect.text, counterexamples))
    return tuple(views)


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
