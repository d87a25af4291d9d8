"""The files of a new project: an API with two versions as a starting point."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.rendering import render
from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.files.whole_file import check_target, write_whole
from apigen.ir.api_names import group_problem, kind_problem, list_kind_problem
from apigen.ir.names import is_type_name, package_name
from apigen.runtime.errors import with_article

_HARMLESS = re.compile(r"\..*|README(\..*)?|LICEN[CS]E(\..*)?", re.IGNORECASE)

_FILES = {
    "apigen.toml": "apigen.toml.jinja",
    "Makefile": "Makefile.jinja",
    "api-specs/{group}/group.yaml": "group.yaml.jinja",
    "api-specs/{group}/v1beta1.yaml": "v1beta1.yaml.jinja",
    "api-specs/{group}/v1.yaml": "v1.yaml.jinja",
    "examples/{singular}.yaml": "example.yaml.jinja",
    "try.py": "try.py.jinja",
}
"""Path in the project -> template."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The group and the first kind of a new project. Raises ValueError if one of the names is invalid."""

    group: str
    kind: str

    def __post_init__(self) -> None:
        for problem in (group_problem(self.group), kind_problem(self.kind), list_kind_problem(self.kind)):
            if problem is not None:
                raise ValueError(f"{problem.message}; {problem.fix}")
        if "." not in self.group:
            raise ValueError(f"the group {quote(self.group)} has no dot; write a domain such as `things.example.com`")
        if not is_type_name(self.kind):
            raise ValueError(f"the kind {quote(self.kind)} is not a class name; write a name such as `Widget`")


def skeleton(subject: Subject) -> Iterator[OutputFile]:
    """Return the files of a new project."""
    a_kind = with_article(subject.kind)
    names = {
        "group": subject.group,
        "package": package_name(subject.group),
        "kind": subject.kind,
        "a_kind": a_kind,
        "kind_doc": f"{a_kind[0].upper()}{a_kind[1:]}.",
        "singular": subject.kind.lower(),
        "plural": _plural(subject.kind.lower()),
    }
    for path, template in _FILES.items():
        yield text_file(path.format(**names), render(f"skeleton/{template}", **names))


def write_skeleton(folder: Path, display_path: str, subject: Subject, report: Report) -> tuple[str, ...] | None:
    """Write a new project into a folder, which is created if necessary; returns the paths of its files.

    `None`, with a diagnostic (AG0930), if the folder is a file or not empty. Raises OSError if it cannot be written.
    """
    present = sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
    in_the_way = [name for name in present if not _HARMLESS.fullmatch(name)]
    if in_the_way or (folder.exists() and not folder.is_dir()):
        listed = ", ".join(quote(name) for name in in_the_way[:3])
        obstacle = f"the folder is not empty: it contains {listed}" if in_the_way else "a file, not a folder"
        more = f" and {len(in_the_way) - 3} more" if len(in_the_way) > 3 else ""
        hint = "create the project in an empty folder: `apigen init my-api`"
        report.error("AG0930", Place(display_path), f"{obstacle}{more}", hint=hint)
        return None
    written = tuple(skeleton(subject))
    for file in written:
        path = folder / file.path
        check_target(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, file.content)
    return tuple(file.path for file in written)


def _plural(word: str) -> str:
    """Return the regular English plural; group.yaml can declare another one."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in set("aeiou"):
        return f"{word[:-1]}ies"
    return f"{word}s"
