"""The package as a whole: it is copied next to generated code, so it must not depend on other packages."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import apigen.runtime as runtime
from apigen.runtime import ApiError, ConversionError, DecodeError, EncodeError, wrong_type

FOLDER = Path(runtime.__file__).parent
MODULES = sorted(FOLDER.glob("*.py"))


def imported(path: Path) -> set[str]:
    """The top-level packages that a module imports by absolute name."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_module_needs_only_the_standard_library(path: Path) -> None:
    assert imported(path) <= sys.stdlib_module_names


def test_every_public_name_is_defined() -> None:
    for name in runtime.__all__:
        assert getattr(runtime, name) is not None
    assert set(runtime.__all__) <= set(dir(runtime))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        runtime.nothing  # noqa: B018


def test_public_names_match_those_of_type_checkers() -> None:
    tree = ast.parse((FOLDER / "__init__.py").read_text(encoding="utf-8"))
    typed = next(node for node in tree.body if isinstance(node, ast.If))
    names = {
        alias.asname or alias.name for node in typed.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert names == set(runtime.__all__)


def run(code: str) -> str:
    result = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, cwd=FOLDER)
    return result.stdout


def test_import_loads_no_large_modules() -> None:
    root = str(FOLDER.parents[1])
    loaded = run(f"import sys; sys.path.insert(0, {root!r}); import apigen.runtime; print(*sys.modules)").split()
    assert not {"yaml", "orjson", "json", "re", "dataclasses", "apigen.runtime.wire"} & set(loaded)


def test_copied_package_works_without_optional_libraries(tmp_path: Path) -> None:
    package = tmp_path / "elsewhere" / "copied"
    package.mkdir(parents=True)
    for path in MODULES:
        (package / path.name).write_bytes(path.read_bytes())
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
sys.modules["orjson"] = sys.modules["yaml"] = None
from elsewhere.copied import DecodeError, json_text, parse_json, parse_yaml, yaml_text
tree = parse_json('{{"a": [1.0, "<"]}}')
print(json_text(tree), yaml_text(tree), end="")
try:
    parse_yaml("a: 1")
except ImportError as error:
    print(error)
"""
    assert run(code) == '{"a":[1,"\\u003c"]}' + " a:\n- 1\n- <\nreading YAML needs PyYAML (pip install PyYAML)\n"


@pytest.mark.parametrize("kind", [DecodeError, ConversionError, EncodeError])
def test_errors_have_path_and_problem(kind: type[ApiError]) -> None:
    error = kind("spec.x", "is wrong")
    assert (str(error), error.path, error.problem) == ("spec.x: is wrong", "spec.x", "is wrong")
    assert str(kind("", "is wrong")) == "is wrong"
    assert isinstance(error, ApiError)
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "a boolean (true)"),
        (5, "a number (5)"),
        (1.5, "a number (1.5)"),
        (10**1000, "a number (of many digits)"),
        ("a'b", 'a string ("a\'b")'),
        ("x" * 100, "a string ('" + "x" * 40 + "'…)"),
        ([], "a list (0 elements)"),
        ([[]], "a list (1 element)"),
        ({"a": 1, "b": 2}, "an object (2 members)"),
        (b"x", "a bytes"),
    ],
)
def test_wrong_types_are_reported_by_name(value: object, words: str) -> None:
    assert str(wrong_type("spec.x", "a string", value)) == f"spec.x: expected a string, found {words}"


def test_basic_use_loads_no_typing_modules() -> None:
    root = str(FOLDER.parents[1])
    names = sorted(path.stem for path in MODULES if path.stem not in ("__init__", "cel_functions"))
    lines = "".join(f"import apigen.runtime.{name}\n" for name in names)
    without_orjson = (
        f"import sys; sys.path.insert(0, {root!r}); sys.modules['orjson'] = None\n"  # it loads `dataclasses`
    )
    loaded = run(f"{without_orjson}{lines}print(*sys.modules)").split()
    assert not {"dataclasses", "inspect", "typing"} & set(loaded)
