"""The report for people at a terminal. Its last line is the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen import __version__
from apigen.diagnostics import Place
from apigen.diagnostics.quoting import inert
from apigen.review.approvals.matching import Approved
from apigen.review.finding import Finding
from apigen.review.reports.lines import PAGE, beside, json_text, shown, wrapped
from apigen.review.reports.report import Style
from apigen.review.reports.summary import DIRECTIONS, NO_DIRECTION, SHOWN, Summary, verdict_line
from apigen.review.surface import Surface
from apigen.review.verdict.impact import Direction, Impact
from apigen.review.verdict.severity import Severity

_NARROW = 72
_MOST_LISTED = 40
_MOST_FINDINGS = 1_000


def render(summary: Summary, style: Style) -> str:
    """The review as text."""
    return "\n".join(map(inert, _Text(summary, style).lines())) + "\n"


class _Text:
    """A report while it is written."""

    def __init__(self, summary: Summary, style: Style) -> None:
        self._summary = summary
        self._paint = Paint(on=style.colour)
        self._width = min(style.width or PAGE, PAGE)
        self._verbose = style.verbose

    def lines(self) -> Iterator[str]:
        yield from self._header()
        findings = self._summary.findings
        for finding in findings if self._verbose else findings[:_MOST_FINDINGS]:
            yield ""
            yield from self._finding(finding)
        yield from self._rest(len(findings), _MOST_FINDINGS)
        if self._summary.untried:
            yield from ("", self._summary.untried)
        yield from self._approved()
        yield from self._listed("added", self._summary.additions)
        yield from self._counted("descriptions changed", self._summary.documentation)
        yield from self._counted("without effect", self._summary.harmless)
        yield from self._unread()
        yield from self._problems()
        yield ""
        passes = not self._summary.fails and not self._summary.problems
        yield self._paint("good" if passes else "error", verdict_line(self._summary))

    def _header(self) -> Iterator[str]:
        old, new = self._summary.old, self._summary.new
        yield f"old  {_side(old)}"
        yield f"new  {_side(new)}"
        yield self._paint("faint", f"apigen {__version__}, preset {self._summary.review.preset.value}")
        if self._summary.findings:
            yield ""
            yield from self._matrix()
            yield ""
            yield from self._advice()

    def _matrix(self) -> Iterator[str]:
        counted = self._summary.matrix
        yield " " * 26 + "".join(f"{severity.word:>9}" for severity in SHOWN)
        for direction in (*DIRECTIONS, None):
            cells = [(severity, counted[direction, severity]) for severity in SHOWN]
            name = NO_DIRECTION if direction is None else DIRECTIONS[direction]
            if direction is not None or any(count for _, count in cells):
                words = (self._paint(s.word if n else "faint", f"{n or '·':>9}") for s, n in cells)
                yield f"{name:<26}{''.join(words)}"
        for stability in dict.fromkeys(stability for stability, _ in self._summary.by_stability):
            cells = [(severity, self._summary.by_stability[stability, severity]) for severity in SHOWN]
            if any(count for _, count in cells):
                words = (self._paint(s.word if n else "faint", f"{n or '·':>9}") for s, n in cells)
                yield f"{f'in what is {stability.value}':<26}{''.join(words)}"

    def _advice(self) -> Iterator[str]:
        advice = self._summary.advice
        yield f"least version bump: {advice.bump.value} ({advice.bump.commit})"
        if advice.earliest_removal is not None:
            yield f"earliest release without what is removed: {advice.earliest_removal}"

    def _finding(self, finding: Finding) -> Iterator[str]:
        word = self._paint.severity(finding.severity)
        element = self._paint("bold", shown(str(finding.element)))
        yield f"{word} {finding.rule}  {element}  {self._paint('faint', finding.stability.value)}"
        yield from wrapped(finding.verdict.message, "  ", "  ", self._width)
        yield from self._sides(finding)
        yield from self._impacts(finding)
        yield from self._explained(finding)
        yield from self._mended(finding)
        yield from self._consequences(finding)
        yield f"  {self._paint('faint', f'fingerprint {finding.fingerprint}')}"

    def _sides(self, finding: Finding) -> Iterator[str]:
        """Old and new side by side, or one below the other where there is no room."""
        old, new = finding.old or "(nothing)", finding.new or "(nothing)"
        places = _place(finding.old_place, finding.old), _place(finding.new_place, finding.new)
        room = (self._width - 8) // 2
        if self._width < _NARROW or max(map(len, places)) > room:
            for name, text, place in (("old", old, places[0]), ("new", new, places[1])):
                yield f"    {self._paint('faint', f'{name}  {place}')}"
                yield from (self._paint(name, line) for line in wrapped(text, "         ", "         ", self._width))
            return
        yield f"    {self._paint('faint', places[0].ljust(room))}  {self._paint('faint', places[1])}".rstrip()
        for left, right in beside(f"- {old}", f"+ {new}", room):
            yield f"    {self._paint('old', left)}  {self._paint('new', right)}".rstrip()

    def _impacts(self, finding: Finding) -> Iterator[str]:
        for direction, name in DIRECTIONS.items():
            hit = finding.hits.get(direction)
            if hit is not None:
                sign = "✗" if hit.impact is Impact.BREAKS else "~"
                yield from wrapped(f"{name}: {hit.impact.value}: {hit.text}", f"  {sign} ", "    ", self._width)
                yield from self._witnesses(finding, direction)

    def _witnesses(self, finding: Finding, direction: Direction) -> Iterator[str]:
        for witness in finding.witnesses:
            if witness.direction is direction:
                yield from wrapped(
                    f"shown by {witness.kind} {json_text(witness.before)}", "      ", "        ", self._width
                )
                yield from wrapped(witness.outcome, "      → ", "        ", self._width)
                if witness.after is not None:
                    yield from wrapped(json_text(witness.after), "        ", "        ", self._width)

    def _explained(self, finding: Finding) -> Iterator[str]:
        missing = self._summary.no_witness(finding)
        if missing:
            yield from wrapped(f"without a witness: {missing}", "    ", "      ", self._width)
        if finding.verdict.is_unproven:
            yield "    not proven: the worse was taken"
        for each in finding.considered:
            verb = "milder" if each.holds else "not milder"
            yield from wrapped(f"{verb} by {each.name}: {each.reason}", "    ", "      ", self._width)
        partly = self._summary.partly.get(finding.fingerprint)
        if partly is not None:
            names = ", ".join(DIRECTIONS[direction] for direction in partly.directions)
            yield from wrapped(f"approved for {names}: {partly.approval.reason}", "    ", "      ", self._width)
        same = self._summary.siblings.get(finding.fingerprint)
        if same:
            yield f"    the same in {', '.join(map(shown, same))}"

    def _mended(self, finding: Finding) -> Iterator[str]:
        fix = self._summary.fix(finding)
        if fix:
            yield from wrapped(f"help: {fix}", "  = ", "    ", self._width)
        if finding.proposal:
            yield from wrapped(f"perhaps: {finding.proposal}", "  = ", "    ", self._width)
        for line in finding.verdict.patch.splitlines():
            yield f"      {shown(line)}".rstrip()

    def _consequences(self, finding: Finding) -> Iterator[str]:
        if not finding.consequences:
            return
        yield f"  with it ({len(finding.consequences)}):"
        for each in finding.consequences if self._verbose else finding.consequences[:_MOST_LISTED]:
            yield from wrapped(
                f"{each.severity.word} {each.rule}: {each.verdict.message}", "    ", "      ", self._width
            )
        yield from self._rest(len(finding.consequences))

    def _approved(self) -> Iterator[str]:
        if self._summary.approved:
            yield ""
            yield self._paint("bold", f"approved ({len(self._summary.approved)})")
        for each in self._summary.approved:
            yield from self._approval(each)

    def _approval(self, approved: Approved) -> Iterator[str]:
        finding, approval = approved.finding, approved.approval
        yield from wrapped(
            f"{finding.severity.word} {finding.rule}: {finding.verdict.message}", "  ", "    ", self._width
        )
        by = f", {approval.owner}" if approval.owner else ""
        ticket = f", {approval.ticket}" if approval.ticket else ""
        words = f"{approval.reason} ({approved.left}{by}{ticket})"
        yield from wrapped(words, "    because ", "      ", self._width)

    def _listed(self, title: str, findings: tuple[Finding, ...]) -> Iterator[str]:
        if not findings:
            return
        yield ""
        yield self._paint("bold", f"{title} ({len(findings)})")
        for finding in findings if self._verbose else findings[:_MOST_LISTED]:
            more = f" (and {len(finding.consequences)} with it)" if finding.consequences else ""
            yield from wrapped(f"{finding.element.kind.value} {finding.element}{more}", "  + ", "    ", self._width)
        yield from self._rest(len(findings))

    def _rest(self, count: int, shown_at_most: int = _MOST_LISTED) -> Iterator[str]:
        if count > shown_at_most and not self._verbose:
            yield f"  … {count - shown_at_most:,} more; --verbose shows them"

    def _counted(self, title: str, findings: tuple[Finding, ...]) -> Iterator[str]:
        if findings:
            yield ""
            hint = "" if self._verbose else "; --verbose shows them"
            yield self._paint("bold", f"{title} ({len(findings)})") + hint
        for finding in findings if self._verbose else ():
            yield from wrapped(f"{finding.rule}: {finding.verdict.message}", "  ", "    ", self._width)

    def _unread(self) -> Iterator[str]:
        unread = self._summary.unread
        if unread:
            yield ""
            yield self._paint("bold", f"not judged ({len(unread)})")
        for side, each in unread if self._verbose else unread[:_MOST_LISTED]:
            yield from wrapped(f"{side.value} {each.place}: {each.message}", "  ", "    ", self._width)
        yield from self._rest(len(unread))

    def _problems(self) -> Iterable[str]:
        if self._summary.problems:
            from apigen.diagnostics.printers.text import render as render_diagnostics  # most reviews have no problems

            yield ""
            yield render_diagnostics(self._summary.problems).rstrip("\n")


def _side(surface: Surface) -> str:
    release = "" if surface.release is None else f", release {surface.release}"
    return f"{shown(surface.label)} ({surface.form}{release})"


def _place(place: Place, text: str) -> str:
    """A place; of what is not on a side it is that of the nearest parent that is."""
    return shown(str(place)) if text else f"nearest: {shown(str(place))}"


_CODES: Mapping[str, str] = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "silent": "2",
    "good": "1;32",
    "bold": "1",
    "faint": "2",
    "old": "31",
    "new": "32",
}


class Paint:
    """Puts text into a colour; a paint that is off gives it back as it is. Text has to be visible already."""

    def __init__(self, *, on: bool) -> None:
        self._on = on

    def __call__(self, what: str, text: str) -> str:
        """The text as a thing of that kind: a severity's word, `bold`, `faint`, `old`, `new`, `good`."""
        return f"\x1b[{_CODES[what]}m{text}\x1b[0m" if self._on and text else text

    def severity(self, severity: Severity) -> str:
        """The word of a severity in its colour."""
        return self(severity.word, severity.word)
