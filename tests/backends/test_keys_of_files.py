"""What goes with the files of groups, so that a later run knows them again."""

from __future__ import annotations

from collections.abc import Callable

from apigen.backends.registry import backend_of, chosen
from apigen.compilation import Worded, no_words
from apigen.dataclass import replace
from tests import this_project


class _Sizes:
    """Notes for each file how long what backends say of other groups is; makes none."""

    def __init__(self) -> None:
        self.by_path: dict[str, int] = {}

    def text(
        self, path: str, package: str, make: Callable[[], str], besides: tuple[object, ...], words: Worded = no_words
    ) -> bytes:
        if package:
            self.by_path[path] = len(repr(besides))
        return b"-"


def test_calls_of_strategies_go_with_files_by_a_key() -> None:
    """The names of what all groups call, with each file of each group, would cost the square of the groups."""
    sizes = _Sizes()
    compilation = replace(this_project.compilation(), known=sizes)
    for name in chosen(None):
        list(backend_of(name)(compilation))
    strategies = [
        size for path, size in sizes.by_path.items() if path.endswith(("strategies.py", "strategy.py", "gates.py"))
    ]
    assert len(strategies) > 10
    assert max(strategies) < 100
