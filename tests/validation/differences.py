"""The page that compares validation with that of Kubernetes, written from the tested cases."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from tests.validation.case_files import RESULTS, Case, CaseFile, case_files

WIDTH = 125

INTRODUCTION = """\
<!-- Made by `make docs`. Do not edit. -->

# Validation compared with Kubernetes'

Kubernetes generates validation from markers in Go (`+k8s:…`, "declarative validation", enforced since 1.36). apigen generates it
from the constraints of the spec language, with the same errors and the same ratcheting: unchanged values are not validated on an
update. This page lists all markers and rules, with each difference and its reason. All of them except the omitted ones have cases in
the tests, with the errors that Kubernetes' generated code (1.37) returns.

Validation runs once, on the hub, and error paths are those of the version that the hub follows; Kubernetes validates the version of the
request.
"""


def page() -> str:
    """The whole page."""
    files = case_files()
    counts = {result: sum(file.result == result for file in files) for result in RESULTS}
    parts = [INTRODUCTION, f"Of {len(files)} rules, {counts['same']} are the same, {counts['different']} differ in "]
    parts[-1] += f"part, and {counts['omitted']} are omitted.\n"
    parts.append("\n".join(_table(files)) + "\n")
    parts.append("## Differences\n")
    parts += [_section(file) for file in files if file.result != "same"]
    return "\n".join(parts)


def _table(files: list[CaseFile]) -> Iterator[str]:
    yield "| Kubernetes | stability | here | |"
    yield "|---|---|---|---|"
    for file in sorted(files, key=lambda f: (f.name.startswith("ratcheting"), not f.kubernetes.startswith("+"))):
        yield f"| {_code(file.kubernetes)} | {file.stability} | {_cell(file.ours)} | {file.result} |"


def _code(name: str) -> str:
    return f"`{_cell(name)}`" if name.startswith("+") else _cell(name)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _section(file: CaseFile) -> str:
    title = f"### {_code(file.kubernetes) if file.kubernetes.startswith('+') else file.kubernetes}"
    paragraphs = [title.replace("\\|", "|"), _filled(file.does), _filled(file.why)]
    differing = [case for case in file.cases if list(case.errors) != list(case.kubernetes)]
    paragraphs += map(_example, differing)
    return "\n\n".join(paragraphs) + "\n"


def _filled(text: str) -> str:
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _example(case: Case) -> str:
    here = [error for error in case.errors if error not in case.kubernetes]
    there = [error for error in case.kubernetes if error not in case.errors]
    lines = [f"* {case.says}:"]
    lines += [f"  here `{error}`" for error in here] or ["  here no error"]
    lines[-1] += ";"
    lines += [f"  in Kubernetes `{error}`" for error in there] or ["  in Kubernetes no error"]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page(), end="")
