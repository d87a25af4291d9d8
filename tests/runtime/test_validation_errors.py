"""The words of validation errors: those of Kubernetes' `field.Error`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apigen.runtime.features import Features
from apigen.runtime.field_paths import ROOT, FieldPath
from apigen.runtime.validation import (
    ErrorType,
    FieldError,
    ValidationOptions,
    cleared,
    decreased,
    discriminated_union_errors,
    duplicate,
    excluded,
    first_by,
    forbidden,
    gated,
    immutable,
    internal_error,
    invalid,
    item_added,
    item_removed,
    modified,
    not_found,
    not_matching,
    not_multiple,
    not_supported,
    repeated,
    repeated_values,
    required,
    set_later,
    shown,
    too_few,
    too_large,
    too_long,
    too_long_characters,
    too_many,
    too_short,
    too_small,
    type_invalid,
    union_errors,
)

X = ROOT.child("spec").child("x")


@pytest.mark.parametrize(
    ("make", "type_", "text"),
    [
        (lambda: required(X), ErrorType.REQUIRED, "spec.x: Required value"),
        (
            lambda: required(X, "must be set when y is set"),
            ErrorType.REQUIRED,
            "spec.x: Required value: must be set when y is set",
        ),
        (lambda: invalid(X, "abc", "must be good"), ErrorType.INVALID, 'spec.x: Invalid value: "abc": must be good'),
        (lambda: invalid(X, 5, "must be less"), ErrorType.INVALID, "spec.x: Invalid value: 5: must be less"),
        (lambda: invalid(X, None, "must be"), ErrorType.INVALID, "spec.x: Invalid value: null: must be"),
        (
            lambda: type_invalid(X, True, "must be a number"),
            ErrorType.TYPE_INVALID,
            "spec.x: Invalid value: true: must be a number",
        ),
        (
            lambda: not_supported(X, "c", ["b", "a"]),
            ErrorType.NOT_SUPPORTED,
            'spec.x: Unsupported value: "c": supported values: "a", "b"',
        ),
        (lambda: not_supported(X, "c", []), ErrorType.NOT_SUPPORTED, 'spec.x: Unsupported value: "c"'),
        (lambda: not_found(X, "name"), ErrorType.NOT_FOUND, 'spec.x: Not found: "name"'),
        (lambda: duplicate(X.index(1), "a"), ErrorType.DUPLICATE, 'spec.x[1]: Duplicate value: "a"'),
        (
            lambda: duplicate(X.index(1), {"port": 80, "protocol": "TCP"}),
            ErrorType.DUPLICATE,
            'spec.x[1]: Duplicate value: {"port":80,"protocol":"TCP"}',
        ),
        (lambda: forbidden(X, "may not be set"), ErrorType.FORBIDDEN, "spec.x: Forbidden: may not be set"),
        (lambda: too_long(X, 63), ErrorType.TOO_LONG, "spec.x: Too long: may not be more than 63 bytes"),
        (lambda: too_long(X, 1), ErrorType.TOO_LONG, "spec.x: Too long: may not be more than 1 byte"),
        (
            lambda: too_long_characters(X, 63),
            ErrorType.TOO_LONG,
            "spec.x: Too long: may not be more than 63 characters",
        ),
        (lambda: too_short(X, 1), ErrorType.TOO_SHORT, "spec.x: Too short: must be at least 1 character"),
        (lambda: too_many(X, 5, 3), ErrorType.TOO_MANY, "spec.x: Too many: 5: must have at most 3 items"),
        (lambda: too_few(X, 0, 1), ErrorType.TOO_FEW, "spec.x: Too few: 0: must have at least 1 item"),
        (lambda: immutable(X), ErrorType.INVALID, "spec.x: Invalid value: null: field is immutable"),
        (lambda: set_later(X), ErrorType.INVALID, "spec.x: Invalid value: null: field cannot be set once created"),
        (lambda: cleared(X), ErrorType.INVALID, "spec.x: Invalid value: null: field cannot be cleared once set"),
        (lambda: modified(X), ErrorType.INVALID, "spec.x: Invalid value: null: field cannot be modified once set"),
        (lambda: decreased(X, 1, 2), ErrorType.INVALID, "spec.x: Invalid value: 1: may not be decreased from 2"),
        (lambda: item_added(X.index(1)), ErrorType.FORBIDDEN, "spec.x[1]: Forbidden: item may not be added"),
        (lambda: item_removed(X), ErrorType.FORBIDDEN, "spec.x: Forbidden: item may not be removed"),
        (lambda: forbidden(X), ErrorType.FORBIDDEN, "spec.x: Forbidden"),
        (lambda: internal_error(X, "broken"), ErrorType.INTERNAL, "spec.x: Internal error: broken"),
        (
            lambda: gated(
                ROOT.child("restartPolicy"), "OnTuesday", "the FrobberRestartPolicyOnTuesday feature is enabled"
            ),
            ErrorType.INVALID,
            (
                'restartPolicy: Invalid value: "OnTuesday": '
                "only allowed if the FrobberRestartPolicyOnTuesday feature is enabled"
            ),
        ),
    ],
)
def test_errors_have_the_messages_of_kubernetes(make: Callable[[], FieldError], type_: ErrorType, text: str) -> None:
    error = make()
    assert str(error) == text
    assert error.type is type_


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", '""'),
        ('a"b\\c', '"a\\"b\\\\c"'),
        ("\n\t\x00\x7f", '"\\n\\t\\x00\\x7f"'),
        ("é\u202e\U000e0001", '"é\\u202e\\U000e0001"'),
        (False, "false"),
        (0.5, "0.5"),
        (3.0, "3"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1e-7, "1e-07"),
        (-0.0, "-0"),
        (12345678, "12345678"),
    ],
)
def test_values_are_formatted_as_by_go(value: str | float, text: str) -> None:
    assert shown(value) == text


def test_paths() -> None:
    path = ROOT.child("spec").child("rules").index(2).child("labels").key("a/b")
    assert str(path) == "spec.rules[2].labels[a/b]"
    assert str(FieldPath()) == ""
    assert str(ROOT.index(0).child("x")) == "[0].x"
    assert repr(path) == "FieldPath('spec.rules[2].labels[a/b]')"


@pytest.mark.parametrize(
    ("now", "before", "optional", "texts"),
    [
        ({"a": True, "b": False}, None, False, []),
        ({"a": False, "b": False}, None, False, ['spec.x: Invalid value: "": must specify one of: `a`, `b`']),
        ({"a": False, "b": False}, None, True, []),
        (
            {"a": True, "b": True},
            None,
            False,
            ['spec.x: Invalid value: "{a, b}": must specify exactly one of: `a`, `b`'],
        ),
        (
            {"a": True, "b": True},
            None,
            True,
            ['spec.x: Invalid value: "{a, b}": must specify at most one of: `a`, `b`'],
        ),
        ({"a": True, "b": True}, {"a": True, "b": True}, False, []),
        (
            {"a": True, "b": True},
            {"a": True, "b": False},
            False,
            ['spec.x: Invalid value: "{a, b}": must specify exactly one of: `a`, `b`'],
        ),
    ],
)
def test_unions(now: dict[str, bool], before: dict[str, bool] | None, optional: bool, texts: list[str]) -> None:
    assert [str(e) for e in union_errors(X, now, before, optional=optional)] == texts


@pytest.mark.parametrize(
    ("value", "now", "optional", "texts"),
    [
        ("A", {"a": True, "b": False}, False, []),
        ("A", {"a": False, "b": False}, False, ['spec.x.a: Invalid value: "": must be specified when `type` is "A"']),
        ("A", {"a": False, "b": False}, True, []),
        ("B", {"a": True, "b": True}, False, ['spec.x.a: Invalid value: "": may only be specified when `type` is "A"']),
        ("C", {"a": False, "b": False}, False, []),
        (
            None,
            {"a": True, "b": False},
            True,
            ['spec.x.a: Invalid value: "": may only be specified when `type` is "A"'],
        ),
    ],
)
def test_discriminated_unions(value: str | None, now: dict[str, bool], optional: bool, texts: list[str]) -> None:
    members = {"a": "A", "b": "B"}
    errors = discriminated_union_errors(X, "type", members, (value, now), None, optional=optional)
    assert [str(e) for e in errors] == texts
    assert not list(discriminated_union_errors(X, "type", members, (value, now), (value, dict(now)), optional=optional))


def test_repeated_elements_exclude_the_first() -> None:
    assert list(repeated(["a", "b", "a", "a"], lambda item: item)) == [(2, "a"), (3, "a")]
    assert list(repeated_values([[1], [2], [1], []])) == [(2, [1])]
    assert list(repeated_values([None, [], [1]])) == [(1, [])], "absent and empty are the same"


def test_elements_by_key_are_the_first_of_each_key() -> None:
    assert first_by(["aa", "b", "ab"], lambda item: item[0]) == {"a": "aa", "b": "b"}
    assert first_by(None, str) == {}


def test_options() -> None:
    options = ValidationOptions(Features((), "1.13"), None, ["Policy.Late"])
    assert options.allows("Policy.Late") and not options.allows("Policy.Early")
    assert not options.updating and ValidationOptions(Features((), "1.13"), "old").updating


@pytest.mark.parametrize(
    ("error", "keyword", "text"),
    [
        (too_small(X, 0, 1), "minimum", "spec.x: Invalid value: 0: must be greater than or equal to 1"),
        (too_small(X, 1, 1, exclusive=True), "exclusiveMinimum", "spec.x: Invalid value: 1: must be greater than 1"),
        (too_large(X, 2.5, 2), "maximum", "spec.x: Invalid value: 2.5: must be less than or equal to 2"),
        (too_large(X, 2, 2, exclusive=True), "exclusiveMaximum", "spec.x: Invalid value: 2: must be less than 2"),
        (not_multiple(X, 3, 2), "multipleOf", "spec.x: Invalid value: 3: must be a multiple of 2"),
        (not_matching(X, "b", "^a$"), "pattern", "spec.x: Invalid value: \"b\": must match the pattern '^a$'"),
        (excluded(X, "b", "b"), "not", 'spec.x: Invalid value: "b": must not be equal to "b"'),
        (too_long(X, 1), "maxBytes", "spec.x: Too long: may not be more than 1 byte"),
        (too_long_characters(X, 1), "maxLength", "spec.x: Too long: may not be more than 1 character"),
        (too_many(X, 2, 1), "maxItems", "spec.x: Too many: 2: must have at most 1 item"),
        (required(X), "", "spec.x: Required value"),
    ],
)
def test_errors_of_constraints_have_a_keyword(error: FieldError, keyword: str, text: str) -> None:
    assert (error.keyword, str(error)) == (keyword, text)
