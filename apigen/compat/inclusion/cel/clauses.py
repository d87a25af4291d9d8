"""A rule as clauses that all hold, each of literals of which one holds."""

from __future__ import annotations

from functools import lru_cache

from apigen.compat.inclusion.cel.tokens import Token, tokens

Literal = tuple[Token, ...]
Clause = frozenset[Literal]

_OPEN, _CLOSE = "([{", ")]}"
_MOST_CLAUSES = 32
_DEEPEST = 20


@lru_cache(maxsize=1024)
def clauses(text: str) -> frozenset[Clause] | None:
    """The clauses of a rule; None where its text is not understood. What cannot be taken apart is one literal."""
    read = tokens(text)
    return None if read is None or not read or not _is_balanced(read) else _clauses(read, 0)


def _clauses(of: Literal, depth: int) -> frozenset[Clause]:
    of = _without_parentheses(of)
    if depth > _DEEPEST or "?" in _outermost(of):
        return frozenset((frozenset((of,)),))
    parts = _split(of, "||")
    if len(parts) > 1:
        return _joined([_clauses(part, depth + 1) for part in parts], of)
    parts = _split(of, "&&")
    if len(parts) > 1:
        return frozenset().union(*(_clauses(part, depth + 1) for part in parts))
    return frozenset((frozenset((of,)),))


def _joined(parts: list[frozenset[Clause]], of: Literal) -> frozenset[Clause]:
    """The clauses of alternatives: one of each, joined."""
    found: frozenset[Clause] = frozenset((frozenset(),))
    for part in parts:
        found = frozenset(one | other for one in found for other in part)
        if len(found) > _MOST_CLAUSES:
            return frozenset((frozenset((of,)),))
    return found


def _without_parentheses(of: Literal) -> Literal:
    while len(of) > 2 and of[0] == "(" and _closes(of) == len(of) - 1:
        of = of[1:-1]
    return of


def _closes(of: Literal) -> int:
    depth = 0
    for index, token in enumerate(of):
        depth += _depth(token)
        if depth == 0:
            return index
    return -1


def _is_balanced(of: Literal) -> bool:
    depth = 0
    for token in of:
        depth += _depth(token)
        if depth < 0:
            return False
    return depth == 0


def _depth(token: Token) -> int:
    return 1 if token in _OPEN else -1 if token in _CLOSE else 0


def _outermost(of: Literal) -> Literal:
    """The tokens outside of all brackets."""
    depth, found = 0, []
    for token in of:
        depth += _depth(token)
        if depth == 0:
            found.append(token)
    return tuple(found)


def _split(of: Literal, operator: Token) -> list[Literal]:
    depth, parts, start = 0, [], 0
    for index, token in enumerate(of):
        depth += _depth(token)
        if depth == 0 and token == operator:
            parts.append(of[start:index])
            start = index + 1
    parts.append(of[start:])
    return parts if all(parts) else [of]
