"""Splits the lines that generated code is full of, at a tenth of the price: by their outline instead of their tokens.

The rules are those of `apigen.emit.splitting`, for the cases that come up all the time; what is no such case is left to
it. A line that both can split comes out the same, which a test holds.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

from apigen.emit.lines import INDENT
from apigen.emit.outline import Break, Group, Unknown, outline
from apigen.emit.reading import COMMA, COMPREHENSION, DOT, TERNARY, UNION, Syntax

_RARE = re.compile(
    r"for \(|(?:with|case|match|type|class|del|async|await|import|try|except|lambda|global|nonlocal|not|@)\b|@"
)
_WRAPPED = ("return ", "assert ", "if ", "elif ", "while ", "for ")
_DECLARATION = re.compile(r"[\w.]+: ")
_KEYWORD = re.compile(r"\w+=(?!=)")
_ENTRY = re.compile(r"""(?:\w+|"[^"\\]*"): """)


_SHOWS_SYNTAX = re.compile(r"""[fFtT][rR]?["']|\d_|\(|\*[* ]""")


def split_quickly(text: str, depth: int, width: int, syntax: Syntax) -> str | None:
    """Split a logical line that is too long, as `format_line` does; None for one that is not among the common forms."""
    if _RARE.match(text) or not text.isascii():
        return None
    try:
        lines = _Layout(text, width).lines(depth, syntax)
    except Unknown:
        return None
    return "\n".join(lines)[INDENT * depth :]


class _Layout:
    """One line being split.

    Each method adds to `_out`, and raises Unknown for what is no common form. `_commas` counts the commas that were
    added: they demand that what they stand in is split, also when Black looks at its own output for the second time.
    """

    def __init__(self, text: str, width: int) -> None:
        self._text = text
        self._width = width
        self._out: list[str] = []
        self._commas = 0

    def lines(self, depth: int, syntax: Syntax) -> list[str]:
        """The lines, indented."""
        text = self._text
        found = outline(text)
        if text.startswith("def "):
            self._definition(found.root, depth, "," if Syntax.PARAMETER_COMMA in syntax or not found.has_stars else "")
        elif found.has_stars:
            raise Unknown
        elif text.startswith("from "):
            self._import(found.root, depth)
        else:
            self._statement(found.root, depth)
        return self._out

    # --- statements

    def _definition(self, root: Group, depth: int, after: str) -> None:
        """A function's header is split at its parameters, `after` the last of which stands; one without any at its result."""
        text, parameters = self._text, root.groups[0]
        start, end = parameters.start + 1, parameters.end
        result = text[end:]
        if (
            text[start - 1] != "("
            or not result.startswith(") -> ")
            or result[5] == "("
            or '"' in result
            or "'" in result
        ):
            raise Unknown
        if start == end:
            result_end = text.rindex(":")
            self._line(f"{text[: end + 5]}(", depth, has_to_fit=False)
            self._line(text[end + 5 : result_end], depth + 1)
            self._line(f"){text[result_end:]}", depth)
            return
        self._line(text[:start], depth, has_to_fit=False)
        self._parameters(parameters, text[start:end], depth + 1, after)
        self._line(result, depth)

    def _parameters(self, group: Group, parameters: str, depth: int, after: str) -> None:
        """All on one line, or one on each; one without company gets a comma."""
        commas = [place for place, priority in group.breaks if priority == COMMA]
        if "/," in parameters or ": (" in parameters or (not after and _SHOWS_SYNTAX.search(parameters)):
            raise Unknown
        if not commas:
            if not after or ("," in parameters and "=" in parameters):
                raise Unknown
            self._line(f"{parameters},", depth)
        elif INDENT * depth + len(parameters) <= self._width:
            self._line(parameters, depth)
        else:
            for low, high in _cut(group.start + 1, group.end, group.breaks, COMMA, 2):
                self._parameter(low, high, group, depth, "," if high < group.end else after)

    def _parameter(self, start: int, end: int, group: Group, depth: int, after: str) -> None:
        """One that is too long may have parentheses around its annotation, if that is a union."""
        text = self._text
        breaks = [each for each in group.breaks if start < each[0] < end]
        if not breaks or INDENT * depth + end - start + len(after) <= self._width:
            self._line(f"{text[start:end]}{after}", depth)
            return
        annotation = text.find(": ", start, breaks[0][0]) + 2
        default = next((place for place in group.assigned if start < place < end), end)
        if annotation == 1 or any(priority != UNION or place > default for place, priority in breaks):
            raise Unknown
        self._line(f"{text[start:annotation]}(", depth)
        groups = [each for each in group.groups if annotation <= each.start < end]
        if "**" in text[default:end] or (groups and groups[-1].start > default):
            raise Unknown
        self._inside(annotation, default, breaks, groups, depth + 1, "")
        self._line(f"){text[default:end]}{after}", depth)

    def _import(self, root: Group, depth: int) -> None:
        """Names are imported one on each line."""
        head, _, names = self._text.partition(" import ")
        if root.groups or not names:
            raise Unknown
        self._line(f"{head} import (", depth)
        for name in names.split(", "):
            self._line(f"{name},", depth + 1)
        self._line(")", depth)

    def _statement(self, root: Group, depth: int) -> None:
        text, end = self._text, len(self._text)
        if root.assigned:
            self._assignment(root, depth)
            return
        for word in _WRAPPED:
            if text.startswith(word):
                if text.endswith(":"):
                    end -= 1
                start = text.index(" in ") + 4 if word == "for " else len(word)
                self._wrapped(start, end, root, depth, closed=start - 4 if word == "for " else 0)
                return
        if _DECLARATION.match(text) or root.breaks:
            raise Unknown
        self._at_bracket(0, end, root.groups, depth, "")

    def _assignment(self, root: Group, depth: int) -> None:
        text = self._text
        if len(root.assigned) > 1:
            raise Unknown
        operator = root.assigned[0]
        start = text.index(" ", operator + 1) + 1
        target = text[:operator]
        is_declared = _DECLARATION.match(target) is not None
        if root.breaks and root.breaks[0][0] < operator and not is_declared:
            raise Unknown
        has_brackets = is_declared or "[" in target or "(" in target
        if target[0] == "(" or ": (" in target or (has_brackets and start != operator + 3):
            raise Unknown
        closed = operator if has_brackets else 0
        self._wrapped(start, len(text), root, depth, closed=closed, is_plain=not has_brackets)

    # --- with optional parentheses

    def _wrapped(self, start: int, end: int, root: Group, depth: int, *, closed: int, is_plain: bool = True) -> None:
        """An expression behind a word or `=`, around which parentheses may be put.

        `closed` is where the last bracket in front of it is closed. `is_plain`: parentheses are never better than its last
        bracket.
        """
        text = self._text
        breaks = [each for each in root.breaks if each[0] >= start]
        groups = [each for each in root.groups if each.start >= start]
        if text[start] == "(" and (not breaks or groups[0].end == end - 1) and not _is_tuple(groups[0], end):
            raise Unknown
        if not self._can_omit(start, end, breaks, groups, depth):
            self._parenthesized(start, end, breaks, groups, depth)
            return
        last = _last(groups)
        if is_plain or INDENT * depth + last.start < self._width:
            self._at_bracket(0, end, groups, depth, text[end:], closed=closed)
            return
        if groups[0] is not last:
            raise Unknown
        commas = self._commas
        self._parenthesized(start, end, breaks, groups, depth)
        if self._commas != commas:
            raise Unknown

    def _can_omit(self, start: int, end: int, breaks: Sequence[Break], groups: Sequence[Group], depth: int) -> bool:
        """Whether an expression may go without the optional parentheses around it."""
        if not breaks:
            return True
        priority = max(each[1] for each in breaks)
        if priority == COMMA:
            raise Unknown
        if sum(each[1] == priority for each in breaks) > 1:
            return False
        if priority == DOT:
            return True
        if self._text[start] in "([{":
            raise Unknown
        if not groups:
            return False
        last = groups[-1]
        if last.end != end - 1 or last.is_empty or self._is_subscript(last):
            return False
        return len(groups) > 1 or INDENT * (depth + 1) + last.start + 1 - start <= self._width

    def _parenthesized(
        self, start: int, end: int, breaks: Sequence[Break], groups: Sequence[Group], depth: int
    ) -> None:
        self._line(f"{self._text[:start]}(", depth)
        self._inside(start, end, breaks, groups, depth + 1, "")
        self._line(f"){self._text[end:]}", depth)

    # --- in brackets

    def _at_bracket(
        self, start: int, end: int, groups: Sequence[Group], depth: int, after: str, *, closed: int = 0
    ) -> None:
        """Split at the last bracket that is not empty; the one before was `closed` there, or is among the groups.

        Commas deeper down may change the choice of the bracket when Black looks for the second time.
        """
        text, last = self._text, _last(groups)
        is_display = self._is_display(last)
        self._line(text[start : last.start + 1], depth)
        commas = self._commas
        is_items = any(priority == COMMA for _, priority in last.breaks)
        size = INDENT * (depth + 1) + last.end - last.start - 1
        if size <= self._width and not (is_display and is_items):
            self._line(text[last.start + 1 : last.end], depth + 1)
        else:
            self._body(last, depth + 1)
            if not is_items and self._commas != commas:
                closed = max([closed, *(each.end for each in groups if each is not last and not each.is_empty)])
                if closed and INDENT * depth + end - closed <= self._width:
                    raise Unknown
        self._line(f"{text[last.end : end]}{after}", depth)

    def _body(self, group: Group, depth: int) -> None:
        """What stands in brackets, and is too long for one line or has to take several."""
        start, end = group.start + 1, group.end
        priorities = {priority for _, priority in group.breaks}
        if COMMA in priorities and COMPREHENSION not in priorities:
            for low, high in _cut(start, end, group.breaks, COMMA, 2):
                self._slot(low, high, group, depth, ",")
            self._commas += 1
        elif COMPREHENSION in priorities and TERNARY in priorities:
            (low, high), *loops = _cut(start, end, group.breaks, COMPREHENSION, 1)
            self._slot(low, high, group, depth, "")
            for low, high in loops:
                self._slot(low, high, group, depth, "", is_whole=True)
        elif TERNARY in priorities and self._text[start - 1] != "(":
            raise Unknown
        else:
            self._slot(start, end, group, depth, "", is_whole=True)

    def _slot(self, start: int, end: int, group: Group, depth: int, after: str, *, is_whole: bool = False) -> None:
        """An item of a list, dict or call; optional parentheses stand around `a if b else c` unless others do."""
        if INDENT * depth + end - start + len(after) <= self._width:
            self._line(f"{self._text[start:end]}{after}", depth)
            return
        breaks = group.breaks[bisect_left(group.breaks, (start, 0)) : bisect_left(group.breaks, (end, 0))]
        begin = attrgetter("start")
        groups = group.groups[bisect_left(group.groups, start, key=begin) : bisect_left(group.groups, end, key=begin)]
        highest = max((priority for _, priority in breaks), default=0)
        keyword = (_ENTRY if self._text[group.start] == "{" else _KEYWORD).match(self._text, start, end)
        if highest != TERNARY or (is_whole and keyword is None):
            self._inside(start, end, breaks, groups, depth, after)
            return
        inner = keyword.end() if keyword is not None else start
        if keyword is None and self._text[group.start] == "{":
            raise Unknown
        self._line(f"{self._text[start:inner]}(", depth)
        self._inside(inner, end, breaks, groups, depth + 1, "")
        self._line(f"){after}", depth)

    def _inside(
        self, start: int, end: int, breaks: Sequence[Break], groups: Sequence[Group], depth: int, after: str
    ) -> None:
        """A line in brackets: as it is if it fits, else broken at what binds the least, else at its last bracket."""
        if INDENT * depth + end - start + len(after) <= self._width:
            self._line(f"{self._text[start:end]}{after}", depth)
            return
        priority = max((each[1] for each in breaks), default=0)
        count = sum(each[1] == priority for each in breaks)
        if not (count or groups):
            self._line(f"{self._text[start:end]}{after}", depth, has_to_fit=False)
            return
        if not count or (priority == DOT and count == 1):
            self._at_bracket(start, end, groups, depth, after)
            return
        if priority == COMMA or (priority == TERNARY and count > 2):
            raise Unknown
        pieces = _cut(start, end, breaks, priority, 0 if priority == DOT else 1)
        for low, high in pieces:
            inner = [each for each in breaks if low < each[0] < high]
            if any(each[1] == TERNARY for each in inner):
                raise Unknown
            mine = [each for each in groups if low <= each.start < high]
            self._inside(low, high, inner, mine, depth, after if high == end else "")

    def _line(self, line: str, depth: int, *, has_to_fit: bool = True) -> None:
        """Add a line; what has to fit and does not could be split further."""
        if has_to_fit and INDENT * depth + len(line) > self._width:
            raise Unknown
        self._out.append(" " * (INDENT * depth) + line)

    def _is_display(self, group: Group) -> bool:
        """Whether it is a list, dict, set or tuple, or parentheses around an expression."""
        before = self._text[group.start - 1] if group.start else " "
        return not (before.isalnum() or before in "_)]}\"'") or self._text[group.start] == "{"

    def _is_subscript(self, group: Group) -> bool:
        return self._text[group.start] == "[" and not self._is_display(group)


def _is_tuple(group: Group, end: int) -> bool:
    """Whether a bracket holds all that comes until `end`, and items of a tuple."""
    priorities = {priority for _, priority in group.breaks}
    return group.end == end - 1 and COMMA in priorities and COMPREHENSION not in priorities


def _last(groups: Sequence[Group]) -> Group:
    for group in reversed(groups):
        if not group.is_empty:
            return group
    raise Unknown


def _cut(start: int, end: int, breaks: Sequence[Break], priority: int, skipped: int) -> list[tuple[int, int]]:
    """The pieces between breaks of a priority; so many characters of each break are left out."""
    pieces = []
    for place, found in breaks:
        if found == priority:
            pieces.append((start, place))
            start = place + skipped
    pieces.append((start, end))
    return pieces
