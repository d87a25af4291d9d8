"""Places that plain names lead to, as expressions: `obj.spec.template`, guarded where a parent may be absent."""

from __future__ import annotations

from apigen.ir.model import Field
from apigen.ir.places import BoundPath, BoundStep, FieldStep, InlineStep

Steps = tuple[BoundStep, ...]


def last_field(path: BoundPath) -> Field:
    """The field at the end of a path. ValueError if it does not end at one."""
    if path.field is None:
        raise ValueError(f"{path.text} does not end at a field")
    return path.field


def chain(root: str, steps: Steps) -> str:
    """The attribute that a path of plain names leads to."""
    names = []
    for step in steps:
        match step:
            case FieldStep(member):
                names.append(member.py_name)
            case InlineStep():
                pass
            case _:
                raise ValueError("only names of fields can stand here")
    return ".".join((root, *names))


def optional_parents(steps: Steps) -> list[Steps]:
    """The parts of a path that may be absent and are not its end."""
    found = []
    for length, step in enumerate(steps[:-1], start=1):
        if isinstance(step, FieldStep) and step.field.can_be_none:
            found.append(steps[:length])
    return found


def there(root: str, parents: list[Steps]) -> str:
    """The expression that holds where none of the optional parents is absent."""
    return " and ".join(f"{chain(root, steps)} is not None" for steps in parents)


def read_at(root: str, steps: Steps, otherwise: str) -> str:
    """The value at the end of a path, or `otherwise` where a parent is absent."""
    value = chain(root, steps)
    parents = optional_parents(steps)
    return f"({value} if {there(root, parents)} else {otherwise})" if parents else value
