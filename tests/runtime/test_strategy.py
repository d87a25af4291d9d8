"""The steps of a kind as a server runs them: their order, their arguments, and rejected calls."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from apigen.runtime.features import Features
from apigen.runtime.field_paths import ROOT
from apigen.runtime.strategy import (
    Dropped,
    Strategy,
    StrategyError,
    next_generation,
    note,
    same_key,
    same_place,
)
from apigen.runtime.validation import FieldError, required

FEATURES = Features((), "1.36")
MISSING = required(ROOT.child("name"))
DROPPED = Dropped("width", "Frobber2D")


@dataclass
class Thing:
    name: str = ""


def make(subresource: str = "", *, creates: bool = True) -> tuple[Strategy[Thing], list[object]]:
    """A strategy that notes down what is called, and with what."""
    calls: list[object] = []

    def create(obj: Thing, features: Features) -> list[Dropped]:
        calls.append(("create", obj, features))
        return [DROPPED]

    def update(obj: Thing, old: Thing, features: Features) -> list[Dropped]:
        calls.append(("update", obj, old, features))
        return [DROPPED]

    def check(obj: Thing, old: Thing | None, features: Features) -> list[FieldError]:
        calls.append(("check", obj, old, features))
        return [MISSING]

    strategy = Strategy(
        "Thing",
        subresource=subresource,
        create=create if creates else None,
        update=update,
        check=check,
        hooks=["create", "update", "status"],
    )
    return strategy, calls


NEW, OLD = Thing("new"), Thing("old")


def test_kind_subresource_and_operations() -> None:
    assert (make()[0].kind, make()[0].subresource, make("status")[0].subresource) == ("Thing", "", "status")
    assert make()[0].operations == ("create", "update", "status")


def test_create_runs_the_step_then_the_hooks_in_their_order() -> None:
    strategy, calls = make()
    for name in ("first", "second"):
        strategy.hook("create")(lambda *given, name=name: calls.append((name, *given)))
    strategy.hook("update")(lambda *given: calls.append("wrong"))
    assert strategy.prepare_for_create(NEW, features=FEATURES, context="who") == [DROPPED]
    assert calls == [("create", NEW, FEATURES), ("first", "who", None, NEW), ("second", "who", None, NEW)]


@pytest.mark.parametrize(("subresource", "operation"), [("", "update"), ("status", "status")])
def test_update_runs_the_step_then_the_hooks_of_the_operation(subresource: str, operation: str) -> None:
    strategy, calls = make(subresource)
    for name in {"create", "update", "status"} - {operation}:
        strategy.hook(name)(lambda *given: calls.append("wrong"))
    strategy.hook(operation)(lambda *given: calls.append(("hook", *given)))
    assert strategy.prepare_for_update(NEW, OLD, features=FEATURES, context=7) == [DROPPED]
    assert calls == [("update", NEW, OLD, FEATURES), ("hook", 7, OLD, NEW)]


def test_validation_receives_old_object_only_on_update() -> None:
    strategy, calls = make()
    assert strategy.validate(NEW, features=FEATURES) == [MISSING]
    assert strategy.validate_update(NEW, OLD, features=FEATURES) == [MISSING]
    assert calls == [("check", NEW, None, FEATURES), ("check", NEW, OLD, FEATURES)]


def test_create_of_a_subresource_is_an_error() -> None:
    strategy, calls = make("status", creates=False)
    with pytest.raises(StrategyError) as caught:
        strategy.prepare_for_create(NEW, features=FEATURES)
    assert str(caught.value) == "Thing/status cannot be created, only updated"
    assert calls == []


def test_hook_decorator_returns_the_function() -> None:
    def hook(context: object, old: Thing | None, new: Thing) -> None: ...

    assert make()[0].hook("create")(hook) is hook


@pytest.mark.parametrize(
    ("hooks", "operation", "text"),
    [
        (["create", "update"], "updat", "Thing has no hook for 'updat', did you mean update?"),
        (["create", "update"], "xyz", "Thing has no hook for 'xyz'; it has create, update"),
        ([], "create", "Thing has no hook for 'create'; it has none"),
    ],
)
def test_undeclared_hooks_are_rejected(hooks: list[str], operation: str, text: str) -> None:
    strategy = Strategy[Thing]("Thing", update=lambda *_: [], check=lambda *_: [], hooks=hooks)
    with pytest.raises(StrategyError) as caught:
        strategy.hook(operation)
    assert str(caught.value) == text


def test_from_request_requires_a_scheme() -> None:
    strategy, _ = make()
    with pytest.raises(StrategyError) as caught:
        strategy.from_request("request")
    assert str(caught.value) == "requests are read by strategies of a scheme only"
    calls: list[object] = []

    def read(obj: object, old: Thing | None) -> tuple[Thing, list[FieldError]]:
        calls.append((obj, old))
        return NEW, [MISSING]

    strategy.read_requests_by(read)
    assert strategy.from_request("request") == (NEW, [MISSING])
    assert strategy.from_request("request", OLD) == (NEW, [MISSING])
    assert calls == [("request", None), ("request", OLD)]


def test_warnings_have_path_and_reason() -> None:
    dropped: list[Dropped] = []
    note(dropped, ROOT.child("width"), "Frobber2D")
    note(dropped, ROOT.child("depth"), "", "it is removed since release 1.18")
    assert dropped == [Dropped("width", "Frobber2D"), Dropped("depth", "", "it is removed since release 1.18")]
    assert [str(warning) for warning in dropped] == [
        "width: dropped because the Frobber2D feature is disabled",
        "depth: dropped because it is removed since release 1.18",
    ]


@pytest.mark.parametrize(
    ("items", "index", "found"),
    [(None, 0, None), ([], 0, None), (["a"], 0, "a"), (["a"], 1, None), (["a", "b"], 1, "b")],
)
def test_old_elements_by_path(items: list[str] | None, index: int, found: str | None) -> None:
    assert same_place(items, index) == found


@pytest.mark.parametrize(
    ("items", "key", "found"), [(None, "a", None), ({}, "a", None), ({"a": "x"}, "a", "x"), ({"a": "x"}, "b", None)]
)
def test_old_values_by_key(items: dict[str, str] | None, key: str, found: str | None) -> None:
    assert same_key(items, key) == found


@pytest.mark.parametrize(
    ("before", "after"), [(0, 1), (1, 2), (41, 42), (-1, 0), (2**63 - 1, -(2**63)), (-(2**63), -(2**63) + 1)]
)
def test_generation_overflows_as_int64(before: int, after: int) -> None:
    assert next_generation(before) == after
