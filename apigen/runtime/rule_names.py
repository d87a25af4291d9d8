"""The names of fields for rules: the path at which an error is reported, and names that CEL reserves."""

from __future__ import annotations

import re
from functools import cache

from .field_paths import FieldPath

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

_PATH_STEP = re.compile(r"\.([^.\[\]']+)|\['((?:\\.|[^'\\])*)'\]")
_ESCAPE = re.compile(r"\\(.)")


def below(path: FieldPath, field_path: str) -> FieldPath:
    """The place that a rule's `fieldPath` names."""
    for name, key in path_steps(field_path):
        path = path.child(name) if name else path.key(key)
    return path


def path_steps(field_path: str) -> Iterator[tuple[str, str]]:
    """The steps of a `fieldPath`: a name (`.name`) or a key (`['key']`). ValueError for anything else."""
    at = 0
    while at < len(field_path):
        step = _PATH_STEP.match(field_path, at)
        if step is None:
            raise ValueError(f"expected `.name` or `['key']` at {field_path[at:]!r}")
        at = step.end()
        yield (step[1] or "", _ESCAPE.sub(r"\1", step[2] or ""))


RESERVED: Final = frozenset(
    "true false null in as break const continue else for function if import let loop"
    " package namespace return var void while".split()
)
"""The words of CEL that no field can be called by."""

_ESCAPES: Final = {
    "__": "__underscores__",
    ".": "__dot__",
    "-": "__dash__",
    "/": "__slash__",
}


@cache
def escaped(name: str) -> str:
    """Return the name of a field in rules: `self.__namespace__`, `self.x__dash__y`."""
    if name in RESERVED:
        return f"__{name}__"
    return re.sub(r"__|[.\-/]", lambda found: _ESCAPES[found[0]], name)
