"""Paths of values in an object, as Kubernetes writes them: `spec.rules[2].host`, `metadata.labels[app]`."""

from __future__ import annotations


class FieldPath:
    """A path that grows by one step at a time and costs nothing until it is printed. `FieldPath()` is the object itself."""

    __slots__ = ("_parent", "_step")

    def __init__(self, parent: FieldPath | None = None, step: str = "") -> None:
        self._parent = parent
        self._step = step

    def child(self, name: str) -> FieldPath:
        """The field `name`."""
        return FieldPath(self, f".{name}")

    def index(self, index: int) -> FieldPath:
        """The element at `index` of a list."""
        return FieldPath(self, f"[{index}]")

    def key(self, key: str) -> FieldPath:
        """The value of `key` in a map."""
        return FieldPath(self, f"[{key}]")

    def __str__(self) -> str:
        steps = []
        path: FieldPath | None = self
        while path is not None:
            steps.append(path._step)
            path = path._parent
        return "".join(reversed(steps)).removeprefix(".")

    def __repr__(self) -> str:
        return f"FieldPath({str(self)!r})"


ROOT = FieldPath()
"""The object itself."""
