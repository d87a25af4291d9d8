"""Rules in CEL as conjunctions of clauses, and whether one follows from others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import ceil, floor
from typing import TypeVar

from apigen.dataclass import dataclass, replace
from apigen.review.prover.numbers import Bound, Numbers, exact, numbers_included
from apigen.review.prover.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.review.prover.texts import Texts, texts_included
from apigen.review.verdict.example import JsonValue

_TOKEN = re.compile(
    r"""\s+|//[^\n]*
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?P<unsigned>[uU]?)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<operator>&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()\[\]{}])""",
    re.VERBOSE,
)
_SIMPLE_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'"}
_PREFIXES = ("r", "R", "b", "B")
_LONGEST = 4_000

Token = str
"""Names, operators and numbers as they are; text in one form, with `"` before it."""


def tokens(text: str) -> tuple[Token, ...] | None:
    """The tokens of an expression; None where it has something that is not understood here."""
    if len(text) > _LONGEST or '"""' in text or "'''" in text:
        return None
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or (match["name"] in _PREFIXES and text.startswith(('"', "'"), match.end())):
            return None
        at = match.end()
        if match["text"] is not None:
            read = _unquoted(match["text"])
            if read is None:
                return None
            found.append(f'"{read}')
        elif match["number"] is not None:
            found.append(match["number"] + match["unsigned"])
        elif match["name"] or match["operator"]:
            found.append(match["name"] or match["operator"])
    return tuple(found)


def _unquoted(text: str) -> str | None:
    """What a quoted text says; None where an escape is not understood."""
    inner = text[1:-1]
    if any(match[1] not in _ESCAPES for match in _SIMPLE_ESCAPE.finditer(inner)):
        return None
    return _SIMPLE_ESCAPE.sub(lambda match: _ESCAPES[match[1]], inner)


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


_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The values of an expression for which a comparison holds."""

    operand: Literal
    values: Numbers | Texts


@lru_cache(maxsize=4096)
def comparison(literal: Literal) -> Comparison | None:
    """What a literal says of an expression by constants; None where it is nothing like that."""
    depth = 0
    for index, token in enumerate(literal):
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        if depth == 0 and (token in _FLIPPED or token == "in"):
            return _of(literal[:index], token, literal[index + 1 :])
    return None


def _of(left: Literal, operator: str, right: Literal) -> Comparison | None:
    if operator == "in":
        return _among(left, right)
    constant = _constant(right)
    if constant is None:
        constant, left, operator = _constant(left), right, _FLIPPED[operator]
    if constant is None or not _is_plain(left):
        return None
    if isinstance(constant, str):
        return _text(left, operator, constant)
    at = exact(constant)
    whole = Numbers(is_whole=left[0] == "size" or left[-3:] == ("size", "(", ")"))
    match operator:
        case "<" | "<=":
            return Comparison(left, replace(whole, most=Bound(at, operator == "<")))
        case ">" | ">=":
            return Comparison(left, replace(whole, least=Bound(at, operator == ">")))
        case "==":
            return Comparison(left, replace(whole, allowed=frozenset((at,))))
    return Comparison(left, replace(whole, excluded=frozenset((at,))))


def _text(operand: Literal, operator: str, constant: str) -> Comparison | None:
    if operator == "==":
        return Comparison(operand, Texts(allowed=frozenset((constant,))))
    return Comparison(operand, Texts(excluded=frozenset((constant,)))) if operator == "!=" else None


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
    """Whether nothing in it binds less than a comparison."""
    return bool(operand) and not any(token in ("&&", "||", "?", ":", "in", *_FLIPPED) for token in operand)


_ORDERED = {"<": (1, 1), "<=": (2, 1), ">": (1, 1), ">=": (1, 2), "==": (1, 2), "!=": (1, 1)}
"""By operator, two numbers for which it does not hold."""


def against(rule: str) -> Iterator[dict[str, JsonValue]]:
    """Members of `self` that break a clause of a rule: guesses, which somebody has to try. `` is `self` itself."""
    for clause in sorted(clauses(rule) or (), key=sorted):
        found = _against(clause)
        if found:
            yield found


def _against(clause: Clause) -> dict[str, JsonValue]:
    """Members that break all literals of a clause, as far as these are comparisons and `!has(self.x)`."""
    found: dict[str, JsonValue] = {}
    for literal in sorted(clause):
        if literal[:3] == ("!", "has", "("):
            continue
        for name, value in _against_literal(literal).items():
            found.setdefault(name, value)
    return found


def _against_literal(literal: Literal) -> dict[str, JsonValue]:
    said = comparison(literal)
    if said is not None:
        name, value = _member(said.operand), _outside(said.values)
        return {} if name is None or value is None else {name: value}
    for operator, numbers in _ORDERED.items():
        if literal.count(operator) == 1:
            at = literal.index(operator)
            names = _member(literal[:at]), _member(literal[at + 1 :])
            return {name: number for name, number in zip(names, numbers, strict=True) if name is not None}
    return {}


def _member(operand: Literal) -> str | None:
    """The member of `self` that an operand is; empty for `self`, None for all else."""
    match operand:
        case ("self",):
            return ""
        case ("self", ".", name):
            return name
    return None


def _outside(values: Numbers | Texts) -> JsonValue:
    found = (
        numbers_included(Numbers(is_whole=True), values)
        if isinstance(values, Numbers)
        else texts_included(Texts(), values)
    )
    return found.counter_example if isinstance(found, NotIncluded) else None


T = TypeVar("T")
V = TypeVar("V", Numbers, Texts)

_ITSELF: Literal = ("self",)
_SIZES: tuple[Literal, ...] = (("size", "(", "self", ")"), ("self", ".", "size", "(", ")"))


def implied(rule: str, by: Iterable[str], itself: Numbers | Texts | None = None) -> Inclusion:
    """Whether all values that satisfy all rules of `by` satisfy `rule`; a value is shown where `rule` compares `self` itself.

    `itself`: what is known of `self`, where that is a number or a text.
    Equal text, parts of a conjunction, and comparisons of the same expression with constants are understood. Of all else
    nothing is proven: CEL has no way to decide it.
    """
    wanted = clauses(rule)
    if wanted is None:
        return NotProven("the rule is not taken apart here")
    known: set[Clause] = set()
    for other in by:
        known |= clauses(other) or frozenset()
    answers = [_follows(clause, known, itself) for clause in sorted(wanted, key=_order)]
    refuted = next((each for each in answers if isinstance(each, NotIncluded)), None)
    return refuted or next((each for each in answers if each != INCLUDED), INCLUDED)


def narrowed(values: V, rules: Iterable[str]) -> V:
    """What is left of values by rules that compare `self`, or the size of a text, with constants."""
    known = {clause for rule in rules for clause in clauses(rule) or ()}
    values = _known_of(_ITSELF, known, values)
    if not isinstance(values, Texts):
        return values
    for operand in _SIZES:
        sizes = _known_of(operand, known, Numbers(is_whole=True))
        values = replace(values, least=max(values.least, _least(sizes)), most=_most(sizes, values.most))
    return values


def _least(sizes: Numbers) -> int:
    bound = sizes.least
    return 0 if bound is None else floor(bound.at) + 1 if bound.is_open else ceil(bound.at)


def _most(sizes: Numbers, most: int | None) -> int | None:
    bound = sizes.most
    if bound is None:
        return most
    size = max(0, ceil(bound.at) - 1 if bound.is_open else floor(bound.at))
    return size if most is None else min(size, most)


def is_true_without_change(rule: str) -> bool:
    """Whether a rule about `self` and `oldSelf` surely holds where nothing changed."""
    found = clauses(rule)
    return found is not None and all(any(_is_reflexive(literal, clause) for literal in clause) for clause in found)


def clause_guards(rule: str) -> tuple[frozenset[str], ...]:
    """By clause, the fields of which one that is not there makes it true."""
    return tuple(frozenset(name for literal in clause if (name := _guard(literal))) for clause in clauses(rule) or ())


def _follows(clause: Clause, known: set[Clause], itself: Numbers | Texts | None) -> Inclusion:
    if any(other <= clause for other in known):
        return INCLUDED
    for other in known:
        if all(any(_literal_follows(one, each) for each in clause) for one in other):
            return INCLUDED
    if len(clause) == 1:
        return _comparison_follows(next(iter(clause)), known, itself)
    return NotProven("whether it follows from the rules of the other side")


def _literal_follows(known: Literal, wanted: Literal) -> bool:
    if known == wanted:
        return True
    one, other = comparison(known), comparison(wanted)
    return (
        one is not None
        and other is not None
        and one.operand == other.operand
        and _included(one.values, other.values) == INCLUDED
    )


def _comparison_follows(literal: Literal, known: set[Clause], itself: Numbers | Texts | None) -> Inclusion:
    """Of a comparison with constants: all that is known of the same expression together."""
    wanted = comparison(literal)
    if wanted is None:
        return NotProven("whether it follows from the rules of the other side")
    if isinstance(wanted.values, Numbers):
        start = itself if isinstance(itself, Numbers) and wanted.operand == _ITSELF else Numbers()
        found = numbers_included(_known_of(wanted.operand, known, start), wanted.values)
    else:
        text = itself if isinstance(itself, Texts) and wanted.operand == _ITSELF else Texts()
        found = texts_included(_known_of(wanted.operand, known, text), wanted.values)
    is_only_about_it = wanted.operand == _ITSELF and all(_is_about_itself(clause) for clause in known)
    if found == INCLUDED or (is_only_about_it and isinstance(found, NotIncluded)):
        return found
    return NotProven("whether it follows from the rules of the other side")


def _known_of(operand: Literal, known: Iterable[Clause], values: V) -> V:
    """What is left of values of an expression by the clauses that compare it with constants."""
    for clause in known:
        said = comparison(next(iter(clause))) if len(clause) == 1 else None
        if said is not None and said.operand == operand:
            values = _both(values, said)
    return values


def _is_about_itself(clause: Clause) -> bool:
    said = comparison(next(iter(clause))) if len(clause) == 1 else None
    return said is not None and said.operand == _ITSELF


def _both(values: V, said: Comparison) -> V:
    """The values for which a comparison holds, too; all of them where it is about values of another type."""
    other = said.values
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
    return NotProven("values of two types")


def _is_reflexive(literal: Literal, clause: Clause) -> bool:
    """`self >= oldSelf` and the like: true where both are the same. A part of `self` has to be known to be there."""
    for operator in ("==", "<=", ">="):
        if literal.count(operator) == 1:
            at = literal.index(operator)
            left, right = (
                tuple("self" if token == "oldSelf" else token for token in side)
                for side in (literal[:at], literal[at + 1 :])
            )
            is_there = left == _ITSELF or (
                len(left) == 3 and left[:2] == ("self", ".") and left[2] in {_guard(each) for each in clause}
            )
            return left == right and is_there
    return False


def _guard(literal: Literal) -> str:
    """The field of `!has(self.x)`; empty for all else."""
    match literal:
        case ("!", "has", "(", "self", ".", name, ")"):
            return name
    return ""


def _order(clause: Clause) -> list[Literal]:
    return sorted(clause)


def _narrower(one: frozenset[T] | None, other: frozenset[T] | None) -> frozenset[T] | None:
    return other if one is None else one if other is None else one & other
