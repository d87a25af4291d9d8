"""Read the sources of Go API packages into the model, without a Go toolchain.

The report has the location of unreadable code, and of types that an API cannot contain, such as generic types and
channels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.files.regular_files import read_regular
from apigen.inputs.go.evaluation import Evaluator
from apigen.inputs.go.model import GoKind, GoPackage, GoTypeDeclaration
from apigen.inputs.go.packages import ParsedPackage, build_package, parse_package
from apigen.inputs.go.roots import (
    HEAD_BYTES,
    GoRoot,
    find_folder,
    go_files,
    has_go_files,
    is_all_generated,
    package_clause,
    versioned_packages,
)
from apigen.inputs.go.syntax import load_parser
from apigen.inputs.go.types import QUALIFIED, base_names
from apigen.runtime.gc import gc_paused

if TYPE_CHECKING:
    from tree_sitter import Parser


def read_packages(
    roots: Sequence[GoRoot], report: Report, *, packages: Iterable[str] | None = None
) -> tuple[GoPackage, ...]:
    """Return the packages of some roots, by root and path, followed by the packages to which they refer.

    Packages whose path ends in a version are read, in roots that are not references; or those of `packages`, by
    import path or by folder below a root. A type of another package is followed if the package is in the roots, and its
    package is returned with `referred` set.
    """
    parser = load_parser(report)
    if parser is None:
        return ()
    with gc_paused():
        run = _Run(tuple(roots), report, parser)
        parsed = [package for path in _requested_paths(run, packages) if (package := _checked(path, run)) is not None]
        referred = _referred(parsed, run)
        evaluator = Evaluator(run.package)
        built = [build_package(package, evaluator, report, referred=False) for package in parsed]
        return (*built, *(build_package(package, evaluator, Report(), referred=True) for package in referred))


@dataclass(slots=True)
class _Run:
    """The packages of one run, each parsed on first use. Errors are reported only for requested packages."""

    roots: tuple[GoRoot, ...]
    report: Report
    parser: Parser
    requested: set[str] = field(default_factory=set)
    _packages: dict[str, ParsedPackage | None] = field(default_factory=dict)
    _clauses: dict[str, str | None] = field(default_factory=dict)

    def package(self, path: str) -> ParsedPackage | None:
        """Return a package by its import path; None if no root contains it."""
        if path not in self._packages:
            found = find_folder(path, self.roots)
            report = self.report if path in self.requested else Report()
            self._packages[path] = (
                None if found is None else parse_package(path, *found, report, self.parser, self.clause)
            )
        return self._packages[path]

    def clause(self, path: str) -> str | None:
        """Return the name in the package clause, without parsing the files."""
        if path not in self._clauses:
            found = find_folder(path, self.roots)
            self._clauses[path] = None if found is None else _clause(found[1])
        return self._clauses[path]


def _clause(folder: Path) -> str | None:
    """Return the name in the first package clause of a folder, including packages with only generated files."""
    with suppress(OSError):
        files = (path for path in go_files(folder, generated=True) if path.is_file())
        names = (package_clause(read_regular(path, HEAD_BYTES)) for path in files)
        return next((name for name in names if name not in (None, "main")), None)
    return None


def _requested_paths(run: _Run, packages: Iterable[str] | None) -> list[str]:
    """The import paths to read, each of which some root has."""
    roots = [root for root in run.roots if not root.is_reference]
    if packages is None:
        paths = []
        for root in roots:
            paths_of_root = [path for path in versioned_packages(root, run.report) if _has_files(path, run)]
            if not paths_of_root:
                hint = "packages of an API are in folders such as v1 and v1beta2"
                run.report.error("AG1205", Place(root.display_path), "no Go package of an API found", hint=hint)
            paths += paths_of_root
    else:
        paths = [path for name in packages if (path := _named(name, roots, run.report)) is not None]
    run.requested.update(paths)
    return list(dict.fromkeys(paths))


def _checked(path: str, run: _Run) -> ParsedPackage | None:
    """Return a requested package; report an error if it cannot be read."""
    errors = run.report.error_count
    package = run.package(path)
    if package is None and run.report.error_count == errors:
        run.report.error("AG1205", Place(path), "it has no importable package")
    return package


def _has_files(path: str, run: _Run) -> bool:
    """Return whether a folder has Go sources that are not generated."""
    found = find_folder(path, run.roots)
    return found is not None and has_go_files(found[1]) and not is_all_generated(found[1])


def _named(name: str, roots: Sequence[GoRoot], report: Report) -> str | None:
    """The import path of a package that is named by it, or by its folder below a root."""
    below = name.removeprefix("./").rstrip("/")
    candidates = [name.rstrip("/"), *(f"{root.path}/{below}" for root in roots)]
    for candidate in candidates:
        found = find_folder(candidate, roots)
        if found is not None and has_go_files(found[1]):
            return candidate
    hint = "pass its import path, or its folder below one of the folders that apigen reads"
    place = Place(roots[0].display_path if roots else name)
    report.error("AG1205", place, f"Go package {quote(name)} not found", hint=hint)
    return None


def _referred(parsed: Sequence[ParsedPackage], run: _Run) -> list[ParsedPackage]:
    """The other packages that have types which those of these packages lead to, in order of path."""
    todo = [(package.path, type_) for package in parsed for type_ in package.types]
    seen = {(path, type_.go) for path, type_ in todo}
    packages_by_path: dict[str, ParsedPackage] = {}
    own = {package.path for package in parsed}
    while todo:
        path, type_ = todo.pop()
        for other, name in _references(type_, path):
            if (other, name) in seen:
                continue
            seen.add((other, name))
            package = run.package(other)
            target = None if package is None else package.type(name)
            if package is not None and target is not None:
                todo.append((other, target))
                if other not in own:
                    packages_by_path[other] = package
    return [packages_by_path[path] for path in sorted(packages_by_path)]


def _references(type_: GoTypeDeclaration, path: str) -> Iterator[tuple[str, str]]:
    """The types that a type names, by package and name."""
    named = type_.used_types if type_.kind is not GoKind.FUNC else ()
    for name in (name for each in named for name in base_names(each.resolved)):
        qualified = QUALIFIED.fullmatch(name)
        if qualified is not None:
            yield qualified[1], qualified[2]
        elif name.isidentifier():
            yield path, name
