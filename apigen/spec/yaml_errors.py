"""Says in plain words what is wrong with a text that is not YAML."""

from __future__ import annotations

import re

import yaml

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Related, Report
from apigen.spec.source import SourceFile


@dataclass(frozen=True, slots=True)
class _Rewording:
    """How a complaint of PyYAML's parsers (the one in C and the one in Python) is told.

    `opened` says what began at the place that the parser gives as context; `at_opening`: that is where to look.
    """

    complaint: str
    message: str
    hint: str | None = None
    opened: str | None = None
    at_opening: bool = False


_IN_QUOTES = "write the text in quotes"

_REWORDINGS = (
    _Rewording(
        "mapping values are not allowed",
        "a `: ` is not expected here",
        "text that contains `: ` is written in quotes; a key stands at the same indentation as the keys beside it",
    ),
    _Rewording("could not find expected ':'", "a key without `:`", "write `key: value`", "the key begins here"),
    _Rewording("did not find expected key|expected <block end>", "this is indented like nothing above it"),
    _Rewording(
        "did not find expected '-' indicator",
        "a list goes on with `- `, or ends with less indentation",
        None,
        "the list begins here",
    ),
    _Rewording("expected ',' or ']'", "a list in brackets is not closed", "write `,` or `]`", "it is opened here"),
    _Rewording("expected ',' or '}'", "a mapping in braces is not closed", "write `,` or `}`", "it is opened here"),
    _Rewording(
        "unexpected (end of stream|document indicator|document separator)",
        "text in quotes is not closed",
        at_opening=True,
    ),
    _Rewording("cannot start any token", "text cannot begin with this character", "write it in quotes"),
    _Rewording(
        "sequence entries are not allowed",
        "a list cannot begin here",
        "begin it in the next line, or write it in brackets: `[a, b]`",
    ),
    _Rewording("mapping keys are not allowed", "a `? ` is not expected here", _IN_QUOTES),
    _Rewording(
        "unknown escape character",
        "this text in double quotes has an escape that does not exist",
        "write `\\\\` for a backslash, or use single quotes",
    ),
    _Rewording("hexdecimal number|hexadecimal|Unicode character escape", "an escape with wrong digits"),
    _Rewording("alphabetic or numeric character", "an anchor or alias without a name", _IN_QUOTES),
    _Rewording("expected <?'?<?document start", "there is text after the end of the document", _IN_QUOTES),
    _Rewording("expected (the )?node content", "a value is expected here"),
    _Rewording("undefined tag handle|tag|'!'", "tags are not part of the language", _IN_QUOTES),
    _Rewording("directive|incompatible YAML document", "a directive that is not known", "remove the line"),
    _Rewording(
        "chomping|indentation indicator|comment or line break",
        "after `|` or `>` the text begins in the next line",
    ),
)

_UNOPENED = _Rewording("", "nothing is open that this closes")
_TRAILING = _Rewording("", "this does not belong to the value in front of it", _IN_QUOTES)
_LIST_TYPE_HINT = 'the type of a list stands in quotes: "[]T"'


def report_syntax_error(report: Report, file: SourceFile, error: yaml.YAMLError) -> None:
    """Report what PyYAML found wrong, with line and column."""
    place, opened, complaint = _details(file, error)
    line = file.lines[place.line - 1]
    indentation = line[: len(line) - len(line.lstrip(" \t"))]
    if "\t" in indentation:
        tab = Place(file.name, place.line, indentation.index("\t") + 1)
        report.error("AG0109", tab, "a tab in the indentation", hint="indent with spaces")
        return
    rewording = _rewording(complaint, line, place.column, len(indentation))
    hint = _LIST_TYPE_HINT if line[: place.column - 1].endswith("[]") else rewording.hint
    related = [Related(opened, rewording.opened)] if opened and rewording.opened else []
    if opened and rewording.at_opening:
        place = opened
    report.error("AG0110", place, f"not YAML: {rewording.message}", hint=hint, related=related)


def _rewording(complaint: str, line: str, column: int, indentation: int) -> _Rewording:
    if line[column - 1 : column] in ("]", "}") and "expected ','" not in complaint:
        return _UNOPENED
    for rewording in _REWORDINGS:
        if re.search(rewording.complaint, complaint):
            is_behind_text = column - 1 > indentation
            return _TRAILING if "expected key" in complaint and is_behind_text else rewording
    return _Rewording("", complaint)


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
