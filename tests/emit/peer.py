"""Black, asked about single statements at some depth."""

from __future__ import annotations

import black

INDENT = "    "


def black_line(statement: str, depth: int, mode: black.Mode) -> str:
    """What Black makes of a statement, or a header, that is indented by `depth`; the first line comes without indentation."""
    before, after, depth = _surroundings(statement, depth)
    lines = [*before, INDENT * depth + statement, *after]
    formatted = black.format_str("\n".join(lines) + "\n", mode=mode).split("\n")[:-1]
    inner = formatted[len(before) : len(formatted) - len(after)]
    return "\n".join(_without_blank_ends(inner))[len(INDENT) * depth :]


def depth_of(statement: str, depth: int) -> int:
    """The depth at which the statement stands after all: a `case` stands within a `match`."""
    return _surroundings(statement, depth)[2]


def _surroundings(statement: str, depth: int) -> tuple[list[str], list[str], int]:
    """Lines before and after that make a module of the statement."""
    indent = INDENT * depth
    before = [f"{INDENT * level}if 1:" for level in range(depth)]
    after: list[str] = []
    code = statement.partition("  #")[0]
    if code.startswith("elif"):
        before += [f"{indent}if 1:", f"{indent}{INDENT}pass"]
    elif code.startswith("except"):
        before += [f"{indent}try:", f"{indent}{INDENT}pass"]
    elif code.startswith("case") and code.endswith(":"):
        before.append(f"{indent}match 1:")
        depth += 1
    elif code.startswith("@"):
        after += [f"{indent}def f():", f"{indent}{INDENT}pass"]
    if code.startswith("match") and code.endswith(":"):
        after += [f"{indent}{INDENT}case 1:", f"{indent}{INDENT * 2}pass"]
    elif code.endswith(":"):
        after.append(f"{INDENT * (depth + 1)}pass")
    return before, after, depth


def _without_blank_ends(lines: list[str]) -> list[str]:
    while lines and not lines[0]:
        lines = lines[1:]
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines
