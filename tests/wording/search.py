"""Search texts for the phrases of `phrases.yaml`.

Searched are prose of Markdown (without code, and without tables that are copied from records), templates without Jinja
expressions, and in Python docstrings, comments and string literals of more than two words.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.yaml_files import read_yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PHRASES: Mapping[str, str] = read_yaml((HERE / "phrases.yaml").read_text(encoding="utf-8"))
COUNTS = HERE / "counts.yaml"

GENERATED = {"keys.md", "diagnostics.md", "command-line.md", "configuration.md"}
"""Pages of `docs/reference`, next to those of the rules, whose texts are those of apigen, which are searched there."""
AREAS = {
    "apigen": ("apigen/**/*.py", "apigen/**/*.md"),
    "templates": ("templates/**/*.jinja",),
    "benchmarks": ("benchmarks/**/*.py", "benchmarks/**/*.md"),
    "tests": ("tests/**/*.py", "tests/records/*.md"),
    "changelog": ("CHANGELOG.md", "CONTRIBUTING.md"),
}
"""Areas that are counted as one: their counts may only fall. In the README and `docs/`, each page is counted."""

_NOT_PROSE = re.compile(
    r"^ *```.*?^ *```$|<!-- (?:table|made): .*?<!-- end -->|<!--.*?-->|`[^`\n]*`|\]\([^)]*\)|https?://\S+"
    r"|\{\{.*?\}\}|\{%.*?%\}",
    re.DOTALL | re.MULTILINE,
)

_CODE = re.compile(r"`[^`\n]*`")


@dataclass(frozen=True, slots=True)
class Found:
    """A phrase at a line of a file, and what to write instead."""

    path: Path
    line: int
    phrase: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.phrase!r}: write {self.instead}"


def pages() -> list[Path]:
    """Return the pages that are counted one by one."""
    docs = (
        path
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if path.name not in GENERATED and path.parent.name != "rules"
    )
    return [ROOT / "README.md", *docs]


def files(area: str) -> list[Path]:
    """Return the files of an area."""
    found = {path for pattern in AREAS[area] for path in ROOT.glob(pattern)}
    return sorted(path for path in found if HERE not in path.parents and not {"cases", "data"} & set(path.parts))


def search(path: Path) -> list[Found]:
    """Return the phrases in a file, by line."""
    text = path.read_text(encoding="utf-8")
    found = []
    for line, prose in _python(text) if path.suffix == ".py" else _prose(text):
        for match in _pattern().finditer(prose):
            instead = next(PHRASES[phrase] for phrase in PHRASES if re.fullmatch(phrase, match[0], re.IGNORECASE))
            found.append(Found(path, line + prose.count("\n", 0, match.start()), match[0], instead))
    return sorted(found, key=lambda each: each.line)


def counts() -> dict[str, int]:
    """Return how many phrases each page and area has, without those that have none."""
    found = Counter({area: sum(len(search(path)) for path in files(area)) for area in AREAS})
    found.update({str(path.relative_to(ROOT)): len(search(path)) for path in pages()})
    return {name: count for name, count in sorted(found.items()) if count}


def kept_counts() -> dict[str, int]:
    """Return the counts that must not be exceeded."""
    return dict(read_yaml(COUNTS.read_text(encoding="utf-8")) or {})


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(PHRASES)})\b", re.IGNORECASE)


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """The text with everything else replaced by as many lines, so that lines keep their numbers."""
    yield 1, _NOT_PROSE.sub(lambda found: "·" + "\n" * found[0].count("\n"), text)


def _python(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], _CODE.sub("·", token.string)
    tree = ast.parse(text)
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from _words(
                node, "".join(str(part.value) if isinstance(part, ast.Constant) else "·" for part in node.values)
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield from _words(node, node.value)


def _words(node: ast.expr, text: str) -> Iterator[tuple[int, str]]:
    if len(text.split()) > 2:
        yield node.lineno, _CODE.sub("·", text)
