"""Find hand-written functions by exact name and signature: they are parsed, never imported.

    <folder>/<group package>/<version>/conversions.py   frobber_to_hub(source, generated), frobber_from_hub(hub, generated)
                                                        both may have a third parameter, `context`
    <folder>/<group package>/<version>/defaults.py      default_frobber(obj, features)
    <folder>/<group package>/<version>/validation.py    validate_frobber(obj, path, options)

A function whose name has one of these forms but names no type, or whose parameters are wrong, is an error, and so is a folder
whose group or version is no longer in the specs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from apigen.codegen.handwritten.needed_code import needed_code, top_statements
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Related, Report
from apigen.ir.api_names import version_problem
from apigen.ir.groups import chosen_hub
from apigen.ir.hand_written import HandWritten, HandWrittenFunction, ModuleName, Role
from apigen.ir.model import Api, Group, TypeId, Version
from apigen.ir.names import package_name
from apigen.language.load import builtin_apis_folder

CONTEXT = "context"
"""The parameter of conversions with the context of the caller."""


@dataclass(frozen=True, slots=True)
class _Form:
    """The form of a hand-written function: its name and its parameters."""

    role: Role
    module: str
    prefix: str
    suffix: str
    parameters: tuple[str, ...]

    def accepts(self, parameters: tuple[str, ...]) -> bool:
        """Return whether a function may have these parameters; those of conversions may be followed by `context`."""
        return parameters == self.expected(parameters)

    def expected(self, parameters: tuple[str, ...]) -> tuple[str, ...]:
        """Return the right parameters of a function that has these; one that has `context` keeps it."""
        takes_context = self.module == "conversions" and CONTEXT in parameters
        return (*self.parameters, CONTEXT) if takes_context else self.parameters

    def name(self, snake: str) -> str:
        return f"{self.prefix}{snake}{self.suffix}"


FORMS = (
    _Form(Role.TO_HUB, "conversions", "", "_to_hub", ("source", "generated")),
    _Form(Role.FROM_HUB, "conversions", "", "_from_hub", ("hub", "generated")),
    _Form(Role.DEFAULT, "defaults", "default_", "", ("obj", "features")),
    _Form(Role.VALIDATE, "validation", "validate_", "", ("obj", "path", "options")),
)


@dataclass(frozen=True, slots=True)
class _Function:
    """A function of a module."""

    name: str
    parameters: tuple[str, ...]
    place: Place


def find_hand_written(
    folder: Path,
    api: Api,
    report: Report,
    display_path: str | None = None,
    copied_from: str | None = None,
    kept: Container[TypeId] | None = None,
    left_out: Callable[[TypeId, Role], bool] = lambda _, __: False,
) -> HandWritten:
    """Return all hand-written functions below `folder`; empty if the folder does not exist.

    With `kept`, functions for other types of the API are checked but not returned; neither are those that are
    `left_out` by type and role. `display_path` is the name of the folder in diagnostics. With `copied_from`, the name by
    which they import the output, their modules become part of it. Errors: AG0801 near misses, AG0802 wrong parameters,
    AG0803 a file that Python cannot read, AG0805 an import that a copy cannot have.
    """
    display_path = display_path or folder.name
    functions = {
        (function.type, function.role): function
        for group in api.groups
        for version in group.versions
        for function in _functions_of(folder, display_path, api, group, version, report)
        if (kept is None or function.type in kept) and not left_out(function.type, function.role)
    }
    if not functions:
        return HandWritten()
    needed = needed_code(functions.values(), folder, display_path, report)
    texts = frozenset().union(*(code.texts for code in needed.values()))
    gates = texts & {feature.name for feature in api.features}
    if copied_from is None:
        return HandWritten(functions, gates=gates)
    from apigen.codegen.handwritten.copying import copies_of  # LibCST is loaded only when there is something to copy

    copied = {key: replace(function, copy=function.relative_module.copy) for key, function in functions.items()}
    return HandWritten(copied, dict(copies_of(needed, folder, display_path, copied_from, report)), gates)


def _functions_of(
    folder: Path, display_path: str, api: Api, group: Group, version: Version, report: Report
) -> Iterator[HandWrittenFunction]:
    """Yield the functions of a version. Error AG0509: defaults of a version without defaults."""
    structs = {s.snake_name: s.id for s in api.structs(group.folder, version.name)}
    views = {h.snake_name: h.view for s in api.structs(group.folder, version.name) for h in s.second_hubs}
    for struct in api.structs(group.folder, version.name):
        chosen = filter(None, (chosen_hub(field, group.folder) for field in struct.fields))
        views |= {name: view for view, name in chosen}
    for name in dict.fromkeys(form.module for form in FORMS):
        module = ModuleName(package_name(group.folder), version.name, name)
        path = folder / module.path
        if not path.is_file():
            continue
        forms = tuple(form for form in FORMS if form.module == name)
        written = _functions(path, f"{display_path}/{module.path}", report)
        for function, form, id_ in _matched(written, forms, structs, views, report):
            if form.role is Role.DEFAULT and not version.defaulted:
                message = f"{version.name} declares `defaulted: false`, so this function is never called"
                hint = f"remove the function, or remove `defaulted: false` from {version.name} in group.yaml"
                report.error("AG0509", function.place, message, hint=hint)
            where = f"{folder.name}.{module.group}.{module.version}.{module.name}"
            takes_context = CONTEXT in function.parameters
            yield HandWrittenFunction(id_, form.role, where, function.name, function.place, takes_context=takes_context)


def _matched(
    functions: Iterator[_Function],
    forms: tuple[_Form, ...],
    structs: Mapping[str, TypeId],
    views: Mapping[str, TypeId],
    report: Report,
) -> Iterator[tuple[_Function, _Form, TypeId]]:
    by_name = {form.name(snake): (form, id_) for form in forms for snake, id_ in structs.items()}
    for form in forms:
        if form.module == "conversions":  # a type that is seen as one of a second hub is converted, no more
            by_name |= {form.name(snake): (form, id_) for snake, id_ in views.items()}
    for function in functions:
        match = by_name.get(function.name)
        if match is None:
            _report_near_miss(function, forms, by_name, report)
        elif not match[0].accepts(function.parameters):
            expected = ", ".join(match[0].expected(function.parameters))
            report.error(
                "AG0802",
                function.place,
                f"`{function.name}` has the parameters `({', '.join(function.parameters)})` instead of `({expected})`",
                hint=f"write `def {function.name}({expected})`",
            )
        else:
            yield function, *match


def _report_near_miss(
    function: _Function, forms: tuple[_Form, ...], by_name: Mapping[str, object], report: Report
) -> None:
    if function.name.startswith("_"):
        return
    looks_like = any(
        function.name.endswith(f.suffix) if f.suffix else function.name.startswith(f.prefix) for f in forms
    )
    near = get_close_matches(function.name, by_name, 1, 0.85)
    if looks_like or near:
        near = near or get_close_matches(function.name, by_name, 1)
        report.error(
            "AG0801",
            function.place,
            f"no type has a hand-written function {function.name}",
            hint=f"{f'write `{near[0]}`, or ' if near else ''}name it `_{function.name}` if it is a private helper",
        )


def _functions(path: Path, display_path: str, report: Report) -> Iterator[_Function]:
    """The functions at the top of a module."""
    statements = top_statements(path, display_path, report) or ()
    lines = path.read_text(encoding="utf-8-sig").split("\n") if statements else []
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = statement.args
            every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            column = lines[statement.lineno - 1].find(statement.name, len("def "))
            place = Place(display_path, statement.lineno, column + 1)
            yield _Function(statement.name, tuple(argument.arg for argument in every), place)


_MODULES = frozenset(f"{form.module}.py" for form in FORMS)


def check_leftovers(
    folder: Path, display_path: str, groups: Iterable[Group], own: Container[str], report: Report
) -> None:
    """Warn (AG0806) about each folder of hand-written functions that no version of the specs uses.

    `own` are the folders of the groups that the specs declare; functions of built-in APIs are not the project's.
    """
    packages = {package_name(group.folder): group for group in groups}
    builtin_apis = {package_name(group.name) for group in _folders(builtin_apis_folder())}
    for package in _folders(folder):
        group = packages.get(package.name)
        if (group is None and package.name in builtin_apis) or (group is not None and group.folder not in own):
            continue
        versions = set() if group is None else {version.name for version in group.versions}
        for version in _folders(package):
            if version.name not in versions and version_problem(version.name) is None:
                _report(version, f"{display_path}/{package.name}/{version.name}", group, report)


def _report(version: Path, display_path: str, group: Group | None, report: Report) -> None:
    modules = sorted(_MODULES & {path.name for path in version.glob("*.py")})
    if not modules:
        return
    if group is None:
        missing, tombstone = f"the specs have no group with the package `{version.parent.name}`", None
    else:
        missing = f"`{group.name}` has no version `{version.name}`"
        tombstone = next((tombstone for tombstone in group.removed_versions if tombstone.name == version.name), None)
    report.warning(
        "AG0806",
        Place(f"{display_path}/{modules[0]}"),
        f"the hand-written functions in {display_path} are never called: {missing}",
        hint=f"remove the folder: git rm -r {display_path}",
        related=[Related(tombstone.place, f"`{tombstone.name}` was removed here")] if tombstone is not None else (),
    )


def _folders(folder: Path) -> Iterator[Path]:
    """The folders in a folder, by name, without hidden ones."""
    entries = sorted(folder.iterdir()) if folder.is_dir() else ()
    return (entry for entry in entries if entry.is_dir() and not entry.name.startswith((".", "__")))
