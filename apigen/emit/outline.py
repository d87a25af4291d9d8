"""The outline of a logical line: its brackets, and where it can be broken. Words and numbers are not looked at."""

from __future__ import annotations

import re

from apigen.dataclass import dataclass, field
from apigen.emit.reading import (
    ARITHMETIC,
    COMMA,
    COMPARISON,
    COMPREHENSION,
    DOT,
    EXCLUSION,
    INTERSECTION,
    LOGIC,
    SHIFT,
    TERM,
    TERNARY,
    UNION,
)

_MARK = re.compile(
    r"""[()\[\]{},]|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
    r"""|\ (?:not\ in|is\ not|if|else|for|in|is|and|or|[|^&+\-/%@<>]|==|!=|<=|>=|//|<<|>>|=)(?=\ )"""
    r"""|(?<=[)\]}])\.|\*|[#;\\$?`]|!(?!=)|\b(?:async|await|lambda|(?<!^)yield)\b|\ (?:[+\-*/%@&|^:]|\*\*|//|>>|<<)=(?=\ )""",
    re.VERBOSE,
)
_OPERATORS = {
    ".": DOT,
    " if": TERNARY,
    " or": LOGIC,
    " and": LOGIC,
    " |": UNION,
    " ^": EXCLUSION,
    " &": INTERSECTION,
    **dict.fromkeys((" in", " not in", " is", " is not", " <", " >", " ==", " !=", " <=", " >="), COMPARISON),
    **dict.fromkeys((" <<", " >>"), SHIFT),
    **dict.fromkeys((" +", " -"), ARITHMETIC),
    **dict.fromkeys((" /", " //", " %", " @"), TERM),
}
_MOST_NESTED = 30
_CLOSING = {"(": ")", "[": "]", "{": "}"}

Break = tuple[int, int]
"""Where a line can be broken (at a comma, or at the blank in front of an operator), and with which priority."""


class Unknown(Exception):
    """The line has something in it that an outline does not tell enough about."""


@dataclass(slots=True)
class Group:
    """What stands in a pair of brackets, or in a whole line.

    Attributes:
        start: where the opening bracket stands; -1 for a whole line.
        end: where the closing bracket stands, or where the line ends.
        breaks: where it can be broken outside of brackets in it, in order.
        groups: the brackets in it, in order.
        assigned: where the assignments in it stand.
        is_named: whether `name := value` stands in it.
        is_sheltered: whether the target of a loop is being read, where no line is broken.
        has_loop: whether it is a comprehension.
    """

    start: int
    end: int = 0
    breaks: list[Break] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    assigned: list[int] = field(default_factory=list)
    is_named: bool = False
    is_sheltered: bool = False
    has_loop: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands between the brackets."""
        return self.end == self.start + 1


@dataclass(slots=True)
class Outline:
    """A line's outermost group, and whether there are stars in it that are no multiplication."""

    root: Group
    has_stars: bool = False


def outline(text: str) -> Outline:
    """The outline of a line. Raises Unknown where it takes more than an outline to split it."""
    group = Group(-1, len(text), is_sheltered=text.startswith("for "))
    found = Outline(group)
    above: list[Group] = []
    string_end = -1
    for match in _MARK.finditer(text):
        mark = match[0]
        place = match.start()
        if mark in "([{":
            above.append(group)
            group = Group(place)
        elif mark in ")]}":
            group = _closed(group, above, text, place)
        elif mark == ",":
            if not group.is_sheltered:
                group.breaks.append((place, COMMA))
        elif mark[0] in "\"'":
            if string_end >= 0 and not text[string_end:place].strip(" bfrtBFRTuU"):
                raise Unknown  # strings that are joined by standing side by side
            string_end = place + len(mark)
        elif mark == "*":
            found.has_stars = True
        else:
            _operator(group, mark, place)
    if above:
        raise Unknown
    return found


def _closed(group: Group, above: list[Group], text: str, place: int) -> Group:
    """Close a group. Returns the one that it stands in."""
    if not above or len(above) > _MOST_NESTED or _CLOSING[text[group.start]] != text[place] or text[place - 1] == ",":
        raise Unknown
    if group.is_named and any(priority == TERNARY for _, priority in group.breaks):
        raise Unknown
    if text[place] != ")" and group.groups and _is_redundant(group.groups[0], group, text, place):
        raise Unknown
    group.end = place
    outer = above.pop()
    outer.groups.append(group)
    return outer


def _is_redundant(inner: Group, group: Group, text: str, place: int) -> bool:
    """Whether a pair of parentheses is all that stands in a bracket, and makes no tuple or generator."""
    if inner.start != group.start + 1 or inner.end != place - 1 or text[inner.start] != "(":
        return False
    return not any(priority in (COMMA, COMPREHENSION) for _, priority in inner.breaks)


def _operator(group: Group, mark: str, place: int) -> None:
    if mark == " =":
        group.assigned.append(place)
    elif mark == " for":
        group.breaks.append((place, COMPREHENSION))
        group.is_sheltered = group.has_loop = True
    elif mark == " :=" and group.start >= 0:
        group.is_named = True
    elif mark == " in" and group.is_sheltered:
        group.is_sheltered = False
    elif mark == " if" and group.has_loop:
        group.breaks.append((place, COMPREHENSION))
    elif mark == " else" and not group.has_loop:
        group.breaks.append((place, TERNARY))
    elif mark in _OPERATORS:
        group.breaks.append((place, _OPERATORS[mark]))
    elif mark[0] == " " and mark[-1] == "=" and mark[1] != ":":
        group.assigned.append(place)
    else:
        raise Unknown
