"""Generate values that may violate a rule in CEL, from the clauses of the rule; a search tries them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from apigen.dataclass import dataclass, field
from apigen.ir.surface import Enum, ListOf, Scalar, Scalars, Slot, Struct, Surface, unfold
from apigen.language.json_values import JsonValue
from apigen.review.prover.cel import (
    DEFINED,
    Clause,
    Literal,
    Path,
    clauses,
    clauses_of,
    comparison,
    path_of,
    path_of_has,
    quantifier,
    sized,
)
from apigen.review.prover.domains import constraints_of, numbers_of, texts_of
from apigen.review.prover.numbers import Bound, Numbers, numbers_included
from apigen.review.prover.result import NotIncluded
from apigen.review.prover.samples import samples
from apigen.review.prover.texts import Texts, texts_included


@dataclass(slots=True)
class Guess:
    """Properties of a value that violates a clause. All other properties are those of a sample.

    `inside` and `outside` are sets that contain it, or do not; `value` is the value itself; `size` that of a list or a
    string.
    """

    members: dict[str, Guess] = field(default_factory=dict)
    items: list[Guess] | None = None
    inside: Numbers | Texts | None = None
    outside: Numbers | Texts | None = None
    value: JsonValue = None
    size: int | None = None
    is_unset: bool = False

    def at(self, path: Path) -> Guess:
        """Return the guess at a path below this one; missing ones are added."""
        found = self
        for name in path:
            found = found.members.setdefault(name, Guess())
        return found


def guesses(rule: str) -> Iterator[Guess]:
    """Yield a guess for each clause of a rule that can be violated."""
    for clause in sorted(clauses(rule) or (), key=sorted):
        guess = Guess()
        if _falsify(clause, {"self": guess}):
            yield guess


_Scope = Mapping[str, Guess]
_SIZES = Numbers(least=Bound(Fraction(0)), is_whole=True)
_SATISFYING: Mapping[str, str] = {"startsWith": "{}x", "endsWith": "/x{}", "contains": "/x{}x"}
_ORDERED = {"<": (1, 1), "<=": (2, 1), ">": (1, 1), ">=": (1, 2), "==": (1, 2), "!=": (1, 1)}
"""By operator, a pair of numbers for which the comparison is false."""


def _falsify(clause: Clause, scope: _Scope) -> bool:
    """Add properties that make all literals of a clause false; return whether any literal is supported."""
    found = [_add(literal, scope, holds=False) for literal in sorted(clause)]
    return any(found)


def _satisfy(of: Literal, scope: _Scope) -> bool:
    found = [_add(min(clause), scope, holds=True) for clause in clauses_of(of) if clause]
    return any(found)


def _add(literal: Literal, scope: _Scope, *, holds: bool) -> bool:
    """Add properties that make a literal true, or false; return whether the literal is supported."""
    if literal[:1] == ("!",):
        inner = clauses_of(literal[1:])
        plain = next(iter(next(iter(inner)))) if len(inner) == 1 and len(next(iter(inner))) == 1 else ()
        return bool(plain) and plain[:1] != ("!",) and _add(plain, scope, holds=not holds)
    if literal[:1] == (DEFINED,):
        return False
    if literal[:1] == ("has",):
        return _add_has(literal, scope, holds=holds)
    parts = quantifier(literal, ("all", "exists_one"))
    if parts is not None:
        return not holds and _add_elements(parts, scope)
    compared = comparison(literal)
    if compared is not None:
        return _add_values(compared.operand, compared.values, scope, holds=holds)
    for name, form in _SATISFYING.items():
        if literal[-5:-2] == (".", name, "(") and literal[-2].startswith('"'):
            node = _node(literal[:-5], scope)
            if node is not None:
                node.value = form.format(literal[-2][1:]) if holds else "x"
            return node is not None
    if literal[-5:-2] == (".", "matches", "(") and (node := _node(literal[:-5], scope)) is not None and not holds:
        node.value = " "
        return True
    for operator, numbers in _ORDERED.items():
        at = literal.index(operator) if literal.count(operator) == 1 and not holds else 0
        nodes = [node for side in (literal[:at], literal[at + 1 :]) if at and (node := _node(side, scope)) is not None]
        if len(nodes) == 2:
            nodes[0].value, nodes[1].value = numbers
            return True
    return False


def _node(of: Literal, scope: _Scope) -> Guess | None:
    """Return the guess of the field that an expression selects; None for another expression."""
    found = next(((name, path) for name in scope if (path := path_of(of, name)) is not None), None)
    return None if found is None else scope[found[0]].at(found[1])


def _add_has(literal: Literal, scope: _Scope, *, holds: bool) -> bool:
    for name, guess in scope.items():
        path = path_of_has(literal, {name: ()})
        if path:
            guess.at(path).is_unset = not holds
            return True
    return False


def _add_elements(parts: tuple[Literal, str, str, Literal], scope: _Scope) -> bool:
    """Add a list with an element that violates the body of `all`, or with two equal elements that violate `exists_one`."""
    over, name, variable, body = parts
    node = _node(over, scope)
    if node is None:
        return False
    if name == "exists_one":
        node.items = [Guess(), Guess()]
        return True
    element = Guess()
    for clause in sorted(clauses_of(body), key=sorted)[:1]:
        _falsify(clause, {**scope, variable: element})
    if "exists_one" not in body or not node.items:
        node.items = [*(node.items or ()), element]
    return True


def _add_values(operand: Literal, values: Numbers | Texts, scope: _Scope, *, holds: bool) -> bool:
    inner = sized(operand)
    parts = quantifier(inner, ("filter",)) if inner else None
    number = _picked(values, holds=holds) if inner else None
    if parts is not None and isinstance(number, int) and (node := _node(parts[0], scope)) is not None:
        element = Guess()
        _satisfy(parts[3], {**scope, parts[2]: element})
        node.items = [element] * number
        return True
    node = _node(inner or operand, scope)
    if node is None:
        return False
    if inner:
        node.size = number if isinstance(number, int) else None
    elif holds:
        node.inside = values
    else:
        node.outside = values
    return True


def _picked(values: Numbers | Texts, *, holds: bool) -> JsonValue:
    """Return a value of a set, or one outside of it."""
    if isinstance(values, Texts):
        allowed = sorted(values.allowed or ())
        found = allowed[0] if allowed else "x"
        return found if holds else _outside(Texts(), values)
    if not holds:
        return _outside(_SIZES, values)
    numbers = sorted(values.allowed or ())
    bound = values.least or values.most
    step = 0 if bound is None or not bound.is_open else 1 if bound is values.least else -1
    return int(numbers[0] if numbers else 0 if bound is None else bound.at + step)


def _outside(of: Numbers | Texts, values: Numbers | Texts) -> JsonValue:
    """Return a value of the first set that the second does not contain."""
    if isinstance(of, Numbers) and isinstance(values, Numbers):
        found = numbers_included(of, values)
    elif isinstance(of, Texts) and isinstance(values, Texts):
        found = texts_included(of, values)
    else:
        return None
    return found.counter_example if isinstance(found, NotIncluded) else None


def built_value(guess: Guess, slot: Slot, surface: Surface) -> JsonValue:
    """Return a value of a slot with the properties of a guess; None if none is found."""
    if guess.value is not None:
        return guess.value
    if guess.inside is not None:
        return _picked(guess.inside, holds=True)
    if guess.outside is not None:
        return _outside(known_of_slot(slot, surface) or guess.outside, guess.outside)
    type_ = unfold(slot, surface).type
    if isinstance(type_, ListOf) and guess.items is not None:
        items = [built_value(item, type_.item, surface) for item in guess.items]
        return None if None in items else items
    if guess.size is not None:
        is_text = type_ == Scalar(Scalars.STRING)
        return (
            "a" * guess.size
            if is_text
            else samples(type_.item, surface, guess.size) if isinstance(type_, ListOf) else None
        )
    sampled = samples(slot, surface, 1)
    value = sampled[0] if sampled else None
    if not guess.members or not isinstance(type_, Struct):
        return value
    return _with_members(guess, dict(value) if isinstance(value, dict) else {}, type_, surface)


def _with_members(guess: Guess, value: dict[str, JsonValue], struct: Struct, surface: Surface) -> JsonValue:
    for name, member in guess.members.items():
        at = struct.fields.get(name)
        if member.is_unset or at is None:
            value.pop(name, None)
            continue
        value[name] = built_value(member, at.slot, surface)
        if value[name] is None:
            return None
    return value


def known_of_slot(slot: Slot, surface: Surface) -> Numbers | Texts | None:
    """Return the numbers or strings that the type and the constraints of a slot allow; None for other types."""
    without_aliases = unfold(slot, surface)
    constraints, type_ = constraints_of(without_aliases), without_aliases.type
    if isinstance(type_, Enum) or type_ == Scalar(Scalars.STRING):
        return texts_of(type_, constraints)
    return numbers_of(type_, constraints) if isinstance(type_, Scalar) and type_.name in _NUMBERS else None


_NUMBERS = frozenset(
    {Scalars.INT32, Scalars.INT64, Scalars.UINT32, Scalars.UINT64, Scalars.INTEGER}
    | {Scalars.NUMBER, Scalars.FLOAT32, Scalars.FLOAT64}
)
