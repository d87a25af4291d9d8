"""Whatever text a spec holds, generated modules have the same syntax tree around it, and Black leaves them alone."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import black
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.formatting import format_files, formatter_of
from apigen.hub.steps import HubModel
from apigen.ir.model import Alias, Enum, Lifecycle, Release, Replacement, Struct, TypeDef
from tests.codegen.generated_packages import BACKENDS, compiled, one_version

SPECS = one_version(
    """
    Thing:
      doc: Text.
      fields:
        one: {type: string, doc: Text.}
        two: {type: "[]string", optional: true, doc: Text.}
        three: {type: "map[string]Thing", optional: true}
    Choice:
      doc: Text.
      enum: {a: {doc: Text.}, b: {}}
      unknown: a
    Names: {is: "[]string", nullable: true, doc: Text.}
    """,
    kinds="Thing: {list: false}",
)

NASTY = st.sampled_from(
    [
        '"',
        "'",
        '"""',
        "'''",
        "\\",
        "\\\\",
        "{",
        "}",
        "{at}",
        "{{",
        "\n",
        "\r",
        "\t",
        "\0",
        "\x7f",
        "\u202e",
        "\u2028",
        "\ud800",
    ]
    + ["\\N{BULLET}", "\\u0041", "\x0c", "\ufeff", '"""\nimport os\n"""', "#", "%s", "$", "a", " ", "é", "\U0001f600"]
)
TEXTS = st.lists(NASTY | st.characters(), min_size=1, max_size=30).map("".join)


@pytest.fixture(scope="module")
def harmless() -> BackendInput:
    with TemporaryDirectory() as folder:
        return compiled(SPECS, Path(folder))


def with_texts(backend_input: BackendInput, name: str, doc: str) -> BackendInput:
    types = {id_: _with_texts(type_, name, doc) for id_, type_ in backend_input.types.items()}
    return BackendInput(replace(backend_input.api, types=types), HubModel(), types)


def _with_texts(type_: TypeDef, name: str, doc: str) -> TypeDef:
    match type_:
        case Struct():
            replaced = Lifecycle(deprecated=Release(1, 9), replacement=Replacement("g", "v1", "K", name))
            fields = tuple(
                replace(f, json_name=f"{name}{i}", doc=doc, lifecycle=replaced) for i, f in enumerate(type_.fields)
            )
            return replace(type_, doc=doc, fields=fields)
        case Enum():
            values = tuple(replace(v, value=f"{name}{i}", doc=doc) for i, v in enumerate(type_.values))
            return replace(type_, doc=doc, values=values, unknown=f"{name}0")
        case Alias():
            return replace(type_, doc=doc)


def modules(backend_input: BackendInput) -> list[str]:
    files = [output for backend in BACKENDS for output in backend(backend_input)]
    return [file.content.decode() for file in format_files(files, formatter_of("ruff")).files]


def shape(module: str) -> str:
    """The syntax tree without the contents of strings."""
    tree = ast.parse(module)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(name=TEXTS, doc=TEXTS.filter(lambda text: not text.isspace()))
@example(name='"\U0001f3fb', doc='"')  # a mark that is one or two columns wide
def test_hostile_strings_stay_strings(harmless: BackendInput, name: str, doc: str) -> None:
    expected = [shape(module) for module in modules(with_texts(harmless, "name", "Text."))]
    found = modules(with_texts(harmless, name, doc))
    assert [shape(module) for module in found] == expected
    for module in found:
        assert all(character.isprintable() or character == "\n" for character in module)


@pytest.mark.parametrize("doc", ['"', 'A "quoted"', "\\", '\\"', "A\n\nB", '"""'])
def test_black_accepts_modules_with_unusual_docs(harmless: BackendInput, doc: str) -> None:
    for module in modules(with_texts(harmless, "name", doc)):
        assert black.format_str(module, mode=black.Mode()) == module


def test_hostile_strings_are_preserved(harmless: BackendInput) -> None:
    text = 'a"b\\c\'d{e}\n\u202e"""'
    classes, codec, _ = modules(with_texts(harmless, text, text))
    enum = next(n for n in ast.walk(ast.parse(classes)) if isinstance(n, ast.ClassDef) and n.name == "Choice")
    values = [n.value.value for n in enum.body if isinstance(n, ast.Assign) and isinstance(n.value, ast.Constant)]
    assert values == [f"{text}0", f"{text}1"]
    names = {n.value for n in ast.walk(ast.parse(codec)) if isinstance(n, ast.Constant)}
    assert {f"{text}0", f"{text}1", f"{text}2"} <= names
