"""Hand-written functions that become part of the output: their modules are copied, with imports made relative.

Functions of built-in APIs, and functions that a project publishes together with its API, cannot import the output by a
fixed name. A copy contains the functions that the output calls and the code that they use; no code is executed while
copying.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import libcst as cst
from libcst.helpers import get_full_name_for_node_or_raise

from apigen.codegen.handwritten.needed_code import NeededCode, TopStatement
from apigen.codegen.python.source_text import HEADER
from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.ir.hand_written import ModuleName
from apigen.ir.names import Module

_Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
_DEPTH = 3  # dots from a version's module to the root of the output


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of copies: their folder as a package, the name by which they import the output, and all copied
    modules.
    """

    package: str
    generated: str
    modules: Container[ModuleName]


class CannotBeCopied(Exception):
    """An import that cannot be made relative; the message has the import and the fix."""


def copies_of(
    needed: Mapping[ModuleName, NeededCode], folder: Path, display_path: str, generated: str, report: Report
) -> Iterator[tuple[Module, str]]:
    """The place and the text of each copy. Errors: AG0803 a module that LibCST cannot read although Python can, AG0805 an
    import that cannot be made relative.
    """
    origin = Origin(folder.name, generated, needed)
    for name, code in needed.items():
        try:
            yield name.copy, copied_text(cst.parse_module((folder / name.path).read_text("utf-8")), code, origin)
        except (cst.ParserSyntaxError, OSError, RecursionError) as error:
            report.error("AG0803", Place(f"{display_path}/{name.path}"), f"LibCST cannot read it: {error}")
        except CannotBeCopied as error:
            report.error("AG0805", Place(f"{folder.name}/{name.path}"), str(error))


def copied_text(module: cst.Module, code: NeededCode, origin: Origin) -> str:
    """Return the text of the copy of a module in a version's package of the output: its needed code.

    Raises CannotBeCopied.
    """
    body, statements = [], iter(code.statements)
    for each in module.body:
        own = list(islice(statements, len(each.body) if isinstance(each, cst.SimpleStatementLine) else 1))
        if code.needs(name for statement in own for name in statement.defined):
            body.append(_copied(each, own, code, origin))
    return f"{HEADER}\n{module.with_changes(body=body).code}"


def _copied(each: _Statement, own: list[TopStatement], code: NeededCode, origin: Origin) -> _Statement:
    """Return a statement with only the needed names of its imports, which are relative."""
    if not isinstance(each, cst.SimpleStatementLine):
        return each
    pruned = (_pruned(small, code) if top.defined else small for small, top in zip(each.body, own, strict=True))
    return each.with_changes(body=[_relative(small, origin) for small in pruned])


def _pruned(statement: cst.BaseSmallStatement, code: NeededCode) -> cst.BaseSmallStatement:
    """Return an import without unused names; other statements are unchanged."""
    if not isinstance(statement, cst.Import | cst.ImportFrom) or isinstance(statement.names, cst.ImportStar):
        return statement
    bound = ((alias, alias.evaluated_alias or alias.evaluated_name.partition(".")[0]) for alias in statement.names)
    kept = [alias for alias, name in bound if name in code.names]
    kept[-1:] = [alias.with_changes(comma=cst.MaybeSentinel.DEFAULT) for alias in kept[-1:]]
    return statement.with_changes(names=kept)


def _relative(statement: cst.BaseSmallStatement, origin: Origin) -> cst.BaseSmallStatement:
    if isinstance(statement, cst.ImportFrom) and not statement.relative and statement.module is not None:
        target = _target(get_full_name_for_node_or_raise(statement.module), origin)
        if target is None:
            return statement
        return _from(target, statement.names).with_changes(lpar=statement.lpar, rpar=statement.rpar)
    if isinstance(statement, cst.Import):
        targets = [(alias, _target(alias.evaluated_name, origin)) for alias in statement.names]
        if all(target is None for _, target in targets):
            return statement
        alias, target = targets[0]
        if len(targets) > 1 or alias.asname is None or not target:
            raise CannotBeCopied(
                f"`import {alias.evaluated_name}` cannot be made relative: write `from … import …` instead"
            )
        return _from(target[:-1], [alias.with_changes(name=cst.Name(target[-1]))])
    return statement


def _target(name: str, origin: Origin) -> list[str] | None:
    """Return the path of a module of the output, or of a copy, below the output's root; None for other modules."""
    inside = _below(name, origin.generated)
    if inside is not None:
        return inside
    match _below(name, origin.package):
        case None:
            return None
        case [group, version, module] if ModuleName(group, version, module) in origin.modules:
            return [*ModuleName(group, version, module).copy.parts]
        case _:
            raise CannotBeCopied(f"`{name}` is no module of a version: import names from one that is")


def _from(target: Sequence[str], names: Sequence[cst.ImportAlias] | cst.ImportStar) -> cst.ImportFrom:
    module: cst.Name | cst.Attribute | None = None
    for part in target:
        module = cst.Name(part) if module is None else cst.Attribute(module, cst.Name(part))
    space = cst.SimpleWhitespace(" ")
    return cst.ImportFrom(module, names, relative=[cst.Dot()] * _DEPTH, whitespace_before_import=space)


def _below(name: str, package: str) -> list[str] | None:
    """The parts of a module's name behind that of a package; None if it is elsewhere."""
    if name == package:
        return []
    return name.removeprefix(f"{package}.").split(".") if name.startswith(f"{package}.") else None
