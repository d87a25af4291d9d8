"""Every ResourceList of core/v1 is rounded by a hand-written default: a field that a release adds is not forgotten."""

from __future__ import annotations

import ast
import re
from collections import defaultdict

import pytest

from apigen.diagnostics import Report
from apigen.ir.model import Field, NamedType, TypeId
from apigen.ir.resolve import resolve
from apigen.language.load import load_api
from tests.kubernetes.compiling import HAND_WRITTEN, SPECS

RESOURCE_LIST = TypeId("core", "v1", "ResourceList")


@pytest.mark.slow
def test_every_resource_list_is_rounded() -> None:
    report = Report()
    api = resolve(load_api(SPECS / "kubernetes", report), report)
    wanted = {
        f"default_{struct.snake_name}": fields
        for struct in api.structs("core", "v1")
        if (fields := {field.py_name for field in struct.own_fields if _is_resource_list(field)})
    }
    assert sum(map(len, wanted.values())) >= 20
    assert _rounded() == wanted


def _is_resource_list(field: Field) -> bool:
    return isinstance(field.type, NamedType) and field.type.id == RESOURCE_LIST


def _rounded() -> dict[str, set[str]]:
    """Function -> the attributes of its object that it rounds: `obj.name = _rounded_up(obj.name)`."""
    found: dict[str, set[str]] = defaultdict(set)
    module = ast.parse((HAND_WRITTEN / "core" / "v1" / "defaults.py").read_text(encoding="utf-8"))
    for function in module.body:
        if isinstance(function, ast.FunctionDef):
            for line in ast.unparse(function).splitlines():
                if rounds := re.fullmatch(r" +obj\.(\w+) = _rounded_up\(obj\.\1\)", line):
                    found[function.name].add(rounds[1])
    return found
