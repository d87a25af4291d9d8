"""The report for a terminal: a first screen, or everything with `--verbose`. Its first and last line are the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile

from apigen import __version__
from apigen.diagnostics import Place
from apigen.diagnostics.paint import Paint
from apigen.diagnostics.quoting import counted, inert
from apigen.ir.surface import Surface
from apigen.review.approvals.approval import Approved
from apigen.review.finding import Finding
from apigen.review.grouping import SameChange
from apigen.review.reports.first_screen import RuleRow, extent_of, first_screen, paths_of, some
from apigen.review.reports.lines import PAGE, cropped, in_columns, json_text, shown, wrapped
from apigen.review.reports.report import Style
from apigen.review.reports.summary import DIRECTIONS, SHOWN, Summary
from apigen.review.results import Impact, Severity

_NARROW = 72

MOST_LINES = 60
"""Lines of a report that is not verbose, without the problems of approvals."""

_FEW_LINES = 25
"""Lines up to which the report has details: the height of a terminal."""

_FEW_CHANGES = 2
"""The number of changes that are printed in full if there is room."""

_MOST_WHOLES = 10
_MOST_APPROVED = 3
_INDENT = "           "
_REST = "… {}: --verbose"
_MOST_OF_PATHS = (24, 16, 12, 8, 6, 4, 2, 1)
"""Lines of places in a row if there is not enough room for all, from most to least."""

_WIDEST = 24
"""Columns of the names of rules; most are shorter."""


def render(summary: Summary, style: Style) -> str:
    """Return the review as text."""
    return "\n".join(map(inert, _Text(summary, style).lines())) + "\n"


class _Text:
    """A report that is being written."""

    def __init__(self, summary: Summary, style: Style) -> None:
        self._summary = summary
        self._screen = first_screen(summary)
        self._paint = Paint(on=style.colour)
        self._width = min(style.width or PAGE, PAGE)
        self._verbose = style.verbose

    def lines(self) -> Iterator[str]:
        """Yield the first screen, details if there is room, the problems of approvals, and the result again."""
        result = self._paint("good" if self._summary.passes else "error", self._screen.result)
        if self._verbose:
            yield from self._verbose_lines(result)
        else:
            head = [*self._head(result), *self._wholes()]
            tail = [*self._approved(), "", *self._notes()]
            room = MOST_LINES - len(head) - len(tail) - len((_REST, result))
            rows = self._fitting(room)
            is_small = len(self._summary.changes) <= _FEW_CHANGES
            details, rest = self._details(room - len(rows) - (0 if is_small else MOST_LINES - _FEW_LINES))
            yield from (*head, *rows, *details, *tail, *rest)
            yield from self._problems()
            yield result

    def _verbose_lines(self, result: str) -> Iterator[str]:
        """Yield the whole review."""
        yield from (*self._head(result), *self._wholes(), *self._rows(len(self._screen.rows)))
        if self._summary.findings:
            yield ""
            yield from self._matrix()
        for finding in self._summary.findings:
            yield ""
            yield from self._finding(finding)
        yield from self._approved()
        yield from self._listed("added", [*map(_added, self._summary.additions)], "+ ")
        yield from self._listed("descriptions changed", [*map(_message, self._summary.documentation)])
        yield from self._listed("without effect", [*map(_message, self._summary.harmless)])
        unread = [f"{side.value} {each.place}: {each.message}" for side, each in self._summary.unread]
        yield from self._listed("not reviewed", unread)
        yield ""
        yield from self._notes()
        yield from self._problems()
        yield result

    def _head(self, result: str) -> Iterator[str]:
        if self._screen.rows:
            yield result
        if self._screen.caution:
            yield from wrapped(self._screen.caution, "", "  ", self._width)
        old, new = map(_side, (self._summary.old, self._summary.new))
        if len(f"{old} → {new}") <= self._width:
            yield f"{old} → {new}"
        else:
            yield from wrapped(old, "base      ", "          ", self._width)
            yield from wrapped(new, "revision  ", "          ", self._width)
        preset = self._summary.review.preset.value
        advised = self._summary.advice.bump
        bump = f"; minimum version bump: {advised.value} ({advised.commit})" if self._screen.rows else ""
        yield self._paint("faint", cropped(f"apigen {__version__}, preset {preset}{bump}", self._width))
        if self._screen.effects:
            effects = ", ".join(f"{name} {count:,}" for name, count in self._screen.effects)
            yield from wrapped(f"errors and warnings affect {effects}", "", "  ", self._width)

    def _wholes(self) -> Iterator[str]:
        """Yield the removed and the added versions and kinds."""
        changed = (*self._screen.removed, *self._screen.added)
        if changed:
            yield ""
        shown_ones = changed if self._verbose else changed[:_MOST_WHOLES]
        for number, each in enumerate(shown_ones):
            style = "error" if number < len(self._screen.removed) else "info"
            yield self._paint(style, cropped(f"{each.how + ':':<18}{each}", self._width))
        if len(changed) > len(shown_ones):
            yield f"… {len(changed) - len(shown_ones):,} more versions; --verbose shows them"

    def _fitting(self, room: int) -> list[str]:
        """Return the rows of rules: as many with an example as there is room for; then places are omitted."""
        count = len(self._screen.rows)
        errors = sum(row.severity is Severity.ERROR for row in self._screen.rows)
        rows: list[str] = []
        choices = [(examples, None) for examples in range(count, -1, -1)]
        for examples, most in (*choices, *((errors, each) for each in _MOST_OF_PATHS), (0, 1)):
            rows = [*self._rows(examples, most)]
            if len(rows) <= room:
                return rows
        return [*rows[: room - 1], f"… {len(rows) - room + 1:,} more lines; --verbose shows them"]

    def _rows(self, examples: int, most: int | None = None) -> Iterator[str]:
        """Yield a row for each rule; the first ones have an example. `most`: the number of lines of places of a row."""
        if self._screen.rows:
            yield ""
        widest = min(_WIDEST, max((len(row.rule) for row in self._screen.rows), default=0))
        for number, row in enumerate(self._screen.rows):
            yield from self._row(row, widest, most)
            if number < examples:
                yield self._paint("faint", f"{_INDENT}{cropped(row.example, self._width - len(_INDENT))}")

    def _row(self, row: RuleRow, widest: int, most: int | None) -> Iterator[str]:
        head = f"{row.severity.word:<10} {row.rule:<{widest}}  {row.number}"
        paths = [*map(shown, row.paths)]
        in_line = _cropped_list(paths, self._width - len(head) - 2)
        has_all = self._verbose or row.severity is Severity.ERROR
        is_whole = in_line == ", ".join(paths)
        if not has_all and not in_line:
            in_line = f"{paths[0]}, …"
        line = f"{head}: {in_line}" if is_whole or not has_all else head
        yield cropped(line, self._width).replace(
            row.severity.word, self._paint(row.severity.word, row.severity.word), 1
        )
        if has_all and not is_whole:
            yield from self._places(paths, most)
        if self._verbose and row.others:
            yield f"{_INDENT}with a lower severity:"
            yield from self._places([*map(shown, row.others)], most)

    def _places(self, paths: Sequence[str], most: int | None) -> Iterator[str]:
        """Yield lines with as many places as fit into each; places without a line are counted."""
        lines: list[list[str]] = [[]]
        for path in paths:
            if lines[-1] and len(", ".join([*lines[-1], path])) + len(_INDENT) + 1 > self._width:
                lines.append([])
            lines[-1].append(path)
        printed = lines if most is None else lines[:most]
        for number, words in enumerate(printed, 1):
            text = ", ".join(words) + ("," if number < len(lines) else "")
            yield from wrapped(text, _INDENT, f"{_INDENT}  ", self._width)
        if len(printed) < len(lines):
            yield f"{_INDENT}and {sum(map(len, lines[len(printed) :])):,} more; --verbose shows them"

    def _details(self, room: int) -> tuple[list[str], list[str]]:
        """Return the details of changes, each with its findings once, and a line about the rest, if there is one.

        The details are in full if all of them fit; otherwise as many as possible are shortened.
        """
        changes = self._summary.changes
        lines = (line for each in changes for line in ("", *self._change(each)))
        full = list(islice(lines, max(0, room + 1)))
        if len(full) <= room:
            return full, self._rest(0)
        printed: list[str] = []
        for number, each in enumerate(changes):
            block = ["", *self._change_in_short(each)]
            if len(printed) + len(block) > room:
                return printed, self._rest(len(changes) - number)
            printed += block
        return printed, self._rest(len(changes))

    def _rest(self, omitted: int) -> list[str]:
        """Return a line about the parts of a verbose report."""
        harmless = len(self._summary.harmless)
        parts = [counted(omitted, "change") + " in detail"] if omitted else []
        parts += [counted(harmless, "change") + " without effect"] if harmless else []
        return [_REST.format(", ".join(parts))] if parts else []

    def _change(self, change: SameChange) -> Iterator[str]:
        others = change.variants[1:]
        yield from self._finding(change.findings[0])
        for each in others:
            yield from wrapped(f"also: {each.result.text}", "    ", "      ", self._width)
        if len(change.findings) > len(others) + 1:
            places = ", ".join(paths_of(change.findings))
            yield from wrapped(f"the same {extent_of(change.findings)}: {places}", "    ", "      ", self._width)

    def _change_in_short(self, change: SameChange) -> Iterator[str]:
        """Yield the change, its place and its fix."""
        finding, count = change.findings[0], len(change.findings)
        extent = f"  ({counted(count, 'place')} {extent_of(change.findings)})" if count > 1 else ""
        place = finding.new_place if finding.new_place.file else finding.old_place
        yield cropped(f"{finding.severity.word} {finding.rule}  {finding.element}{extent}", self._width)
        if all(row.anchor != finding.fingerprint for row in self._screen.rows):
            yield cropped(f"  {finding.result.text}", self._width)
        yield cropped(f"  {place}", self._width)
        fix = self._summary.fix(finding)
        if fix:
            yield cropped(f"  = help: {fix}", self._width)

    def _notes(self) -> Iterator[str]:
        return (cropped(note, self._width) for note in self._screen.notes)

    def _matrix(self) -> Iterator[str]:
        yield " " * 26 + "".join(f"{severity.word:>11}" for severity in SHOWN)
        rows = [(row.name, row.cells) for row in self._summary.matrix_rows]
        by_stability = self._summary.by_stability
        for stability in dict.fromkeys(stability for stability, _ in by_stability):
            cells = tuple((severity.word, by_stability[stability, severity]) for severity in SHOWN)
            rows += [(f"{stability.value} elements", cells)] if any(count for _, count in cells) else []
        for name, cells in rows:
            words = (self._paint(word if count else "faint", f"{count or '·':>11}") for word, count in cells)
            yield f"{name:<26}{''.join(words)}"

    def _finding(self, finding: Finding) -> Iterator[str]:
        head = f"{finding.severity.word} {finding.rule}  {finding.element}  {finding.stability.value}"
        first, *rest = wrapped(head, "", "  ", self._width)
        yield from (
            first.replace(finding.severity.word, self._paint(finding.severity.word, finding.severity.word), 1),
            *rest,
        )
        yield from wrapped(finding.result.text, "  ", "  ", self._width)
        yield from self._sides(finding)
        yield from self._impacts(finding)
        yield from self._explained(finding)
        yield from self._consequences(finding)
        yield f"  {self._paint('faint', f'fingerprint {finding.fingerprint}')}"

    def _sides(self, finding: Finding) -> Iterator[str]:
        """Yield base and revision side by side, or one below the other if the terminal is too narrow."""
        old, new = finding.old or "(absent)", finding.new or "(absent)"
        places = _place(finding.old_place, finding.old), _place(finding.new_place, finding.new)
        room = (self._width - 8) // 2
        if self._width < _NARROW or max(map(len, places)) > room:
            for name, text, place in (("old", old, places[0]), ("new", new, places[1])):
                yield from (
                    self._paint("faint", line) for line in wrapped(f"{name}  {place}", "    ", "         ", self._width)
                )
                yield from (self._paint(name, line) for line in wrapped(text, "         ", "         ", self._width))
            return
        yield f"    {self._paint('faint', places[0].ljust(room))}  {self._paint('faint', places[1])}".rstrip()
        for left, right in in_columns(f"- {old}", f"+ {new}", room):
            yield f"    {self._paint('old', left)}  {self._paint('new', right)}".rstrip()

    def _impacts(self, finding: Finding) -> Iterator[str]:
        for direction, name in DIRECTIONS.items():
            effect = finding.effects.get(direction)
            if effect is not None:
                sign = "✗" if effect.impact is Impact.BREAKS else "~"
                yield from wrapped(f"{name}: {effect.impact.value}: {effect.text}", f"  {sign} ", "    ", self._width)
            for each in finding.counterexamples if effect is not None else ():
                if each.direction is direction:
                    words = f"counterexample: {each.kind} {json_text(each.before)}"
                    yield from wrapped(words, "      ", "        ", self._width)
                    yield from wrapped(each.outcome, "      → ", "        ", self._width)
                    after = "" if each.after is None else json_text(each.after)
                    yield from wrapped(after, "        ", "        ", self._width) if after else ()

    def _explained(self, finding: Finding) -> Iterator[str]:
        missing = self._summary.no_counterexample(finding)
        same = self._summary.siblings.get(finding.fingerprint)
        lines = (
            f"no counterexample: {missing}" if missing else "",
            *(each.words for each in finding.considered),
            self._summary.approved_in_part(finding),
            f"the same in {', '.join(same)}" if same else "",
        )
        for line in filter(None, lines):
            yield from wrapped(line, "    ", "      ", self._width)
        fix = self._summary.fix(finding)
        if fix:
            yield from wrapped(f"help: {fix}", "  = ", "    ", self._width)
        if finding.proposal:
            yield from wrapped(f"suggestion: {finding.proposal}", "  = ", "    ", self._width)
        patch = finding.result.patch
        for line in () if patch in fix else patch.splitlines():
            yield f"      {shown(line)}".rstrip()

    def _consequences(self, finding: Finding) -> Iterator[str]:
        if not finding.consequences:
            return
        yield f"  consequences ({len(finding.consequences)}):"
        for each in finding.consequences:
            yield from wrapped(f"{each.severity.word} {each.rule}: {each.result.text}", "    ", "      ", self._width)

    def _approved(self) -> Iterator[str]:
        approved = self._summary.approved
        printed = approved if self._verbose else approved[:_MOST_APPROVED]
        yield from self._title("approved", len(approved))
        for each in printed:
            yield from self._approval(each)
        if len(approved) > len(printed):
            yield f"  … {len(approved) - len(printed):,} more; --verbose shows them"

    def _approval(self, approved: Approved) -> Iterator[str]:
        finding, approval = approved.finding, approved.approval
        line = f"  {finding.severity.word} {finding.rule}: {finding.result.text}"
        yield from wrapped(line, "", "    ", self._width) if self._verbose else (cropped(line, self._width),)
        by = f", {approval.owner}" if approval.owner else ""
        ticket = f", {approval.ticket}" if approval.ticket else ""
        words = f"{approval.reason} ({approved.remaining}{by}{ticket})"
        yield from wrapped(words, "    reason: ", "      ", self._width)

    def _listed(self, title: str, lines: Sequence[str], bullet: str = "") -> Iterator[str]:
        yield from self._title(title, len(lines))
        for line in lines:
            yield from wrapped(line, f"  {bullet}", "    ", self._width)

    def _title(self, title: str, count: int) -> Iterator[str]:
        if count:
            yield from ("", self._paint("bold", f"{title} ({count})"))

    def _problems(self) -> Iterable[str]:
        if self._summary.problems:
            from apigen.diagnostics.printers.text import render as render_diagnostics  # most reviews have no problems

            yield ""
            yield render_diagnostics(self._summary.problems).rstrip("\n")


def _added(finding: Finding) -> str:
    more = f" (and {len(finding.consequences)} in it)" if finding.consequences else ""
    return f"{finding.element.kind.value} {finding.element}{more}"


def _message(finding: Finding) -> str:
    return f"{finding.rule}: {finding.result.text}"


def _side(surface: Surface) -> str:
    release = "" if surface.release is None else f", release {surface.release}"
    return f"{shown(surface.label)} ({surface.form}{release})"


def _place(place: Place, text: str) -> str:
    """Return a place; for an element that is not on a side, that of its nearest parent."""
    return shown(str(place)) if text else f"nearest: {shown(str(place))}"


def _cropped_list(words: Sequence[str], room: int) -> str:
    """Return as many words of a list as fit in a line, and the number of the others; empty if none fits."""
    line = ", ".join(words)
    if len(line) <= room:
        return line
    lines = (some(words, "more", count) for count in range(1, len(words)))
    *_, longest = "", *takewhile(lambda line: len(line) <= room, lines)
    return longest
