"""Hostile text in every place of a spec: diagnostics, or a harmless literal.

What is accepted gives modules with the same syntax tree as the same spec with harmless text; only constants differ,
and, where names are made of the text, identifiers. No path leads out of the folder, and nothing of a spec runs.
"""

from __future__ import annotations

import ast
import json
import keyword
import re
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from apigen.codegen.pipeline import Sources, check, generate
from apigen.diagnostics import Report
from apigen.diagnostics.printers import PRINTERS
from tests.hostile.hostile_specs import HARMLESS, IDENTIFIERS, LITERALS, write_specs
from tests.share import share

CANARY = "canary-was-here"
CODE = f"__import__('pathlib').Path('{CANARY}').touch()"

FRAGMENTS = [
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    "\\\\",
    '\\"',
    "\\N{BULLET}",
    "\\u0022",
    "{",
    "}",
    "{{",
    "}}",
    "{obj}",
    "{{ x }}",
    "{%",
    "{% raw %}",
    "{# #}",
    "{path}",
    "%s",
    "$",
    "#",
    "`",
    "*/",
    "//",
    ";",
    ":",
    "[",
    "]",
    "(",
    ")",
    ",",
    "=",
    "@",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\0",
    "\x0c",
    "\x1b[31m",
    "\x7f",
    "\x85",
    "\u2028",
    "\u202e",
    "\u2066",
    "\ufeff",
    "\ud800",
    "\u0131",
    "\ufb01",
    "é",
    "\U0001f600",
    "../",
    "..",
    "/",
    "/etc/passwd",
    "a",
    "_",
    "__class__",
    "self",
    "class",
    " ",
    "0",
    "-",
    ".",
    CODE,
    f"\n{CODE}\n",
    f'"; {CODE}; "',
    f"'''\n{CODE}\n'''",
    f'"""\n{CODE}\n"""',
    f"{{{CODE}}}",
    f"{{{{ {CODE} }}}}",
    f"\\\n{CODE}",
    f")\n{CODE}\n(",
    f"x={CODE}",
]
TEXT_LIKE = [
    '"',
    "\\",
    "{{ x }}",
    "{% raw %}",
    "{path}",
    "\n",
    "\0",
    "\u202e",
    "\u2028",
    "\ufb01",
    "é",
    "../../../etc/passwd",
    "/etc/passwd",
    "..",
    "C:\\windows",
    "~root",
    "-rf",
    CODE,
    f'"; {CODE}; "',
    f'"""\n{CODE}\n"""',
    f"{{{CODE}}}",
    f")\n{CODE}\n(",
    "",
]
NAME_LIKE = [
    "A",
    "None",
    "class",
    "self",
    "obj",
    "str",
    "field",
    "hub",
    "types",
    "runtime",
    "tests",
    "scheme",
    "__init__",
    "mro",
    "apiVersion",
    "a" * 300,
    "a.b.c",
    "a-b",
    "1a",
]
TEXTS = st.lists(st.sampled_from(FRAGMENTS) | st.characters(), min_size=1, max_size=6).map("".join)


def compiled(folder: Path, changes: Mapping[str, str]) -> dict[str, str] | None:
    """The output for specs with other texts at some places; None where there are errors, which must be fit to be printed."""
    try:
        write_specs(folder, changes)
    except (OSError, ValueError):
        return None  # no file system holds such a spec
    report = Report()
    backend_input = check(Sources(folder, None, folder), report).backend_input
    for render in PRINTERS.values():
        printed = render(report.diagnostics)
        printed.encode()
        assert all(line.isprintable() for line in printed.split("\n"))
    if backend_input is None:
        assert report.has_errors
        return None
    return {file.path: file.content.decode() for file in generate(backend_input)}


@cache
def harmless() -> Mapping[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        files = compiled(Path(folder), {})
    assert files is not None
    return files


@cache
def harmless_parts(compare: Callable[[str], object], path: str) -> object:
    """What a function finds in a file of the harmless output."""
    return compare(harmless()[path])


def shape(module: str) -> str:
    """The syntax tree of a module without the contents of its texts."""
    tree = parsed(module)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


def outline(module: str) -> list[str]:
    """What a module is made of: its functions, classes and assignments, and the members of classes."""
    tree = parsed(module)
    inner = [statement for node in tree.body if isinstance(node, ast.ClassDef) for statement in node.body]
    return [type(node).__name__ for node in (*tree.body, *inner) if not isinstance(node, ast.Import | ast.ImportFrom)]


def parsed(module: str) -> ast.Module:
    """The syntax tree of a module, in which every identifier is one, and none is of the hostile code."""
    tree = ast.parse(module)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) or (isinstance(node, ast.alias) and node.name == "*"):
            continue
        for _, value in ast.iter_fields(node):
            for part in value.split(".") if isinstance(value, str) else ():
                assert part.isidentifier() and part.isascii() and not keyword.iskeyword(part), value
                assert part not in ("__import__", "pathlib", "touch"), value
    return tree


PROTO_TOKEN = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|[A-Za-z_][A-Za-z0-9_.]*|[0-9]+|[{}\[\]()<>;=,.-]|\s+')


def proto_shape(text: str) -> list[str]:
    """The tokens of a `.proto` file without comments, spaces and contents of strings; all of it must be tokens."""
    tokens: list[str] = []
    position = 0
    while position < len(text):
        match = PROTO_TOKEN.match(text, position)
        assert match is not None, text[position : position + 40]
        position = match.end()
        if not match[0].isspace() and not match[0].startswith("//"):
            tokens.append('""' if match[0].startswith('"') else match[0])
    return tokens


def proto_outline(text: str) -> list[str]:
    """The messages of a `.proto` file."""
    return [token for token in proto_shape(text) if token in ("message", "{", "}")]


PATH = re.compile(r"(?:[A-Za-z0-9_]+/)*[A-Za-z0-9_]+(?:\.(?:py|pyi|proto|typed|json|md)|-timeline\.svg)")


def check_files(files: Mapping[str, str], places: Collection[str]) -> None:
    """Hold the output against that of the harmless spec."""
    assert all(PATH.fullmatch(path) for path in files), sorted(files)
    assert len({path.lower() for path in files}) == len(files)
    if not {"folder", "version"}.isdisjoint(places):
        assert sorted(map(len, outlines(files))) == harmless_outlines()
        return
    renamed = dict(zip(sorted(files.keys() - harmless().keys()), sorted(harmless().keys() - files.keys()), strict=True))
    assert "kind" in places or not renamed  # the generated tests of a kind are named by it
    names_differ = not IDENTIFIERS.isdisjoint(places)
    for path, text in files.items():
        counterpart = renamed.get(path, path)
        if text == harmless()[counterpart]:
            continue
        assert all(line.isprintable() for line in text.split("\n")), path
        if path.endswith((".json", ".md", ".svg")):
            check_document(path, text)
            continue
        if path.endswith(".proto"):
            compare: Callable[[str], object] = proto_outline if names_differ else proto_shape
        else:
            compare = outline if names_differ or path.startswith("tests/") else shape
        assert compare(text) == harmless_parts(compare, counterpart), path


def check_document(path: str, text: str) -> None:
    """What is no code: schemas are JSON, pictures hold nothing but shapes and text, and pages let no tag in."""
    if path.endswith(".json"):
        json.loads(text)
    elif path.endswith(".svg"):
        found = {(element.tag, *sorted(element.attrib)) for element in ElementTree.fromstring(text).iter()}
        tags = {tag.rpartition("}")[2] for tag, *_ in found}
        assert tags <= SHAPES, path
        assert not any(name.startswith("on") or "href" in name for _, *names in found for name in names), path
    else:
        bare = re.sub(r"(`+).*?\1", "", text)
        assert not re.search(r"(?<!\\)<(?!!-- Generated by apigen)", bare), path


SHAPES = {"svg", "title", "desc", "style", "g", "rect", "line", "text", "path"}


@cache
def harmless_outlines() -> list[int]:
    """The lengths of the outlines of the harmless output, sorted."""
    return sorted(map(len, outlines(harmless())))


def outlines(files: Mapping[str, str]) -> list[list[str]]:
    return [outline(text) for path, text in files.items() if path.endswith((".py", ".pyi")) and "runtime/" not in path]


def run(text: str, *places: str) -> Mapping[str, str] | None:
    """Compile with a text at some places and check what comes out; None where it is rejected."""
    with tempfile.TemporaryDirectory() as folder:
        files = compiled(Path(folder, "specs"), dict.fromkeys(places, text))
    if files is not None:
        check_files(files, places)
    return files


def faults_of(texts: Collection[str], *places: str) -> list[str]:
    """What went wrong with each text: a traceback, or output that is not harmless."""
    found = []
    for text in texts:
        try:
            run(text, *places)
        except Exception as error:
            found.append(f"{text[:60]!r}: {type(error).__name__}: {str(error)[:300]}")
    return found


@pytest.fixture(autouse=True, scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing of a spec is executed: the hostile code would leave a file."""
    folder = tmp_path_factory.mktemp("hostile")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(folder)
        yield
    assert list(folder.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("place", sorted(HARMLESS.keys() - set(LITERALS)))
def test_every_hostile_string_at_every_path(place: str) -> None:
    texts = [*TEXT_LIKE, *NAME_LIKE] if place in IDENTIFIERS else TEXT_LIKE
    if place.endswith("in a path"):
        texts = [text for text in texts if text]  # `list[]` is each element
    if place == "group":
        texts = [text for text in texts if text]  # the core group of Kubernetes has no table of required fields
    faults = faults_of(share(texts, 4, of=place), place)
    assert not faults, "\n".join(faults)


@pytest.mark.slow(one_in=16)
def test_every_hostile_string_at_free_text_paths() -> None:
    """Docs, reasons, defaults and the like take every text that is not blank and that a file can hold."""
    texts = [text for text in FRAGMENTS if text.strip() and text != "\ud800"]
    faults = faults_of(texts, *LITERALS)
    assert not faults, "\n".join(faults)
    everything = "a".join(texts)
    assert run(everything, *LITERALS) is not None


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(place=st.sampled_from(sorted(HARMLESS)), text=TEXTS)
def test_random_string_at_random_path(place: str, text: str) -> None:
    assume(not (place.startswith("doc") and text.isspace()))  # says nothing: there is no docstring then
    run(text, place)
