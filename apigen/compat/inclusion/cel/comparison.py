"""Comparisons of an expression with constants."""

from __future__ import annotations

from functools import lru_cache

from apigen.compat.inclusion.cel.clauses import Literal
from apigen.compat.inclusion.numbers import Bound, Numbers, exact
from apigen.compat.inclusion.texts import Texts
from apigen.dataclass import dataclass, replace

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
