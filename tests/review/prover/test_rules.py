"""Rules in CEL: taken apart, and whether one follows from others."""

from __future__ import annotations

from fractions import Fraction

import pytest

from apigen.review.prover.cel import Fields, clauses, implied, is_true_without_change, narrowed
from apigen.review.prover.numbers import Bound, Numbers
from apigen.review.prover.result import INCLUDED, NotIncluded, NotProven
from apigen.review.prover.texts import Texts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("self.a<=self.b", "self.a <= self.b"),
        ("self.a == 'x'", 'self.a == "x"'),
        ("(self.a && (self.b))", "self.b && self.a"),
        ("self.a || self.b && self.c", "(self.a || self.c) && (self.b || self.a)"),
        ("self.a // why\n && self.b", "self.a && self.b"),
        ("!(self.a && !self.b)", "self.b || !self.a"),
        ("!(self.a || self.b)", "!self.a && !self.b"),
        ("has(self.a) ? self.b : true", "!has(self.a) || self.b"),
        ("has(self.a) ? true : self.b", "has(self.a) || self.b"),
        ("!(self.type == 'A' && !has(self.a))", "has(self.a) || self.type != 'A'"),
        ("!(self.a < 3)", "self.a >= 3"),
        ("has(self.a) == has(self.b)", "(has(self.a) && has(self.b)) || (!has(self.a) && !has(self.b))"),
        ("has(self.a) != has(self.b)", "(has(self.a) || has(self.b)) && !(has(self.a) && has(self.b))"),
        ("self.all(x, x.a && x.b)", "self.all(y, y.b) && self.all(z, z.a)"),
        ("!self.exists(x, x.a)", "self.all(x, !x.a)"),
        ("!self.a.exists(x, x.b.all(y, y == x.c))", "self.a.all(p, !p.b.all(q, q == p.c))"),
        ("self.a ? self.b ? self.c : self.d : self.e", "self.a ? (self.b ? self.c : self.d) : self.e"),
        ("self.a && true || false", "self.a"),
    ],
)
def test_equivalent_rules(one: str, other: str) -> None:
    assert clauses(one) == clauses(other) is not None


@pytest.mark.parametrize(
    ("rule", "by"),
    [
        ("self.x > 1", ["self.x > 3"]),
        ("self.x >= 1 && self.x <= 9", ["self.x > 0 && self.x < 10 && self.x in [2, 5]"]),
        ("size(self.x) < 5", ["size(self.x) <= 4"]),
        ("3 < self.x", ["self.x > 3"]),
        ("self.x != 'a'", ["self.x in ['b', 'c']"]),
        ("self.a || self.b || self.c", ["self.b || self.a"]),
        ("!has(self.x) || self.x > 1", ["!has(self.x) || self.x > 2"]),
        ("!has(self.x) || self.x > 1", ["self.x > 2"]),
        ("self.x > -5", ["self.x > -3"]),
        ("self.all(x, x > 3)", ["self.all(x, x > 3)", "self.size() > 1"]),
    ],
)
def test_implied_rules(rule: str, by: list[str]) -> None:
    assert implied(rule, by) == INCLUDED


@pytest.mark.parametrize(
    ("rule", "by"),
    [
        ("self.x > 3", ["self.x > 1"]),
        ("self.x > 3", ["self.y > 3"]),
        ("self.x > 3", ["self.x > 3 || self.y"]),
        ("self.a", ["self.a || self.b"]),
        ("self.a ? self.b : self.c", ["self.b && self.c"]),  # fails where `a` is not set
        ("self.x == 1 ? true : true", []),
        ("self.all(x, x.new)", ["self.all(x, x.other)"]),
        ("r'\\d' == self.a", ["self.a == 'd'"]),
        ("self.a &&", ["self.a"]),
        ("self.a ==", []),
        ("((", ["(("]),
        ("", []),
        ("self.x in [1, 'a']", ["self.x in [1]"]),
        ("self.all(x, x > 3)", ["self.all(x, x > 4)"]),
    ],
)
def test_unproven_rules(rule: str, by: list[str]) -> None:
    assert isinstance(implied(rule, by), NotProven)


def test_a_comparison_of_the_value_itself_is_refuted_by_a_value() -> None:
    assert implied("self <= 10", ["self <= 20"], Numbers(is_whole=True)) == NotIncluded(11)
    assert implied("self >= 0", [], Numbers(least=Bound(Fraction(0)))) == INCLUDED
    assert implied("self in ['a', 'b']", []) != INCLUDED
    assert isinstance(implied("self <= 10", ["self.isGood()"]), NotProven)


@pytest.mark.parametrize(
    ("rule", "holds"),
    [
        ("self == oldSelf", True),
        ("self >= oldSelf", True),
        ("self > oldSelf", False),
        ("self.x == oldSelf.x", False),
        ("!has(self.x) || self.x >= oldSelf.x", True),
        ("self == oldSelf && self > 3", False),
        ("oldSelf == '' || self == oldSelf", True),
    ],
)
def test_transition_rules_without_changes(rule: str, holds: bool) -> None:
    assert is_true_without_change(rule) == holds


def test_rules_narrow_values() -> None:
    assert narrowed(Texts(most=9), ["size(self) < 5 && self.size() > 1", "self != 'abc'"]) == Texts(
        least=2, most=4, excluded=frozenset({"abc"})
    )
    assert narrowed(Numbers(), ["self > 3", "self.x < 2", "self > 5 || self < 0"]) == Numbers(
        least=Bound(Fraction(3), is_open=True)
    )


PRESENCE = {
    ("new",): False,
    ("set",): True,
    ("[]",): True,
    ("[]", "new"): False,
    ("items",): True,
    ("items", "[]"): True,
}


def presence(path: tuple[str, ...]) -> bool | None:
    return PRESENCE.get(path)


@pytest.mark.parametrize(
    "rule",
    [
        "!has(self.new) || self.size < 10",
        "has(self.new) ? self.size < 10 : true",
        "!(has(self.new) && self.size > 3)",
        "has(self.set)",
        "has(self.new) == has(self.new)",
        "self.all(x, !has(x.new) || x.other.matches('a'))",
        "!self.exists(x, has(x.new) && x.new > 3)",
        "self.set == 'A' ? !has(self.new) : true",
        "has(self.other) && has(self.new) ? self.other == self.new : true",
    ],
)
def test_rules_that_are_true_for_unset_fields(rule: str) -> None:
    assert implied(rule, [], fields=Fields(presence)) == INCLUDED
    assert implied(rule, []) != INCLUDED or rule == "has(self.new) == has(self.new)"


@pytest.mark.parametrize(
    "rule",
    [
        "self.other == 'A' ? !has(self.new) : true",  # fails without `other`
        "!has(self.other.new) || self.size < 10",
        "self.other.all(x, !has(x.new))",
        "!has(self.other) || self.size < 10",
        "self.set / 0 > 1 ? !has(self.new) : true",
        "has(self.new) || self.size < 10",
        "self.items.all(x, has(x.other))",
    ],
)
def test_rules_not_proven_for_unset_fields(rule: str) -> None:
    assert isinstance(implied(rule, [], fields=Fields(presence)), NotProven)


VALUES = {
    ("kind",): Texts(allowed=frozenset({"A", "B"})),
    ("[]", "kind"): Texts(allowed=frozenset({"A", "B"})),
    ("other",): Texts(allowed=frozenset({"A"})),
    ("set",): Numbers(least=Bound(Fraction(3))),
}
OF_VALUES = Fields(lambda path: True if path[-1:] == ("kind",) else presence(path), VALUES.get)


@pytest.mark.parametrize(
    "rule",
    [
        "!(!has(self.new) && self.kind == 'C')",
        "self.kind != 'C'",
        "self.kind == 'A' || self.kind in ['B', 'C']",
        "self.filter(x, x.kind == 'C').size() <= 1",
        "size(self.filter(x, x.kind == 'C' && x.size > 3)) == 0",
        "self.all(x, x.kind != 'C' || x.other > 3)",
        "!self.exists(x, x.kind == 'C') || self.size() == 1",
        "!has(self.other) || self.other == 'A'",
        "self.set > 2",
    ],
)
def test_rules_that_all_values_of_fields_satisfy(rule: str) -> None:
    assert implied(rule, [], fields=OF_VALUES) == INCLUDED
    assert implied(rule, [], fields=Fields(presence)) != INCLUDED


@pytest.mark.parametrize(
    "rule",
    [
        "self.kind == 'A'",
        "self.other == 'A'",  # fails without `other`
        "self.filter(x, x.kind == 'A').size() <= 1",
        "self.filter(x, x.kind == 'C').size() > 0",
        "self.filter(x, x.kind == 'C' && x.size > 3 / 0).exists(y, true)",
        "self.filter(x, x.size / 0 == 1 || x.kind == 'C').size() == 0",
        "self.other.filter(x, x.kind == 'C').size() == 0",
        "self.kind == 'A' || self.other == 'B'",
        "self.set > 3",
    ],
)
def test_rules_that_values_of_fields_may_violate(rule: str) -> None:
    assert isinstance(implied(rule, [], fields=OF_VALUES), NotProven)


@pytest.mark.parametrize("rule", ["has(self.new)", "self.size > 1 && has(self.new)", "!has(self.set)"])
def test_rules_that_no_object_without_the_field_satisfies(rule: str) -> None:
    assert implied(rule, [], fields=Fields(presence)) == NotIncluded()


@pytest.mark.parametrize(
    "text", ["a" * 5_000, "(" * 3_000, "self.a || " * 300 + "self.b", "&&".join(["(a||b||c)"] * 50)]
)
def test_hostile_text_terminates(text: str) -> None:
    assert implied(text, [text]) is not None


def test_all_fields_of_a_clause_are_asked_for() -> None:
    asked: list[tuple[str, ...]] = []

    def unset(path: tuple[str, ...]) -> bool:
        asked.append(path)
        return False

    assert implied("!(has(self.b) && has(self.a))", [], fields=Fields(unset)) == INCLUDED
    assert {("a",), ("b",)} <= set(asked)
