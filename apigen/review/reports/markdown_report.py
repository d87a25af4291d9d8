"""The report as a comment on a pull request: the first screen, with the findings in collapsed sections.

It is not longer than a comment may be, and the omitted findings are counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from apigen import __version__
from apigen.diagnostics import Place
from apigen.diagnostics.quoting import counted
from apigen.review.approvals.matching import Approved
from apigen.review.finding import Finding
from apigen.review.reports.first_screen import RuleRow, first_screen, some
from apigen.review.reports.lines import json_text, prose, shown
from apigen.review.reports.report import Style
from apigen.review.reports.summary import DIRECTIONS, SHOWN, Summary, counted_word
from apigen.review.results import Severity
from apigen.review.surface import Surface

LARGEST = 65_000
"""A comment has at most 65,536 characters; counted in bytes here, with room for a marker at its start."""

_LONGEST_BLOCK = 8_000
_FOR_THE_CUT = 600
_MOST_LISTED = 50
_MOST_WHOLES = 20
_FEW_PATHS = 3
_LONGEST_NOTE = 200
_FOR_PATHS = 20_000
"""The maximum number of bytes for the paths of all rules."""


def render(summary: Summary, _: Style) -> str:
    """Return the review as Markdown of at most 65,536 bytes."""
    head = _head(summary)
    tail = "\n\n".join(_tail(summary))
    room = LARGEST - _size(head) - _FOR_THE_CUT
    tail = tail if _size(tail) < room // 2 else _cut_tail(summary)
    room -= _size(tail)
    blocks, omitted = _fitting(summary, room)
    opening, closing = _around(summary)
    cut = _cut(omitted)
    return "\n\n".join(part for part in (head, opening, *blocks, cut, closing, tail) if part) + "\n"


def _around(summary: Summary) -> tuple[str, str]:
    """Return the start and end of the collapsed section of findings."""
    if not summary.findings:
        return "", ""
    title = f"<details><summary>{counted(len(summary.findings), 'finding')} in detail</summary>"
    return "\n".join([title, "", *_matrix(summary)]), "</details>"


def _fitting(summary: Summary, room: int) -> tuple[list[str], Sequence[Finding]]:
    """Return the findings that fit, and the others; a finding is printed in full or not at all."""
    blocks: list[str] = []
    for number, finding in enumerate(summary.findings):
        text = "\n".join(_finding(finding, summary))
        if _size(text) > _LONGEST_BLOCK:
            text = _short(finding)
        room -= _size(text) + 2
        if room < 0:
            return blocks, summary.findings[number:]
        blocks.append(text)
    return blocks, ()


def _cut(omitted: Sequence[Finding]) -> str:
    if not omitted:
        return ""
    by_severity = Counter(finding.severity for finding in omitted)
    counts = ", ".join(counted_word(each, by_severity[each]) for each in SHOWN if by_severity[each])
    return f"**… and {len(omitted):,} more, which do not fit into this comment ({counts}).** See the full report."


def _head(summary: Summary) -> str:
    """Return the first screen."""
    screen = first_screen(summary)
    lines = [
        f"### {'✅' if summary.passes else '❌'} API review: {plain(screen.result)}",
        *(("", sentence(screen.caution)) if screen.caution else ()),
        "",
        f"{_side(summary.old)} → {_side(summary.new)}, apigen {__version__}, preset {summary.review.preset.value}",
    ]
    if screen.rows:
        lines += ["", f"Minimum version bump: **{summary.advice.bump.value}**"]
    if screen.effects:
        effects = ", ".join(f"{name} {count:,}" for name, count in screen.effects)
        lines.append(f"Errors and warnings affect {effects}.")
    wholes = (*screen.removed, *screen.added)
    if wholes:
        lines += ["", *(f"- **{each.how}**: {plain(str(each))}" for each in wholes[:_MOST_WHOLES])]
    if len(wholes) > _MOST_WHOLES:
        lines.append(f"- … {len(wholes) - _MOST_WHOLES:,} more versions")
    if screen.rows:
        room = _FOR_PATHS // len(screen.rows)
        lines += ["", *(line for row in screen.rows for line in _row(row, room))]
    if screen.notes:
        lines += ["", *(f"- {plain(note[:_LONGEST_NOTE])}" for note in screen.notes)]
    return "\n".join(lines)


def _row(row: RuleRow, room: int) -> Iterator[str]:
    """Yield the findings of a rule as an item of a list: all paths for errors, if there is room."""
    paths = [code(path) for path in row.paths]
    most = len(paths) if row.severity is Severity.ERROR else _FEW_PATHS
    while most > 1 and _size(some(paths, "more", most)) > room:
        most //= 2
    where = some(paths, "more", most)
    yield f"- **{row.severity.word}** {code(row.rule)} {plain(row.number)}: {where if _size(where) <= room else '…'}"
    yield f"  <br>{sentence(row.example[:_LONGEST_NOTE])}"


def _side(surface: Surface) -> str:
    release = "" if surface.release is None else f" (release {surface.release})"
    return f"{code(surface.label)}{release}"


def _matrix(summary: Summary) -> Iterator[str]:
    yield f"| | {' | '.join(severity.word for severity in SHOWN)} |"
    yield "|---|--:|--:|--:|"
    for row in summary.matrix_rows:
        yield f"| {row.name} | {' | '.join(str(count or '') for _, count in row.cells)} |"


def _finding(finding: Finding, summary: Summary) -> Iterator[str]:
    yield f"#### {finding.severity.word}: {code(str(finding.element))} {code(finding.rule)}"
    yield ""
    yield f"{sentence(finding.result.text)} ({finding.stability.value})"
    yield ""
    yield f"- base: {code(finding.old) or 'absent'} at {_place(finding.old_place)}"
    yield f"- revision: {code(finding.new) or 'absent'} at {_place(finding.new_place)}"
    for direction, name in DIRECTIONS.items():
        effect = finding.effects.get(direction)
        if effect is not None:
            yield f"- **{name}** {effect.impact.value}: {sentence(effect.text)}"
            for counterexample in finding.counterexamples:
                if counterexample.direction is direction:
                    yield f"  - {code(counterexample.kind)} {code(json_text(counterexample.before))}: {sentence(counterexample.outcome)}"
    if summary.no_counterexample(finding):
        yield f"- no counterexample: {sentence(summary.no_counterexample(finding))}"
    for each in finding.considered:
        verb, joint = ("mitigated by", ":") if each.holds else ("not mitigated by", ", because")
        yield f"- {verb} {plain(each.name)}{joint} {sentence(each.reason)}"
    same = summary.siblings.get(finding.fingerprint)
    if same:
        yield f"- the same in {', '.join(map(code, same))}"
    fix = summary.fix(finding)
    if fix:
        yield f"- **help**: {sentence(fix)}"
    if finding.proposal:
        yield f"- suggestion: {sentence(finding.proposal)}"
    if finding.result.patch:
        yield f"\n{block(finding.result.patch, 'yaml')}"
    yield from _consequences(finding)


def _consequences(finding: Finding) -> Iterator[str]:
    if not finding.consequences:
        return
    yield f"\n<details><summary>consequences: {len(finding.consequences)}</summary>\n"
    for each in finding.consequences[:_MOST_LISTED]:
        yield f"- {each.severity.word} {code(each.rule)}: {sentence(each.result.text)}"
    if len(finding.consequences) > _MOST_LISTED:
        yield f"- … {len(finding.consequences) - _MOST_LISTED:,} more"
    yield "\n</details>"


def _short(finding: Finding) -> str:
    """Return a finding whose texts are too long for a comment."""
    rule, element = code(finding.rule), plain(str(finding.element)[:200])
    more = f", {len(finding.consequences)} consequences" if finding.consequences else ""
    return f"#### {finding.severity.word}: {rule} {element}\n\nToo long for a comment{more}: see the whole report."


def _tail(summary: Summary) -> Iterator[str]:
    if summary.approved:
        lines = [_approved(each) for each in summary.approved[:_MOST_LISTED]]
        yield _details(f"approved: {len(summary.approved)}", lines, len(summary.approved))
    if summary.additions:
        lines = [f"- {each.element.kind.value} {code(str(each.element))}" for each in summary.additions[:_MOST_LISTED]]
        yield _details(f"added: {len(summary.additions)}", lines, len(summary.additions))
    if summary.unread:
        lines = [
            f"- {side.value} {_place(u.place)}: {sentence(u.message)}" for side, u in summary.unread[:_MOST_LISTED]
        ]
        yield _details(f"not reviewed: {len(summary.unread)}", lines, len(summary.unread))
    if summary.problems:
        lines = [
            f"- {_place(each.place)}: {each.code}: {sentence(each.message)}" for each in summary.problems[:_MOST_LISTED]
        ]
        yield "\n".join(["**invalid approvals**", "", *lines])
    yield from _counted(summary)


def _cut_tail(summary: Summary) -> str:
    """Return only counts, if the lists are too long."""
    counts = {
        "approved": len(summary.approved),
        "added": len(summary.additions),
        "not reviewed": len(summary.unread),
        "invalid approvals": len(summary.problems),
    }
    listed = ", ".join(f"{name}: {count:,}" for name, count in counts.items() if count)
    return "\n\n".join([listed, *_counted(summary)])


def _counted(summary: Summary) -> Iterator[str]:
    counts = {"descriptions changed": len(summary.documentation), "changes without effect": len(summary.harmless)}
    listed = ", ".join(f"{name}: {count:,}" for name, count in counts.items() if count)
    if listed:
        yield listed


def _approved(approved: Approved) -> str:
    finding, approval = approved.finding, approved.approval
    words = f"{sentence(finding.result.text)}; reason: {plain(approval.reason)} ({approved.remaining})"
    return f"- {finding.severity.word} {code(finding.rule)}: {words}"


def _details(title: str, lines: list[str], count: int) -> str:
    rest = [f"- … {count - len(lines):,} more"] if count > len(lines) else []
    return "\n".join([f"<details><summary>{title}</summary>", "", *lines, *rest, "", "</details>"])


def _place(place: Place) -> str:
    return code(str(place))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#@|~:&$!^=]|(?<=www)\.")


def plain(text: str) -> str:
    """Return a text in one line, with the special characters of Markdown as entities."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", shown(text))


def sentence(text: str) -> str:
    """Return a sentence with the names and values in backticks as code."""
    return "".join(code(part) if is_code else plain(part) for part, is_code in prose(text))


def code(text: str) -> str:
    """Return a text as code. The fence is longer than any in the text; bars are not escaped."""
    line = shown(text)
    if not line.strip():
        return ""
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith(("`", " ")) or line.endswith(("`", " ")) else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def block(text: str, language: str) -> str:
    """Return lines as a block of code."""
    lines = [shown(line) for line in text.splitlines()]
    longest = max((len(run) for line in lines for run in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}{language}", *lines, fence])
