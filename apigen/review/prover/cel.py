"""Rules in CEL as conjunctions of clauses, and whether a rule follows from others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import TypeVar

from apigen.dataclass import dataclass, replace
from apigen.review.prover.numbers import Bound, Numbers, exact, numbers_included, with_closed_bounds
from apigen.review.prover.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.review.prover.texts import Texts, texts_included

_TOKEN = re.compile(
    r"""\s+|//[^\n]*
    |[rR](?P<quote>\"{3}|'{3}|"|')(?P<raw>.*?)(?P=quote)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?P<unsigned>[uU]?)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<operator>&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()\[\]{}])""",
    re.VERBOSE | re.DOTALL,
)
_SIMPLE_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'"}
_PREFIXES = ("r", "R", "b", "B")
_LONGEST = 4_000

Token = str
"""A name, operator or number as written; a string in a normal form, with `"` as prefix."""


def tokens(text: str) -> tuple[Token, ...] | None:
    """Return the tokens of an expression; None if part of it is not supported."""
    if len(text) > _LONGEST:
        return None
    read_tokens: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or (match["name"] in _PREFIXES and text.startswith(('"', "'"), match.end())):
            return None
        if match["text"] in ('""', "''") and text.startswith(match["text"][0], match.end()):
            return None  # three quotes
        at = match.end()
        if match["raw"] is not None:
            read_tokens.append(f'"{match["raw"]}')
        elif match["text"] is not None:
            inner = match["text"][1:-1]
            if any(escape[1] not in _ESCAPES for escape in _SIMPLE_ESCAPE.finditer(inner)):
                return None
            read_tokens.append(f'"{_SIMPLE_ESCAPE.sub(lambda escape: _ESCAPES[escape[1]], inner)}')
        elif match["number"] is not None:
            read_tokens.append(match["number"] + match["unsigned"])
        elif match["name"] or match["operator"]:
            read_tokens.append(match["name"] or match["operator"])
    return tuple(read_tokens)


Literal = tuple[Token, ...]
Clause = frozenset[Literal]

_OPEN, _CLOSE = "([{", ")]}"
_MOST_CLAUSES = 32
_DEEPEST = 20


@lru_cache(maxsize=1024)
def clauses(text: str) -> frozenset[Clause] | None:
    """Return the clauses of a rule; None if its text is not supported. An expression that cannot be split is one
    literal.
    """
    read = tokens(text)
    depths = list(_depths(read or ()))
    is_balanced = bool(depths) and min(depths) >= 0 and depths[-1] == 0
    return clauses_of(read) if read and is_balanced else None


def clauses_of(of: Literal, depth: int = 0, *, negated: bool = False) -> frozenset[Clause]:
    """Return the clauses of an expression, or of its negation.

    `&&` and `||` absorb errors as in Kleene's logic, so that De Morgan's laws and distribution apply to expressions that may fail, too.
    """
    of = without_parentheses(of)
    if depth > _DEEPEST:
        return _alone(of, negated)
    branches = _ternary(of)
    if branches is not None:
        condition, yes, no = branches
        when = _joined([clauses_of(condition, depth + 1, negated=True), clauses_of(yes, depth + 1, negated=negated)])
        otherwise = _joined([clauses_of(condition, depth + 1), clauses_of(no, depth + 1, negated=negated)])
        if _UNKNOWN in (when, otherwise):
            return _alone(of, negated)
        is_safe = all(map(_is_has, frozenset().union(*clauses_of(condition, depth + 1))))
        return when | otherwise | (frozenset() if is_safe else _alone((DEFINED, *condition), False))
    for operator, is_any in (("||", True), ("&&", False)):
        parts = _split(of, operator)
        if len(parts) > 1:
            clauses_of_parts = [clauses_of(part, depth + 1, negated=negated) for part in parts]
            joined = _joined(clauses_of_parts) if is_any is not negated else frozenset().union(*clauses_of_parts)
            return _alone(of, negated) if joined == _UNKNOWN else joined
    at = _comparator(of)
    if at is not None:
        return _compared(of, at, depth, negated)
    if of[:1] == ("!",):
        return clauses_of(of[1:], depth + 1, negated=not negated)
    if of in (("true",), ("false",)):
        return frozenset() if (of == ("true",)) is not negated else frozenset((frozenset(),))
    return _quantified(of, depth, negated)


DEFINED = "defined"
"""Prefix of a condition that requires that it can be evaluated: a ternary fails if its condition fails."""
_UNKNOWN: frozenset[Clause] = frozenset((frozenset((("?",),)),))
_FLIPPED_BY_NOT = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _alone(of: Literal, negated: bool) -> frozenset[Clause]:
    return frozenset((frozenset((("!", *of) if negated else of,)),))


def _ternary(of: Literal) -> tuple[Literal, Literal, Literal] | None:
    """Return the condition and both branches of `c ? a : b`; None for another expression."""
    open_ones, start = 0, -1
    for index, token in _outermost(of):
        if token == "?":
            start, open_ones = (index if start < 0 else start), open_ones + 1
        elif token == ":" and open_ones:
            open_ones -= 1
            if not open_ones:
                found = of[:start], of[start + 1 : index], of[index + 1 :]
                return found if all(found) else None
    return None


def _comparator(of: Literal) -> int | None:
    """Return the position of the comparison operator in an expression; None without one."""
    return next((index for index, token in _outermost(of) if token in _FLIPPED or token == "in"), None)


def _compared(of: Literal, at: int, depth: int, negated: bool) -> frozenset[Clause]:
    """Return the clauses of a comparison: `==` and `!=` of booleans are split, another comparison is a literal."""
    left, operator, right = of[:at], of[at], of[at + 1 :]
    if operator in ("==", "!=") and _is_condition(left) and _is_condition(right):
        is_same = (operator == "==") is not negated
        sides = [
            (clauses_of(left, depth + 1, negated=one), clauses_of(right, depth + 1, negated=one is not is_same))
            for one in (True, False)
        ]
        joined_pairs = [_joined(list(pair)) for pair in sides]
        return _alone(of, negated) if _UNKNOWN in joined_pairs else joined_pairs[0] | joined_pairs[1]
    if negated and operator in _FLIPPED_BY_NOT:
        return _alone((*left, _FLIPPED_BY_NOT[operator], *right), False)
    return _alone(("(", *of, ")"), True) if negated else _alone(of, False)


def _is_condition(of: Literal) -> bool:
    """Return whether an operand is known to be a boolean."""
    of = without_parentheses(of)
    if of[:1] == ("!",):
        return True
    is_has = of[:2] == ("has", "(") and _closes(of[1:]) == len(of) - 2
    return (
        is_has
        or of in (("true",), ("false",))
        or any(token in (*_FLIPPED, "&&", "||", "in") for _, token in _outermost(of))
    )


def _quantified(of: Literal, depth: int, negated: bool) -> frozenset[Clause]:
    """Return the clauses of `range.all(x, p)`, with a literal for each clause of `p`, and of `exists`, its negation;
    another expression is a literal.
    """
    parts = quantifier(of)
    if parts is None:
        return _alone(of, negated)
    over, name, variable, body = parts
    inner = "$" * (1 + max((len(token) for token in of if token.startswith("$")), default=0))
    renamed = tuple(
        inner if token == variable and (not at or body[at - 1] != ".") else token for at, token in enumerate(body)
    )
    inner_clauses = clauses_of(renamed, depth + 1, negated=name == "exists")
    literals = [_all(over, inner, clause) for clause in inner_clauses]
    if (name == "exists") is not negated:
        return frozenset((frozenset(("!", *each) for each in literals),))
    return frozenset(frozenset((each,)) for each in literals)


def _all(over: Literal, variable: Token, clause: Clause) -> Literal:
    body: list[Token] = []
    for literal in sorted(clause):
        body += ["||", "(", *literal, ")"]
    return (*over, ".", "all", "(", variable, ",", *(body[1:] or ["false"]), ")")


def quantifier(of: Literal, names: tuple[str, ...] = ("all", "exists")) -> tuple[Literal, str, Token, Literal] | None:
    """Return the range, the name, the variable and the body of a macro call; None for another expression."""
    if of[-1:] != (")",):
        return None
    starts = [at for at in range(2, len(of) - 3) if of[at - 1] == "." and of[at] in names and of[at + 1] == "("]
    for at in starts:
        if _closes(of[at + 1 :]) == len(of) - at - 2 and of[at + 3] == "," and _comparator(of[: at - 1]) is None:
            return of[: at - 1], of[at], of[at + 2], of[at + 4 : -1]
    return None


def _is_has(literal: Literal) -> bool:
    """Return whether a literal is `has(self.x)` or its negation, which never fails."""
    rest = literal[1:] if literal[:1] == ("!",) else literal
    return len(rest) == 6 and rest[:2] == ("has", "(") and rest[3] == "." and (rest[2] == "self" or rest[2][0] == "$")


def _joined(parts: list[frozenset[Clause]]) -> frozenset[Clause]:
    """Return the clauses of a disjunction: each combines one clause of every part. `_UNKNOWN` if there would be too
    many.
    """
    found: frozenset[Clause] = frozenset((frozenset(),))
    for part in parts:
        found = frozenset(one | other for one in found for other in part)
        found = frozenset(each for each in found if not any(_is_has(one) and ("!", *one) in each for one in each))
        if len(found) > _MOST_CLAUSES:
            return _UNKNOWN
    return found


def without_parentheses(of: Literal) -> Literal:
    """Return an expression without parentheses around all of it."""
    while len(of) > 2 and of[0] == "(" and _closes(of) == len(of) - 1:
        of = of[1:-1]
    return of


def _closes(of: Literal) -> int:
    """Return the position of the bracket that closes the first one; -1 if none does."""
    return next((index for index, depth in enumerate(_depths(of)) if depth == 0), -1)


def _depths(of: Literal) -> Iterator[int]:
    """Yield the number of open brackets after each token."""
    return accumulate((token in _OPEN) - (token in _CLOSE) for token in of)


def _outermost(of: Literal) -> Iterator[tuple[int, Token]]:
    """Yield the tokens outside of all brackets, and closing brackets, each with its position."""
    return ((index, of[index]) for index, depth in enumerate(_depths(of)) if depth == 0)


def _split(of: Literal, operator: Token) -> list[Literal]:
    parts, start = [], 0
    for index, token in _outermost(of):
        if token == operator:
            parts.append(of[start:index])
            start = index + 1
    parts.append(of[start:])
    return parts if all(parts) else [of]


_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The values of an expression for which a comparison is true."""

    operand: Literal
    values: Numbers | Texts


@lru_cache(maxsize=4096)
def comparison(literal: Literal) -> Comparison | None:
    """Return the comparison of an expression with constants that a literal is; None for other literals."""
    at = _comparator(literal)
    return None if at is None else _of(literal[:at], literal[at], literal[at + 1 :])


def _of(left: Literal, operator: str, right: Literal) -> Comparison | None:
    if operator == "in":
        return _among(left, right)
    constant = _constant(right)
    if constant is None:
        constant, left, operator = _constant(left), right, _FLIPPED[operator]
    if constant is None or not _is_plain(left):
        return None
    if isinstance(constant, str):
        texts = {"==": Texts(allowed=frozenset((constant,))), "!=": Texts(excluded=frozenset((constant,)))}
        return Comparison(left, texts[operator]) if operator in texts else None
    at = exact(constant)
    numbers = Numbers(is_whole=left[0] == "size" or left[-3:] == ("size", "(", ")"))
    match operator:
        case "<" | "<=":
            return Comparison(left, replace(numbers, most=Bound(at, operator == "<")))
        case ">" | ">=":
            return Comparison(left, replace(numbers, least=Bound(at, operator == ">")))
        case "==":
            return Comparison(left, replace(numbers, allowed=frozenset((at,))))
    return Comparison(left, replace(numbers, excluded=frozenset((at,))))


def _among(operand: Literal, right: Literal) -> Comparison | None:
    if len(right) < 3 or right[0] != "[" or right[-1] != "]" or not _is_plain(operand):
        return None
    inner = right[1:-1]
    constants = [_constant((token,)) for token in inner[::2]]
    if any(token != "," for token in inner[1::2]) or len(inner) % 2 == 0:
        return None
    texts = frozenset(each for each in constants if isinstance(each, str))
    if len(texts) == len(set(constants)):
        return Comparison(operand, Texts(allowed=texts))
    numbers = frozenset(exact(each) for each in constants if each is not None and not isinstance(each, str))
    return Comparison(operand, Numbers(allowed=numbers)) if len(numbers) == len(set(constants)) else None


def _constant(tokens: Literal) -> int | float | str | None:
    sign, rest = (-1, tokens[1:]) if tokens[:1] == ("-",) else (1, tokens)
    if len(rest) != 1:
        return None
    if rest[0].startswith('"'):
        return rest[0][1:] if sign == 1 else None
    digits = rest[0].rstrip("uU")
    if not digits[:1].isdigit():
        return None
    return sign * (int(digits) if digits.isdigit() else float(digits))


def _is_plain(operand: Literal) -> bool:
    """Return whether no operator outside of brackets has a lower precedence than a comparison."""
    return bool(operand) and not any(
        token in ("&&", "||", "?", ":", "in", *_FLIPPED) for _, token in _outermost(operand)
    )


T = TypeVar("T")
V = TypeVar("V", Numbers, Texts)

_ITSELF: Literal = ("self",)
_SELF: Mapping[Token, Path] = {"self": ()}
_SIZES: tuple[Literal, ...] = (("size", "(", "self", ")"), ("self", ".", "size", "(", ")"))


Path = tuple[str, ...]
"""The steps to a value below `self`: names of fields, and `[]` into a list."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Facts about the fields below `self`.

    `presence`: returns whether the field of a path is set in each parent that exists; None: not known. For the empty
    path: whether `self` itself is set, as a list is.
    `values`: returns the numbers or strings that the value at a path can be, if it is set; None: not known.
    """

    presence: Callable[[Path], bool | None]
    values: Callable[[Path], Numbers | Texts | None] = lambda _: None


def _settled(clause: Clause, fields: Fields, scope: Mapping[Token, Path]) -> Clause | None:
    """Return the literals of a clause that may be true; None if the clause is always true, or if its field is unset.

    A literal about a field that is never set fails, so it is not true.
    """
    guarded = frozenset(path for each in clause if each[:1] == ("!",) and (path := path_of_has(each[1:], scope)))
    if _covers(clause, fields, scope, guarded):
        return None
    # all literals are looked at, in one order, because `fields` may collect the fields that are looked up
    truths = {literal: _truth(literal, fields, scope, guarded) for literal in sorted(clause)}
    if True in truths.values():
        return None
    return frozenset(literal for literal, found in truths.items() if found is None)


def _covers(clause: Clause, fields: Fields, scope: Mapping[Token, Path], guarded: frozenset[Path]) -> bool:
    """Return whether every possible value of an operand satisfies one of its comparisons with constants."""
    by_operand: dict[Literal, list[Numbers | Texts]] = {}
    for compared in map(comparison, sorted(clause)):
        if compared is not None:
            by_operand.setdefault(compared.operand, []).append(compared.values)
    return any(
        all(any(_included(one, each) == INCLUDED for each in values) for one in known)
        for operand, values in by_operand.items()
        if (known := _known_values(operand, fields, scope, guarded)) is not None
    )


def _known_values(
    operand: Literal, fields: Fields, scope: Mapping[Token, Path], guarded: frozenset[Path]
) -> list[Numbers | Texts] | None:
    """Return the possible values of an operand that never fails, each string of a finite set alone; None: not known."""
    parts = quantifier(sized(operand), ("filter",))
    if parts is not None:
        inner = _scope_of(parts, fields, scope, guarded)
        body = clauses_of(parts[3], negated=True)
        is_empty = inner is not None and all(_settled(each, fields, inner) is None for each in sorted(body, key=_order))
        return [Numbers(allowed=frozenset((exact(0),)), is_whole=True)] if is_empty else None
    path = path_of(operand, operand[0]) if operand[0] in scope else None
    values = None if path is None else fields.values((*scope[operand[0]], *path))
    if values is None or not _is_defined(operand, fields.presence, scope, guarded):
        return None
    if isinstance(values, Numbers) or values.allowed is None:
        return [values]
    return [replace(values, allowed=frozenset((text,))) for text in values.allowed]


def sized(operand: Literal) -> Literal:
    """Return the expression whose size an operand is; empty for other operands."""
    if operand[-4:] == (".", "size", "(", ")"):
        return operand[:-4]
    return operand[2:-1] if operand[:1] == ("size",) else ()


def _truth(literal: Literal, fields: Fields, scope: Mapping[Token, Path], guarded: frozenset[Path]) -> bool | None:
    """Return whether a literal is always true, or always false; None if neither is known. Fields of `guarded` are
    assumed to be set, because the clause is true if they are unset.
    """
    presence = fields.presence
    is_not = literal[:1] == ("!",)
    path = path_of_has(literal[1:] if is_not else literal, scope)
    if path:
        if any(presence(path[:end]) is False for end in range(1, len(path))):
            return False
        is_sure = all(presence(path[:end]) for end in range(1, len(path)))
        is_set = presence(path)
        return is_set is not is_not if is_set is not None and (is_sure or is_set is is_not) else None
    if literal[0] == DEFINED:
        return True if _is_defined(literal[1:], presence, scope, guarded) else None
    if any(presence(each[:end]) is False for each in _paths(literal, scope) for end in range(1, len(each) + 1)):
        return False
    parts = None if is_not else quantifier(literal)
    inner = None if parts is None else _scope_of(parts, fields, scope, guarded)
    if parts is None or inner is None:
        return None
    body = sorted(clauses_of(parts[3]), key=_order)
    return True if all(_settled(each, fields, inner) is None for each in body) else None


def _scope_of(
    parts: tuple[Literal, str, Token, Literal], fields: Fields, scope: Mapping[Token, Path], guarded: frozenset[Path]
) -> Mapping[Token, Path] | None:
    """The scope of the body of a macro over a list that is surely set; None for another one."""
    over = _paths(parts[0], scope)
    if not _is_defined(parts[0], fields.presence, scope, guarded) or len(over) != 1:
        return None
    inside = (*over[0], "[]")
    return None if fields.presence(inside) is None else {**scope, parts[2]: inside}


def path_of_has(literal: Literal, scope: Mapping[Token, Path]) -> Path:
    """Return the path of `has(…)`; empty for another literal."""
    if literal[:2] != ("has", "(") or _closes(literal[1:]) != len(literal) - 2:
        return ()
    path = path_of(literal[2:-1], literal[2])
    return (*scope[literal[2]], *path) if literal[2] in scope and path else ()


def path_of(of: Literal, variable: Token) -> Path | None:
    """Return the names of the fields that an expression selects from a variable; None for another expression."""
    is_path = of[:1] == (variable,) and len(of) % 2 == 1 and set(of[1::2]) <= {"."}
    return of[2::2] if is_path else None


def _paths(of: Literal, scope: Mapping[Token, Path]) -> list[Path]:
    """Return the paths of `self` and of variables in an expression, outside of `has` and quantifiers in it."""
    paths: list[Path] = []
    at = 0
    while at < len(of):
        if of[at] in ("has", "all", "exists") and of[at + 1 : at + 2] == ("(",):
            at += 1 + _closes(of[at + 1 :])
        elif of[at] in scope and (not at or of[at - 1] != "."):
            end = at + 1
            while of[end : end + 1] == (".",) and of[end + 2 : end + 3] != ("(",):
                end += 2
            paths.append((*scope[of[at]], *of[at + 2 : end : 2]))
            at = end - 1
        at += 1
    return paths


_TOTAL = frozenset({"size", "startsWith", "endsWith", "contains", "has"})
"""Functions that do not fail for arguments of the right types."""
_FALLIBLE = frozenset({"[", "{", "?", "+", "-", "*", "/", "%"})


def _is_defined(
    of: Literal, presence: Callable[[Path], bool | None], scope: Mapping[Token, Path], guarded: frozenset[Path]
) -> bool:
    """Return whether an expression of valid types never fails: all fields in it are set, and no function in it can
    fail.
    """
    calls = {of[at] for at in range(len(of) - 1) if of[at + 1] == "(" and of[at].isidentifier() and of[at] != "in"}
    lists = {at for at in range(1, len(of)) if of[at] == "[" and of[at - 1] == "in"}
    if calls - _TOTAL or any(token in _FALLIBLE and at not in lists for at, token in enumerate(of)):
        return False
    parts = _split(of, "&&")
    has = guarded | {path for part in parts if (path := path_of_has(without_parentheses(part), scope))}
    known = {path for each in _paths(of, scope) for path in _prefixes(each, scope)}
    return all(path in has or presence(path) for path in known)


def _prefixes(path: Path, scope: Mapping[Token, Path]) -> Iterator[Path]:
    """Return the fields on a path below the value of its variable."""
    start = max((len(each) for each in scope.values() if path[: len(each)] == each), default=0)
    return (path[:end] for end in range(start + 1, len(path) + 1))


def implied(
    rule: str, by: Iterable[str], itself: Numbers | Texts | None = None, fields: Fields | None = None
) -> Inclusion:
    """Return whether all values that satisfy all rules of `by` satisfy `rule`; with a counterexample if `rule`
    compares `self` itself.

    `itself`: the possible values of `self`, if it is a number or a string. `fields`: facts about the fields of these
    values. Supported are equal texts, parts of a conjunction, and comparisons of the same expression with
    constants. Other rules are not proven: implication of CEL expressions is undecidable.
    """
    goals = clauses(rule)
    if goals is None:
        return NotProven("apigen cannot analyze the rule")
    known: set[Clause] = set()
    for other in by:
        known |= clauses(other) or frozenset()
    if fields is not None:
        settled = [_settled(clause, fields, _SELF) for clause in goals]
        if any(each is not None and not each for each in settled):
            return NotIncluded()
        goals = frozenset(each for each in settled if each is not None)
    answers = [_follows(clause, known, itself) for clause in sorted(goals, key=_order)]
    refuted = next((each for each in answers if isinstance(each, NotIncluded)), None)
    return refuted or next((each for each in answers if each != INCLUDED), INCLUDED)


def narrowed(values: V, rules: Iterable[str]) -> V:
    """Return the values that satisfy rules that compare `self`, or the size of a string, with constants."""
    known = {clause for rule in rules for clause in clauses(rule) or ()}
    values = _known_of(_ITSELF, known, values)
    if not isinstance(values, Texts):
        return values
    for operand in _SIZES:
        sizes = with_closed_bounds(_known_of(operand, known, Numbers(is_whole=True)))
        if sizes.least is not None:
            values = replace(values, least=max(values.least, int(sizes.least.at)))
        if sizes.most is not None:
            most = max(0, int(sizes.most.at))
            values = replace(values, most=most if values.most is None else min(most, values.most))
    return values


def is_true_without_change(rule: str) -> bool:
    """Return whether a rule about `self` and `oldSelf` is true for every update without a change."""
    found = clauses(rule)
    return found is not None and all(any(_is_reflexive(literal, clause) for literal in clause) for clause in found)


def _follows(clause: Clause, known: set[Clause], itself: Numbers | Texts | None) -> Inclusion:
    if any(other <= clause for other in known):
        return INCLUDED
    for other in known:
        if all(any(_literal_follows(one, each) for each in clause) for one in other):
            return INCLUDED
    if len(clause) == 1:
        return _comparison_follows(next(iter(clause)), known, itself)
    return NotProven("apigen cannot show that it follows from the rules of the other side")


def _literal_follows(premise: Literal, goal: Literal) -> bool:
    if premise == goal:
        return True
    one, other = comparison(premise), comparison(goal)
    return (
        one is not None
        and other is not None
        and one.operand == other.operand
        and _included(one.values, other.values) == INCLUDED
    )


def _comparison_follows(literal: Literal, known: set[Clause], itself: Numbers | Texts | None) -> Inclusion:
    """Return whether a comparison with constants follows from all known comparisons of the same expression."""
    goal = comparison(literal)
    if goal is None:
        return NotProven("apigen cannot show that it follows from the rules of the other side")
    if isinstance(goal.values, Numbers):
        start = itself if isinstance(itself, Numbers) and goal.operand == _ITSELF else Numbers()
        inclusion = numbers_included(_known_of(goal.operand, known, start), goal.values)
    else:
        text = itself if isinstance(itself, Texts) and goal.operand == _ITSELF else Texts()
        inclusion = texts_included(_known_of(goal.operand, known, text), goal.values)
    alone = [comparison(next(iter(clause))) if len(clause) == 1 else None for clause in known]
    is_only_about_it = all(each is not None and each.operand == _ITSELF for each in (goal, *alone))
    if inclusion == INCLUDED or (is_only_about_it and isinstance(inclusion, NotIncluded)):
        return inclusion
    return NotProven("apigen cannot show that it follows from the rules of the other side")


def _known_of(operand: Literal, known: Iterable[Clause], values: V) -> V:
    """Return the values of an expression that satisfy the clauses that compare it with constants."""
    for clause in known:
        compared = comparison(next(iter(clause))) if len(clause) == 1 else None
        if compared is not None and compared.operand == operand:
            values = _narrowed_by(values, compared)
    return values


def _narrowed_by(values: V, compared: Comparison) -> V:
    """Return the values for which a comparison is true, too; all of them if it is about values of another type."""
    other = compared.values
    if isinstance(values, Numbers) and isinstance(other, Numbers):
        least = max((b for b in (values.least, other.least) if b), key=lambda b: (b.at, b.is_open), default=None)
        most = min((b for b in (values.most, other.most) if b), key=lambda b: (b.at, not b.is_open), default=None)
        return replace(
            values,
            least=least,
            most=most,
            is_whole=values.is_whole or other.is_whole,
            allowed=_narrower(values.allowed, other.allowed),
            excluded=values.excluded | other.excluded,
        )
    if isinstance(values, Texts) and isinstance(other, Texts):
        return replace(
            values, allowed=_narrower(values.allowed, other.allowed), excluded=values.excluded | other.excluded
        )
    return values


def _included(inner: Numbers | Texts, outer: Numbers | Texts) -> Inclusion:
    if isinstance(inner, Numbers) and isinstance(outer, Numbers):
        return numbers_included(inner, outer)
    if isinstance(inner, Texts) and isinstance(outer, Texts):
        return texts_included(inner, outer)
    return NotProven("the values have different types")


def _is_reflexive(literal: Literal, clause: Clause) -> bool:
    """Return whether a literal such as `self >= oldSelf` is true if both are equal. Fields of `self` in it must be
    guarded by `has`.
    """
    for operator in ("==", "<=", ">="):
        if literal.count(operator) == 1:
            at = literal.index(operator)
            left, right = (
                tuple("self" if token == "oldSelf" else token for token in side)
                for side in (literal[:at], literal[at + 1 :])
            )
            is_set = left == _ITSELF or (len(left) == 3 and ("!", "has", "(", *left, ")") in clause)
            return left == right and is_set
    return False


def _order(clause: Clause) -> list[Literal]:
    return sorted(clause)


def _narrower(one: frozenset[T] | None, other: frozenset[T] | None) -> frozenset[T] | None:
    return other if one is None else one if other is None else one & other
