"""The common forms of lines are split by their outline alone, and come out as Black has them."""

from __future__ import annotations

from random import Random

import black
import pytest
from black.mode import TargetVersion
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apigen.emit.quick import split_quickly
from apigen.emit.reading import Syntax
from tests.emit.made_up_statements import Statements
from tests.emit.peer import black_line, depth_of

NAME = "a" * 30
OTHER = "b" * 30
MODERN = black.Mode(target_versions={TargetVersion.PY311, TargetVersion.PY312})


@pytest.mark.parametrize(
    "line",
    [
        f"def {NAME}(obj: {OTHER}, path: str = '', *, share: bool = False) -> {OTHER}:".replace("'", '"'),
        f"def {NAME}(obj: {NAME} | {NAME} | {OTHER}, *, share: bool = ...) -> {OTHER}: ...",
        f"def {NAME}_{OTHER}() -> st.SearchStrategy[{NAME}]:",
        f"from .{NAME} import {NAME}, {OTHER}",
        f"obj.{NAME} = {OTHER} if type({OTHER}) is str else decode({OTHER}, path)",
        f"obj.{NAME} = [item if type(item) is str else {OTHER}(item, path) for item in {NAME}({OTHER})]",
        f"{NAME}: frozenset[str] = frozenset({{{NAME}, {OTHER}, {NAME}}})",
        f"assert {NAME}(obj, {OTHER}) == [Dropped({NAME}, {OTHER})]",
        f"return hub.{NAME}(a={OTHER} if share else copy({OTHER}), b=[{NAME}(item, share=share) for item in source.items])",
        f"if {NAME} is not None and {OTHER} is not None and {NAME} in {OTHER}:",
        f"for index, {NAME} in enumerate(zip({OTHER}, {NAME}, strict=False)):",
        f"{NAME}.append(field({OTHER}, {NAME}.encode({OTHER})))",
        f"yield from {NAME}({OTHER}, {NAME}, {OTHER})",
        f"{NAME} = ({OTHER}, {NAME}, {OTHER})",
        f"{NAME}: tuple[str, ...] = ({OTHER}, {NAME}, {OTHER})",
        f"{NAME} = ({NAME}({OTHER}, {NAME}, {OTHER}), {NAME}(a=({OTHER}, {NAME})))",
        f"return ({OTHER}, {NAME}, {OTHER})",
        f"for {NAME} in ({OTHER}, {NAME}, {OTHER}):",
    ],
)
def test_common_form(line: str) -> None:
    assert split_quickly(line, 0, 88, Syntax.MODERN) == black_line(line, 0, MODERN)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(random=st.randoms(use_true_random=False), depth=st.sampled_from([0, 0, 1, 4]))
def test_what_is_split_quickly_is_split_well(random: Random, depth: int) -> None:
    statement = Statements(random, random.randint(1, 2), modern=False).long(88 - 4 * depth)
    found = split_quickly(statement, depth_of(statement, depth), 88, Syntax.MODERN)
    assert found is None or found == black_line(statement, depth, MODERN)


@pytest.mark.parametrize(
    "line",
    [f"x = {NAME}({OTHER}", f"x = {NAME}({OTHER}]", f"with {NAME} as {OTHER}:", f"{NAME} = yield {OTHER}", "x = $"],
)
def test_what_is_no_common_form(line: str) -> None:
    assert split_quickly(line, 0, 88, Syntax.MODERN) is None
