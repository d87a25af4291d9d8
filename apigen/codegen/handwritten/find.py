"""Find hand-written functions by exact name and signature: they are parsed, never imported.

    <folder>/<group package>/<version>/conversions.py   frobber_to_hub(source, generated), frobber_from_hub(hub, generated)
                                                        both may have a third parameter, `context`
    <folder>/<group package>/<version>/defaults.py      default_frobber(obj, features)
    <folder>/<group package>/<version>/validation.py    validate_frobber(obj, path, options)

A function whose name has one of these forms but names no type, or whose parameters are wrong, is an error.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Report
from apigen.ir.generated_modules import package_name
from apigen.ir.graphs import reached
from apigen.ir.hand_written import HandWritten, HandWrittenFunction, ModuleName, Role
from apigen.ir.model import Api, Group, Version
from apigen.ir.second_hubs import chosen_hub
from apigen.ir.types import TypeId

_IDENTIFIERS = ("id", "attr", "arg", "name", "asname", "rest")
"""The attributes of nodes with one name."""


def queried_gates(
    functions: Iterable[HandWrittenFunction], folder: Path, known: Container[str]
) -> frozenset[str] | None:
    """Return the `known` gates that are named in strings of the functions, or of code that they use.

    None if a module is not valid Python: the caller that copies modules reports the errors.
    """
    needed_by_module: dict[ModuleName, set[str]] = defaultdict(set)
    for function in functions:
        needed_by_module[function.relative_module].add(function.name)
    modules: dict[ModuleName, tuple[_Statement, ...]] = {}
    waiting, texts = list(needed_by_module), set[str]()
    while waiting:
        name = waiting.pop()
        try:
            module = modules[name] = modules.get(name) or _statements(folder / name.path)
        except (SyntaxError, ValueError, OSError, RecursionError, MemoryError):
            return None
        needed = _needed_names(module, needed_by_module[name])
        for statement in module:
            if statement.defined and needed.isdisjoint(statement.defined):
                continue
            texts |= statement.texts
            for other, names in statement.imported(folder.name, needed):
                if (folder / other.path).is_file() and not needed_by_module[other].issuperset(names):
                    needed_by_module[other].update(names)
                    waiting.append(other)
    return frozenset(text for text in texts if text in known)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement at the top of a module: the names that it defines, those that it uses, and the strings in it."""

    node: ast.stmt
    defined: frozenset[str]
    used: frozenset[str]
    texts: frozenset[str]

    def imported(self, package: str, needed: Container[str]) -> Iterator[tuple[ModuleName, tuple[str, ...]]]:
        """Yield the needed names that it imports from other hand-written modules, by module."""
        if isinstance(self.node, ast.ImportFrom) and self.node.module is not None and not self.node.level:
            match self.node.module.split("."):
                case [first, group, version, helper] if first == package:
                    aliases = (each for each in self.node.names if (each.asname or each.name) in needed)
                    names = tuple(alias.name for alias in aliases)
                    yield ModuleName(group, version, helper), names


def _statements(path: Path) -> tuple[_Statement, ...]:
    return tuple(_statement(node) for node in ast.parse(path.read_text(encoding="utf-8")).body)


def _statement(node: ast.stmt) -> _Statement:
    below = list(ast.walk(node))
    texts = frozenset(each.value for each in below if isinstance(each, ast.Constant) and isinstance(each.value, str))
    is_import = isinstance(node, ast.Import | ast.ImportFrom)
    used = frozenset() if is_import else frozenset(name for each in below for name in _names(each))
    return _Statement(node, frozenset(_defined(node)), used, texts)


def _needed_names(module: tuple[_Statement, ...], keep: Iterable[str]) -> frozenset[str]:
    """All names that functions lead to."""
    uses: dict[str, set[str]] = {}
    always: set[str] = set()
    for statement in module:
        for name in statement.defined:
            uses.setdefault(name, set()).update(statement.used)
        if not statement.defined:
            always |= statement.used
    return reached((*keep, *always), lambda name: uses.get(name, ()))


def _defined(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign():
            yield from (name for target in node.targets for each in ast.walk(target) for name in _names(each))
        case ast.AnnAssign():
            yield from (name for each in ast.walk(node.target) for name in _names(each))
        case ast.Import() | ast.ImportFrom():
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names if alias.name != "*")


def _names(node: ast.AST) -> Iterator[str]:
    for attribute in _IDENTIFIERS:
        name = getattr(node, attribute, None)
        if isinstance(name, str):
            yield name
    if isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names


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
        with_context = (*self.parameters, CONTEXT) if self.module == "conversions" else self.parameters
        return parameters in (self.parameters, with_context)

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
    known = {feature.name for feature in api.features}
    gates_in_strings = queried_gates(functions.values(), folder, known) if copied_from is None else None
    if gates_in_strings is not None:
        return HandWritten(functions, gates=gates_in_strings)
    from apigen.codegen.handwritten.copying import copies_of  # LibCST is loaded only when there is something to copy
    from apigen.codegen.handwritten.modules import named_gates, needed_modules

    modules = needed_modules(functions.values(), folder, display_path, report)
    gates = named_gates(modules.values(), known)
    if copied_from is None:
        return HandWritten(functions, gates=gates)
    copied = {key: replace(function, copy=function.relative_module.copy) for key, function in functions.items()}
    return HandWritten(copied, dict(copies_of(modules, folder.name, copied_from, report)), gates)


def _functions_of(
    folder: Path, display_path: str, api: Api, group: Group, version: Version, report: Report
) -> Iterator[HandWrittenFunction]:
    """Yield the functions of a version. Error AG0509: defaults of a version without defaults."""
    structs = {s.snake_name: s.id for s in api.structs(group.folder, version.name)}
    faces = {h.snake_name: h.face for s in api.structs(group.folder, version.name) for h in s.second_hubs}
    for struct in api.structs(group.folder, version.name):
        chosen = filter(None, (chosen_hub(field, group.folder) for field in struct.fields))
        faces |= {name: face for face, name in chosen}
    for name in dict.fromkeys(form.module for form in FORMS):
        module = ModuleName(package_name(group.folder), version.name, name)
        path = folder / module.path
        if not path.is_file():
            continue
        forms = tuple(form for form in FORMS if form.module == name)
        written = _functions(path, f"{display_path}/{module.path}", report)
        for function, form, id_ in _matched(written, forms, structs, faces, report):
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
    faces: Mapping[str, TypeId],
    report: Report,
) -> Iterator[tuple[_Function, _Form, TypeId]]:
    by_name = {form.name(snake): (form, id_) for form in forms for snake, id_ in structs.items()}
    for form in forms:
        if form.module == "conversions":  # a type that is seen as one of a second hub is converted, no more
            by_name |= {form.name(snake): (form, id_) for snake, id_ in faces.items()}
    for function in functions:
        match = by_name.get(function.name)
        if match is None:
            _report_near_miss(function, forms, by_name, report)
        elif not match[0].accepts(function.parameters):
            expected = ", ".join(match[0].parameters)
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
    try:
        data = path.read_bytes()
        lines = data.decode("utf-8").split("\n")
        statements = ast.parse(data).body
    except (SyntaxError, ValueError, OSError, RecursionError, MemoryError) as error:
        # LibCST has better messages, but is slow to load
        from apigen.codegen.handwritten.modules import parsed

        if parsed(path, display_path, report) is not None:
            report.error("AG0803", Place(display_path), f"this is no Python: {error}")
        return
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = statement.args
            every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            column = lines[statement.lineno - 1].find(statement.name, len("def "))
            place = Place(display_path, statement.lineno, column + 1)
            yield _Function(statement.name, tuple(argument.arg for argument in every), place)
