"""The paths of members that an object has more than once, collected while a text is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from typing import Any

MAX_REPEATED = 100
"""Maximum number of paths that are reported: Kubernetes' limit."""


class RepeatedMembers:
    """Adds paths to a list, each once: `spec.ports[0].port`.

    They are kept as a tree, `{step: tree}`, and only those that are reported are written out: in a text in which deep
    objects repeat many members, all paths together are much longer than the text.
    """

    def __init__(self, paths: list[str], step: Callable[[Any], str]) -> None:
        """`step` returns, for an unfinished list or object, the step to the current value."""
        self._paths = paths
        self._step = step
        self._root: dict[str, Any] = {}
        self._open: list[dict[str, Any]] = []
        """The trees of the outermost containers, as far in as a path has been noted."""

    def note(self, outer: Sequence[object], depth: int, key: str) -> None:
        """Note a member of the innermost container: the first `depth` of `outer` are open around that one."""
        if len(self._paths) >= MAX_REPEATED:
            return
        if not self._open:
            self._open.append(self._root)
        for index in range(len(self._open) - 1, depth):
            tree = self._open[index].setdefault(self._step(outer[index]), {})
            self._open.append(tree)
        member = self._open[-1].setdefault(f".{key}", {})
        if "" not in member:
            member[""] = True
            path = "".join(map(self._step, outer[:depth])) + f".{key}"
            self._paths.append(path.removeprefix("."))

    def close(self, depth: int) -> None:
        """Forget the innermost container, which ends; that many are open around it."""
        del self._open[depth:]


def step_into(container: dict[str, object] | list[object], key: str | None) -> str:
    """Return the step to the next value: the member with a key, or the next element."""
    return f".{key}" if isinstance(container, dict) else f"[{len(container)}]"
