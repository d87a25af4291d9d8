"""Long lines are split as Black splits them: written-out cases, made-up statements, and what is left alone."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import black
import pytest
from black.mode import TargetVersion
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apigen.emit.formatting import detect_syntax, format_line, format_source
from apigen.emit.reading import Syntax
from tests.effort import within
from tests.emit.made_up_statements import Statements
from tests.emit.peer import black_line, depth_of

CASES = Path(__file__).parent / "cases"
EXAMPLES = int(os.environ.get("APIGEN_FORMATTER_EXAMPLES", "120"))
"""Thousands of them are worth an hour of a computer's time after a change or a new Black."""

NAME = "a" * 30
OTHER = "b" * 30


# --- written out


@pytest.mark.parametrize("path", sorted(CASES.glob("*.txt")), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    given, _, expected = path.read_text(encoding="utf-8").partition("# output\n")
    assert format_source(given) == expected
    assert format_source(expected) == expected
    assert black.format_str(given, mode=black.Mode()) == expected, "the expectation is not what Black does"


# --- made up


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    random=st.randoms(use_true_random=False),
    depth=st.sampled_from([0, 0, 0, 1, 2, 5]),
    width=st.sampled_from([88, 88, 88, 60, 120]),
    comment=st.sampled_from(["", "", "", "  # a comment", "  # a comment of some length, as comments are"]),
)
def test_made_up_statement_of_any_age(random: Random, depth: int, width: int, comment: str) -> None:
    statement = Statements(random, random.randint(1, 3), modern=True).long(width - 4 * depth) + comment
    assert_as_black(statement, depth, black.Mode(line_length=width), None)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(random=st.randoms(use_true_random=False), depth=st.sampled_from([0, 0, 1, 4]))
def test_made_up_statement_for_a_known_python(random: Random, depth: int) -> None:
    statement = Statements(random, random.randint(1, 4), modern=True).long(88 - 4 * depth)
    mode = black.Mode(target_versions={TargetVersion.PY311, TargetVersion.PY312})
    assert_as_black(statement, depth, mode, Syntax.MODERN)


def assert_as_black(statement: str, depth: int, mode: black.Mode, syntax: Syntax | None) -> None:
    found = format_line(statement, depth_of(statement, depth), mode.line_length, syntax)
    assert found == black_line(statement, depth, mode), statement


# --- left alone


def test_what_fits_is_the_same_object() -> None:
    line = f"x = {NAME}({OTHER})"
    assert format_line(line, 0) is line
    source = f"{line}\n" * 3
    assert format_source(source) is source


@pytest.mark.parametrize(
    "text",
    [
        f"x = {NAME}({OTHER}, {NAME}, {OTHER}",
        f"if {NAME}({OTHER}): return {NAME}({OTHER}) + {NAME}({OTHER})",
        f"x = {NAME}({OTHER}); y = {NAME}({OTHER}); z = {NAME}",
        f"x = {NAME}({OTHER}) {NAME}({OTHER})",
        f"x = {NAME}({OTHER}) + $ + {NAME}({OTHER})",
        f'x = f"{NAME}{{d["{OTHER}"]}}" + f({NAME}) + f({OTHER})',
        f"x = {'[' * 80}{NAME}{']' * 80}",
        f"x = {NAME}({OTHER}, {NAME}, {OTHER})  # type: ignore[arg-type]",
        f"x = {NAME}({OTHER}, {NAME}, {OTHER})  # noqa # fmt: skip",
        f"# {NAME} {OTHER} {NAME} {OTHER}",
    ],
)
def test_left_alone(text: str) -> None:
    assert format_line(text, 0) == text


def test_lines_of_a_statement_on_several_lines_are_left_alone() -> None:
    long = f"{NAME}({OTHER}, {NAME}, {OTHER})"
    source = f'TEXT = """\n{long}\n"""\nLIST = [\n    {long},\n    {long},\n]\nx = 1 + \\\n    {long}\n'
    assert format_source(source) == source
    assert format_source(f"{source}{long}\n") == f"{source}{format_line(long, 0)}\n"


def test_quotes_and_brackets_in_strings_do_not_mislead() -> None:
    lines = ['a = \'"""\'', 'b = "("', "c = ''", 'd = "\\""', "e = '[' \"'''\"", "f = 1  # it's ("]
    long = f"x = {NAME}({OTHER}, {NAME}, {OTHER})"
    source = "\n".join([*lines, long, ""])
    assert format_source(source) == "\n".join([*lines, format_line(long, 0), ""])


def test_wide_characters_count_twice() -> None:
    fits = f'x = f("{"漢" * 39}")'
    assert format_line(fits, 0) == fits
    assert format_line(fits.replace("x", "xyz"), 0) == f'xyz = f(\n    "{"漢" * 39}"\n)'


# --- the age of a text


@pytest.mark.parametrize(
    "snippet",
    [
        "x = 1",
        "from __future__ import annotations",
        "from __future__ import division",
        'x = f"{a}"',
        'x = rf"{a}"',
        'x = t"{a}"',
        "x = 1_000",
        "x = 0x_1",
        "f = lambda a, /: a",
        "f(a := 1)",
        "x: int = 1",
        "x: T = a, b",
        "@a.b(1)\ndef f():\n    pass",
        "@a[0]\ndef f():\n    pass",
        "@a.b(1).c\ndef f():\n    pass",
        "@a or b\ndef f():\n    pass",
        "def f():\n    return *a, b",
        "def f():\n    return (*a, b)",
        "def f():\n    yield *a, b",
        "match a:\n    case b:\n        pass",
        "try:\n    pass\nexcept* A:\n    pass",
        "try:\n    pass\nexcept (A, B):\n    pass",
        "x[*a]",
        "x = [*a, *b]",
        "def f(a, /):\n    pass",
        "def f(*args: *Ts):\n    pass",
        "def f[T]():\n    pass",
        "class A[T]:\n    pass",
        "type X = int",
        "async def f():\n    pass",
        "f(*a, *b)",
        "print(\n    *a,\n)",
        "def f(\n    *,\n    a,\n):\n    pass",
        "class A(\n    *a,\n):\n    pass",
        "with (\n    a as b,\n    c,\n):\n    pass",
        'x = "f"',
        '"""\nx = f"{a}"\n"""',
    ],
)
def test_age(snippet: str) -> None:
    """What a module shows anywhere decides about commas after stars and parentheses around managers."""
    source = black.format_str(
        f"{snippet}\nprint(*x, **{NAME}_{OTHER}_{NAME})\ndef function(*, {NAME}_{OTHER}_{NAME}):\n    pass\n"
        f"with {NAME}({OTHER}) as x, {NAME}({OTHER}) as {OTHER}:\n    pass\n",
        mode=black.Mode(line_length=10_000),
    )
    assert format_source(source) == black.format_str(source, mode=black.Mode())


def test_syntax_is_searched_for_as_far_as_needed() -> None:
    source = "from __future__ import annotations\nmatch a:\n    case b:\n        pass\n"
    assert detect_syntax(source, Syntax.COMMAS) == Syntax.COMMAS
    assert detect_syntax(source) == Syntax.MODERN


# --- size


def test_short_lines_cost_next_to_nothing() -> None:
    lines = 50_000
    source = f"    x = {NAME}({OTHER})\n" * lines + f"x = {NAME}({OTHER}, {NAME}, {OTHER})\n"
    with within(12 * lines):
        format_source(source)


@pytest.mark.parametrize("times", [55, 1000])
@pytest.mark.parametrize(
    "repeated",
    [
        ("[", "1", "]"),
        ("f(a, ", "1", ")"),
        ("f(a if b else ", "1", ")"),
        ("(a + ", "1", ")"),
        ("a.b(", "", ")"),
        ("{a: ", "1", "}"),
        ("lambda a: f(b, ", "1", ")"),
        ("lambda: ", "1", ""),
        ("a if b else ", "1", ""),
        ("not ", "a", ""),
        ("a(b)(c).d[e].f", "", ""),
        ("a + ", "a", ""),
        ("a ** ", "a", ""),
        ("a, ", "a", ""),
        ("a = ", "a", ""),
        ("[a for a in ", "b", "]"),
        ("f'{a}' ", "'b'", ""),
    ],
)
def test_no_size_or_nesting_hangs_it(repeated: tuple[str, str, str], times: int) -> None:
    before, middle, after = repeated
    with within(500_000):
        format_line(f"x = {before * times}{middle}{after * times}", 0)
