"""What every backend is given: the resolved API, its hubs and how the output is laid out."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Protocol, TypeVar, cast

from apigen.dataclass import dataclass, field, replace
from apigen.handwritten.model import HandWritten
from apigen.history.model import History
from apigen.history.rollback import Rollback
from apigen.hub.model import HubModel
from apigen.ir.model import Api, TypeDef
from apigen.ir.series import Releases
from apigen.ir.types import TypeId

T = TypeVar("T")

Worded = Callable[[], Container[TypeId]]
"""The types of which a file repeats the words: their documentation, and that of their fields and values."""


def no_words() -> Container[TypeId]:
    """A file that would be the same if nothing of the API were documented."""
    return ()


class Known(Protocol):
    """What earlier runs made of the same."""

    def text(
        self, path: str, package: str, make: Callable[[], str], besides: tuple[object, ...], words: Worded = no_words
    ) -> bytes:
        """The content of a file of a group's output, made if it is not known; empty if there is no such file.

        The group goes by its package. Its files follow from what its types lead to, from the kinds that its hub has,
        from all that is the same for all groups, and from `besides`: what backends found out about other groups. A file of
        no group (an empty `package`) follows from `besides` alone. Whoever repeats `words` says whose.
        """
        ...


class Nothing:
    """Nothing was made before."""

    def text(
        self, path: str, package: str, make: Callable[[], str], besides: tuple[object, ...], words: Worded = no_words
    ) -> bytes:
        """The content, made."""
        return make().encode()


@dataclass(frozen=True, slots=True)
class Compilation:
    """Everything a backend may read. `api.types` are those of versions, `types` has the hub's besides.

    `rollback` is the step back to the newest recorded release; None where none was recorded. `history` are the releases
    before the one in the making. `releases` are those that the package emulates by default, by series; without any they follow
    from the API itself. `known` may spare making files of groups that nothing has changed for.
    `is_read`: people read the output, so that its lines are laid out; what is run once and thrown away is not.
    """

    api: Api
    hub: HubModel
    types: Mapping[TypeId, TypeDef]
    hand_written: HandWritten = field(default_factory=HandWritten)
    rollback: Rollback | None = None
    history: History = field(default_factory=History)
    releases: Releases = field(default_factory=dict)
    known: Known = field(default_factory=Nothing)
    is_read: bool = True
    _found: dict[Callable[[Compilation], object], object] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def told(self, find: Callable[[Compilation], T], found: T) -> Compilation:
        """The same, told what `find` would make of it."""
        other = replace(self)
        other._found.update(self._found)
        other._found[find] = found
        return other

    def once(self, find: Callable[[Compilation], T]) -> T:
        """What `find` makes of this compilation: made when it is first asked for, and shared by all who ask."""
        if find not in self._found:
            self._found[find] = find(self)
        return cast(T, self._found[find])
