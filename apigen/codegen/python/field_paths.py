"""Places that plain names lead to, as Python expressions: `obj.spec.template`, guarded where a parent may be `None`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apigen.codegen.python.source_text import literal
from apigen.ir.field_paths import FieldPath, optional_parents
from apigen.ir.model import Field
from apigen.ir.places import BoundStep, FieldStep, IndexStep, InlineStep, KeyStep


def attribute(root: str, path: FieldPath) -> str:
    """The path as an expression."""
    return ".".join((root, *(f.py_name for f in path)))


def present(root: str, paths: Iterable[FieldPath]) -> list[str]:
    """Return expressions that are true if the values at these paths are not `None`."""
    return [f"{attribute(root, path)} is not None" for path in paths]


def guards_of(root: str, path: FieldPath) -> list[str]:
    """Return expressions that are true if no parent of a path is `None`."""
    return present(root, optional_parents(path))


def read_at(root: str, path: FieldPath, otherwise: str) -> str:
    """Return the expression of the value at a place, or `otherwise` if one of its parents is `None`."""
    value, tests = attribute(root, path), guards_of(root, path)
    return f"({value} if {' and '.join(tests)} else {otherwise})" if tests else value


def item_key(item: str, keys: Sequence[Field]) -> str:
    """Return the expression of an element's identity: its key, or a tuple of its keys."""
    parts = [f"{item}.{key.py_name}" for key in keys]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def value_at(root: str, steps: Iterable[BoundStep]) -> str:
    """The value at the end of steps that lead to one place. Raises ValueError for steps to several places."""
    for step in steps:
        match step:
            case FieldStep(field):
                root = f"{root}.{field.py_name}"
            case KeyStep(at) | IndexStep(at):
                root = f"{root}[{literal(at)}]"
            case InlineStep():
                pass
            case _:
                raise ValueError(f"{step} leads to several places")
    return root
