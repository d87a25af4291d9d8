"""Says in plain words what is wrong with a text that is not YAML."""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from apigen.diagnostics import Place, Related, Report
from apigen.spec.source import SourceFile


@dataclass(frozen=True, slots=True)
class _Rewording:
    """How a complaint of PyYAML's parsers (the one in C and the one in Python) is told."""

    complaint: str
    message: str
    hint: str | None = None
    opened: str | None = None


_REWORDINGS = (
    _Rewording(
        "mapping values are not allowed",
        "a `: ` is not expected here",
        "text that contains `: ` is written in quotes; a key stands at the same indentation as the keys beside it",
    ),
    _Rewording("could not find expected ':'", "a key without `:`", "write `key: value`", "the key begins here"),
    _Rewording("did not find expected key|expected <block end>", "this is indented like nothing above it", None, None),
    _Rewording(
        "did not find expected '-' indicator",
        "a list goes on with `- `, or ends with less indentation",
        None,
        "the list begins here",
    ),
    _Rewording("expected ',' or ']'", "a list in brackets is not closed", "write `,` or `]`", "it is opened here"),
    _Rewording("expected ',' or '}'", "a mapping in braces is not closed", "write `,` or `}`", "it is opened here"),
    _Rewording("unexpected end of stream", "text in quotes is not closed", None, "it is opened here"),
    _Rewording("unexpected document (indicator|separator)", "text in quotes is not closed", None, "it is opened here"),
    _Rewording(
        "cannot start any token",
        "text cannot begin with this character",
        "write it in quotes",
    ),
    _Rewording(
        "sequence entries are not allowed",
        "a list cannot begin here",
        "begin it in the next line, or write it in brackets: `[a, b]`",
    ),
    _Rewording("mapping keys are not allowed", "a `? ` is not expected here", "write text that begins so in quotes"),
    _Rewording(
        "unknown escape character",
        "this text in double quotes has an escape that does not exist",
        "write `\\\\` for a backslash, or use single quotes",
    ),
    _Rewording("hexdecimal number|hexadecimal|Unicode character escape", "an escape with wrong digits"),
    _Rewording("alphabetic or numeric character", "an anchor or alias without a name", "write the text in quotes"),
    _Rewording("expected <?'?<?document start", "there is text after the end of the document", "write it in quotes"),
    _Rewording("expected (the )?node content", "a value is expected here"),
    _Rewording("undefined tag handle|tag|'!'", "tags are not part of the language", "write the text in quotes"),
    _Rewording("directive|incompatible YAML document", "a directive that is not known", "remove the line"),
    _Rewording(
        "chomping|indentation indicator|comment or line break",
        "after `|` or `>` the text begins in the next line",
    ),
)


def report_syntax_error(report: Report, file: SourceFile, error: yaml.YAMLError) -> None:
    """Report what PyYAML found wrong, with line and column."""
    place, opened, complaint = _details(file, error)
    tab = _tab_in_indentation(file, place)
    if tab is not None:
        report.error("AG0109", tab, "a tab in the indentation", hint="indent with spaces")
        return
    for rewording in _REWORDINGS:
        if re.search(rewording.complaint, complaint):
            related = [Related(opened, rewording.opened)] if opened and rewording.opened else []
            report.error("AG0110", place, f"not YAML: {rewording.message}", hint=rewording.hint, related=related)
            return
    report.error("AG0110", place, f"not YAML: {complaint}")


def _details(file: SourceFile, error: yaml.YAMLError) -> tuple[Place, Place | None, str]:
    """Where it is, where what it is in began, and PyYAML's own words."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return Place(file.name, 1, 1), None, str(error)
    mark, context = error.problem_mark, error.context_mark
    place = Place(file.name, 1, 1) if mark is None else _within(file, mark.line + 1, mark.column + 1)
    opened = None if context is None else _within(file, context.line + 1, context.column + 1)
    return place, opened, error.problem or "unknown reason"


def _within(file: SourceFile, line: int, column: int) -> Place:
    """The place, or the end of the last line with text if it lies behind the end of the file."""
    lines = file.lines
    if line <= len(lines) and (lines[line - 1] or line < len(lines)):
        return Place(file.name, line, column)
    last = next((number for number in range(len(lines), 0, -1) if lines[number - 1].strip()), 1)
    return Place(file.name, last, len(lines[last - 1].rstrip()) + 1)


def _tab_in_indentation(file: SourceFile, place: Place) -> Place | None:
    line = file.lines[place.line - 1]
    indentation = line[: len(line) - len(line.lstrip(" \t"))]
    return Place(file.name, place.line, indentation.index("\t") + 1) if "\t" in indentation else None
