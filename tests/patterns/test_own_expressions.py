"""The regular expressions of the runtime take linear time, as their automata show, in the way in which they are used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import apigen.runtime
from apigen.ir.patterns import is_linear
from apigen.runtime.pattern_syntax import (
    ANY,
    ASSERTION,
    CHARACTERS,
    CHOICE,
    DIGITS,
    LAST,
    NOT_NEWLINE,
    REPEAT,
    SEQUENCE,
    TEXT_END,
    TEXT_START,
    WORD_EDGE,
    WORDS,
    CharacterSet,
    Node,
    complement,
    folded,
    union,
)
from apigen.runtime.schema_formats import PATTERNS

FOLDER = Path(apigen.runtime.__file__).parent
METHODS = {
    **dict.fromkeys(("match", "fullmatch"), "match"),
    "search": "search",
    **dict.fromkeys(("sub", "subn", "findall", "finditer", "split"), "repeated"),
}

BUILT = {
    ("json_reader", "pattern"): "_searches(frozenset(('apiVersion', 'kind')))[1]",
}
"""How a pattern is made that is in a local variable."""

TABLES = {("schema_formats", "PATTERNS[name]"): [f"PATTERNS[{name!r}]" for name in PATTERNS]}
"""The expressions of a table whose name is in a local variable."""

BOUNDED = {
    (
        "rules",
        "_TEXT",
    ): "a text has at most one `\"\"\"` that nothing closes, and one `'''`: another one would close it",
    ("cel_text", "_TOKEN"): "the same",
    (
        "schema_formats",
        "_SPAN / re.ASCII",
    ): "it is tried once for each group of digits, and each group is followed by one of spaces",
    ("schema_formats", "_ZEROS"): "it is tried once for each group of digits",
}
"""Expressions whose automaton is not linear, with the reason why they are."""


class Use(NamedTuple):
    module: str
    expression: str
    way: str

    @property
    def name(self) -> str:
        return f"{self.module}-{self.expression}-{self.way}"


def uses() -> Iterator[Use]:
    """Where an expression is used: `X.method(...)` and `re.method(X, ...)`."""
    for path in sorted(FOLDER.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not re.search(r"^\s*import re$", text, re.MULTILINE):
            continue
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name("re"), attr=method), args=[expression, *_]) if (
                    method in METHODS
                ):
                    flags = [each for each in node.args[1:] if "re." in ast.unparse(each)]
                    for written in TABLES.get((path.stem, ast.unparse(expression)), [ast.unparse(expression)]):
                        written += "".join(f" / {ast.unparse(each)}" for each in flags)
                        yield Use(path.stem, written, METHODS[method])
                case ast.Call(func=ast.Attribute(value=expression, attr=method)) if method in METHODS:
                    written = ast.unparse(expression)
                    if (path.stem, written) in BUILT or is_expression(path.stem, written):
                        yield Use(path.stem, written, METHODS[method])


def value_of(module: str, written: str) -> Any:
    return eval(written, vars(import_module(f"apigen.runtime.{module}")))


def is_expression(module: str, written: str) -> bool:
    try:
        return isinstance(value_of(module, written), re.Pattern)
    except (NameError, AttributeError, TypeError):
        return False


USES = sorted(set(uses()))


def compiled(use: Use) -> re.Pattern[str]:
    written = BUILT.get((use.module, use.expression), use.expression)
    written, _, flags = written.partition(" / ")
    value = value_of(use.module, written)
    if isinstance(value, re.Pattern):
        return value
    return re.compile(value, value_of(use.module, flags) if flags else 0)


def tree_of(expression: re.Pattern[str]) -> Node:
    """The syntax tree of an expression of `re`; where it is not exact, more texts have more paths."""
    return _sequence(re._parser.parse(expression.pattern, expression.flags), expression.flags)  # type: ignore[attr-defined]


def _sequence(items: Any, flags: int) -> Node:
    return Node(SEQUENCE, tuple(_node(str(kind), value, flags) for kind, value in items))


def _node(kind: str, value: Any, flags: int) -> Node:
    match kind:
        case "LITERAL" | "NOT_LITERAL" | "IN" | "ANY":
            return Node(CHARACTERS, sets=(_set(kind, value, flags),))
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, most, part = value
            most = None if most == re._constants.MAXREPEAT else int(most)  # type: ignore[attr-defined]
            return Node(REPEAT, (_sequence(part, flags),), least=least, most=most)
        case "SUBPATTERN":
            return _sequence(value[3], flags)
        case "ATOMIC_GROUP":
            return _sequence(value, flags)
        case "BRANCH":
            return Node(CHOICE, tuple(_sequence(each, flags) for each in value[1]))
        case "AT":
            ends = {"AT_END_STRING": TEXT_END, "AT_BEGINNING_STRING": TEXT_START}
            if not flags & re.MULTILINE:
                ends |= {"AT_BEGINNING": TEXT_START, "AT_END": TEXT_END}
            return Node(ASSERTION, assertion=ends.get(str(value), WORD_EDGE))
        case "ASSERT" | "ASSERT_NOT":
            assert value[1].getwidth()[1] <= 4, "a look ahead reads few characters"
            return Node(ASSERTION, assertion=WORD_EDGE)
    raise AssertionError(f"{kind} is not understood")


def _set(kind: str, value: Any, flags: int) -> CharacterSet:
    match kind:
        case "ANY":
            return ANY if flags & re.DOTALL else NOT_NEWLINE
        case "LITERAL":
            found: CharacterSet = ((value, value),)
        case "NOT_LITERAL":
            return complement(((value, value),))
        case _:
            items = [(str(each), argument) for each, argument in value]
            is_negative = items[0][0] == "NEGATE"
            found = union(each for item in items[is_negative:] for each in _member(*item))
            if is_negative:
                return complement(found)
    return folded(found) if flags & re.IGNORECASE else found


def _member(kind: str, value: Any) -> CharacterSet:
    match kind:
        case "LITERAL":
            return ((value, value),)
        case "RANGE":
            return (value,)
    name = str(value).removeprefix("CATEGORY_")
    sets = {"DIGIT": DIGITS, "WORD": WORDS, "SPACE": ((9, 13), (32, 32))}
    known = sets[name.removeprefix("NOT_")]
    if name.startswith("NOT_"):
        return complement(known)
    return union((*known, (0x80, LAST)))


def test_uses_are_found() -> None:
    found = {(use.module, use.way) for use in USES}
    assert {("formats", "match"), ("times", "match"), ("json_writer", "repeated"), ("yaml_writer", "search")} <= found
    assert len(USES) > 40


@pytest.mark.parametrize("use", USES, ids=lambda use: use.name)
def test_expression_is_linear_in_its_use(use: Use) -> None:
    key = use.module, use.expression
    tree = tree_of(compiled(use))
    proven = is_linear(tree, is_search=use.way == "search", is_repeated=use.way == "repeated")
    assert proven != (key in BOUNDED)


def expression(written: str, flags: int = 0) -> Node:
    return tree_of(re.compile(written, flags))


@pytest.mark.parametrize(
    ("written", "ways"),
    [
        ("[0-9]+", "match search repeated"),
        ("[0-9]+x", "match"),
        ("a+b|a", "match"),
        ("a(?:a+b)?", "match search"),
        ("a|bc?d?", "match search repeated"),
        ("[0-9]*[0-9]*", ""),
        ("(a+)+b", ""),
        ('"(?:[^"\\\\]|\\\\.)*"', "match"),
        ('"(?:[^"\\\\]|\\\\.)*"?', "match search repeated"),
        ("[^ ]+| +", "match search repeated"),
    ],
)
def test_proof_depends_on_the_kind_of_use(written: str, ways: str) -> None:
    tree = expression(written)
    proven = {
        "match": is_linear(tree, is_search=False),
        "search": is_linear(tree),
        "repeated": is_linear(tree, is_repeated=True),
    }
    assert {way for way, holds in proven.items() if holds} == set(ways.split())
