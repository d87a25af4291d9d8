"""Inclusion of patterns: against all short texts, and against `re`."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from apigen.review.prover.regex import IN_ALL, Undecidable, one_account
from apigen.review.prover.result import INCLUDED, Included, NotIncluded, NotProven
from apigen.review.prover.texts import Texts, machine, texts_included
from apigen.runtime.patterns import matches
from tests.effort import within
from tests.review.prover.patterns import TEXTS, is_found, patterns

warnings.simplefilter("ignore", FutureWarning)

LABEL = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"
NAME = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
OCTET = "([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])"
ADDRESS = rf"^({OCTET}\.){{3}}{OCTET}$"


def of(pattern: str, least: int = 0, most: int | None = None) -> Texts:
    return Texts(patterns=(pattern,), least=least, most=most)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(patterns())
def test_automaton_agrees_with_re(pattern: str) -> None:
    try:
        made = machine(pattern)
    except Undecidable:
        assume(False)
    assert [text for text in TEXTS[:200] if made.finds(text)] == [
        text for text in TEXTS[:200] if is_found(pattern, text)
    ]


FOLDED = (
    "^(?i)a+$",
    "^(?i)[a-c]b?$",
    "(?i:a)b",
    "(?i)[^a]",
    r"(?i)^\w$",
    r"(?i)^\W$",
    "^(?is).$",
    "(?i)^k|S$",
    "a(?i)b|c",
    "(?i)^é$",
    "^(?U)a+$",
    "(?m)^a$",
    r"(?m)\A.?$",
    r"\Ba",
)
"""Patterns with flags and assertions that RE2 has."""


@pytest.mark.parametrize("pattern", FOLDED)
def test_flags_are_read_as_re2_reads_them(pattern: str) -> None:
    made = machine(pattern)
    texts = [a + b for a in "aAbBcCkKsS_9éÉ\n\u212a\u017f" for b in ("", "a", "B", "C", "\u212a")]
    assert [text for text in texts if made.finds(text)] == [text for text in texts if matches(pattern, text)]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(patterns(), patterns(), st.integers(0, 2), st.none() | st.integers(2, 4))
def test_result_is_correct_for_all_short_strings(one: str, other: str, least: int, most: int | None) -> None:
    match texts_included(of(one, least, most), of(other)):
        case Included():
            for text in TEXTS:
                is_inside = len(text) >= least and (most is None or len(text) <= most) and is_found(one, text)
                assert not is_inside or is_found(other, text)
        case NotIncluded(example):
            assert isinstance(example, str) and is_found(one, example) and not is_found(other, example)
            assert len(example) >= least and (most is None or len(example) <= most)
        case NotProven(reason):
            assert reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("^[a-z]+$", "^[a-z0-9]+$"),
        (LABEL, NAME),
        (LABEL, "^[-a-z0-9]*$"),
        ("^[0-9a-f]{2}$", "^[a-f0-9][a-f0-9]$"),
        (ADDRESS, r"^[0-9.]{7,15}$"),
        ("a", ""),
        ("^a$", "a"),
        (r"\bfoo\b", "foo"),
        ("^(?s:.*)$", "b*"),
        ("^(yes|no)$", "^(no|yes|maybe)$"),
        (r"^\d+$", r"^\w+$"),
        (r"^\x41$", "^A$"),
        (r"^\u0041$", "^A$"),
        ("(" * 500 + "a" + ")" * 500, "a"),
    ],
)
def test_included_patterns(one: str, other: str) -> None:
    assert texts_included(of(one), of(other)) == INCLUDED


@pytest.mark.parametrize(
    ("one", "other", "example"),
    [
        ("^[a-z0-9]+$", "^[a-z]+$", "0"),
        (NAME, LABEL, "a.a"),
        (r"^[0-9.]{7,15}$", ADDRESS, "0000000"),
        ("foo", r"\bfoo\b", "afoo"),
        ("^a*$", "^a{0,3}$", "aaaa"),
        ("^.$", "^[^é]$", "é"),
        ("^[^b]$", "^.$", "\n"),
    ],
)
def test_shortest_counterexample(one: str, other: str, example: str) -> None:
    assert texts_included(of(one), of(other)) == NotIncluded(example)


def test_lengths_apply_to_both_sides() -> None:
    assert texts_included(of(LABEL, most=63), of("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$")) == INCLUDED
    assert texts_included(of("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"), Texts(most=63)) == INCLUDED
    found = texts_included(of(LABEL, most=64), of(LABEL, most=63))
    assert isinstance(found, NotIncluded) and found.counter_example == "a" * 64


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(?=a)", "apigen does not support"),
        (r"(a)\1", "apigen does not support"),
        (r"\pL", "apigen does not support"),
        ("[[:alpha:]]", "named character classes"),
        ("[][:alpha:]]", "named character classes"),
        ("[^][:digit:]]", "named character classes"),
        (r"^(?:a|\ud83d\ude00)$", r"`\ud83d` is half of a surrogate pair"),
        (r"\x{D800}", r"`\x{D800}` is half of a surrogate pair"),
        (r"[\b]", r"the pattern has `\b`, which"),
        ("a{,3}", "RE2"),
        ("a{02}", "RE2"),
        ("a**", "not valid in RE2: invalid nested repetition operator"),
        ("(a", "not valid in RE2: missing closing )"),
        ("a)", "not valid in RE2: unexpected )"),
        ("[a", "not valid in RE2: missing closing ]"),
        ("[z-a]", "not valid in RE2: invalid character class range"),
        ("(" * 2000 + ")" * 2000, "not valid in RE2: expression nests too deeply"),
        ("a" * 5000, "too large to compare"),
        ("a" * 7000, "more than 6000 states"),
        ("(a{100}){100}", "not valid in RE2: invalid repeat count"),
        ("(abcdefgh){1000}", "more than 6000 states"),
        ("(((){1000}){1000}){1000}", "not valid in RE2: invalid repeat count"),
    ],
)
def test_unsupported_pattern_is_not_proven(pattern: str, why: str) -> None:
    with within(2_500_000):
        found = texts_included(of(pattern), of("x"))
    assert isinstance(found, NotProven) and why in found.reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("^(a|b)*a(a|b){20}$", "^(a|b)*b(a|b){21}$"),
        ("(a|b)*a(a|b){18}", "^(a|b)*$"),
        ("^(a|aa)+$", "^(b|bb)+$"),
        ("(x+x+)+y", "^(x?){200}x{200}$"),
        ("^(.*a){25}$", "^(.*b){25}$"),
        ("^(.?){900}$", "^(.?){899}$"),
    ],
)
def test_exponential_pattern_terminates(one: str, other: str) -> None:
    with within(2_500_000):
        texts_included(of(one), of(other))


@pytest.mark.slow
def test_exponential_patterns_share_a_budget() -> None:
    with one_account() as account:
        for i in range(200):
            texts_included(of(f"^(a|b)*a(a|b){{13}}{i}$"), of(f"^(a|b)*b(a|b){{14}}{i}$"))
        assert account.left > -IN_ALL
        assert texts_included(of(LABEL, most=63), of(LABEL + "|^[a-z]+$")) == INCLUDED
    assert texts_included(of("^(a|b)*a(a|b){8}$"), of("^(a|b)*(a|b){8}$")) == INCLUDED


@pytest.mark.parametrize(
    ("one", "other"),
    [(r"^[ \t\n\v\f\r]$", r"^\s$"), (r"^\s$", r"^[ \t\n\v\f\r]$"), (r"^[^\n]$", "^.$"), (r"^\S$", r"^[^ \t\n\v\f\r]$")],
)
def test_dialect_specific_pattern_is_not_proven(one: str, other: str) -> None:
    assert isinstance(texts_included(of(one), of(other)), NotProven)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"^\s+$", r"^\s*$"),
        ("^a.b$", "^a.*$"),
        (r"^a\.b$", r"^[a-b.]+$"),
        (r"^[ \t]$", r"^\s$"),
        (r"^\x{0041}$", "^[AB]$"),
        (r"^x{\d,5}$", "^x.*$"),
        ("^[{0,05}]$", "^[{0,056}]$"),
    ],
)
def test_pattern_common_to_all_dialects_is_proven(one: str, other: str) -> None:
    assert texts_included(of(one), of(other)) == INCLUDED
    assert isinstance(texts_included(of(other), of(one)), NotIncluded)
