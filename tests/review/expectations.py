"""Rewrites the `expect:` of a case in the file of its rule; all other text of the file keeps its bytes."""

from __future__ import annotations

import sys
import textwrap
from typing import Any

import yaml

from tests.review.cases import Case

if sys.platform != "win32":
    import fcntl

KEY = "expect"


def expect(case: Case, found: list[dict[str, Any]]) -> None:
    """Write findings to the file of a case. The lock is for workers of pytest that rewrite other cases of the same file."""
    with case.file.open("r+", encoding="utf-8", newline="") as file:
        if sys.platform != "win32":
            fcntl.flock(file, fcntl.LOCK_EX)
        text = with_expectation(file.read(), case.label, found)
        file.seek(0)
        file.write(text)
        file.truncate()


def with_expectation(text: str, label: str, found: list[dict[str, Any]]) -> str:
    """The text of a file of cases with the findings as `expect:` of one case, which is added if the case has none."""
    case = _value(yaml.compose(text, yaml.SafeLoader), label)
    assert isinstance(case, yaml.MappingNode), f"the file has no case {label}"
    assert not case.flow_style, f"case {label} is not in block style"
    key = next((key for key, _ in case.value if key.value == KEY), None)
    end = _end(text, case if key is None else _value(case, KEY))
    start = end if key is None else text.rindex("\n", 0, key.start_mark.index) + 1
    newline = "" if text[:start].endswith("\n") else "\n"
    return f"{text[:start]}{newline}{_block(found)}{text[end:]}"


def _block(found: list[dict[str, Any]]) -> str:
    if not found:
        return f"  {KEY}: []\n"
    dumped = yaml.safe_dump(found, sort_keys=False, allow_unicode=True, width=150)
    return f"  {KEY}:\n{textwrap.indent(dumped, '    ')}"


def _value(node: yaml.Node | None, name: str) -> yaml.Node | None:
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((value for key, value in pairs if key.value == name), None)


def _end(text: str, node: yaml.Node | None) -> int:
    """The end of the last line of a node. The end mark of a block collection comes after the comments that follow it."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(node, yaml.MappingNode) else last
    assert node is not None
    if node.end_mark.column == 0:
        return len(text[: node.end_mark.index].rstrip("\n")) + 1
    return text.find("\n", node.end_mark.index) + 1 or len(text)
