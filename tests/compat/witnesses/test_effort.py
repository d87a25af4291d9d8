"""What the search for objects does not do: look at all values of a huge enum, or lay out code that nobody reads."""

from __future__ import annotations

import ast
from pathlib import Path

from apigen.compat.surface.types import EnumValue
from apigen.compat.verdict.example import ABSENT
from apigen.compat.witnesses.filling import value_of
from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.pipeline import compile_unruled, generate
from apigen.spec.load import load_api
from tests.ir.resolving import write_specs

SPEC = """
types:
  Wide:
    fields:
      aNameThatIsRatherLongForAField: {type: 'map[string]AnotherNameThatIsLong', omitEmpty: true}
      anotherNameThatIsLongForAField: {type: '[]AnotherNameThatIsLong', omitEmpty: true, maxItems: 7}
  AnotherNameThatIsLong: {fields: {size: {type: int32, minimum: 1}}}
"""


def test_of_an_enum_no_more_values_are_looked_at_than_must_be() -> None:
    values = iter([EnumValue(name, Place("a.yaml")) for name in ("", "A", "B", "C")])
    assert value_of(values) == "A"
    assert [each.value for each in values] == ["B", "C"]
    assert value_of([]) is ABSENT


def test_output_that_nobody_reads_says_the_same(tmp_path: Path) -> None:
    write_specs(tmp_path, {"v1.yaml": SPEC})
    report = Report()
    compilation = compile_unruled(load_api(tmp_path, report), report)
    assert compilation is not None
    read, thrown_away = (
        {
            file.path: file.content.decode()
            for file in generate(replace(compilation, is_read=is_read), backends=["json"])
        }
        for is_read in (True, False)
    )
    assert read.keys() == thrown_away.keys()
    modules = [path for path in read if path.endswith(".py") and "v1" in path]
    assert any(read[path] != thrown_away[path] for path in modules)
    for path in modules:
        assert ast.dump(ast.parse(read[path])) == ast.dump(ast.parse(thrown_away[path]))
