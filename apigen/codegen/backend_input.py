"""The input of every backend: the resolved API, its hubs, and settings of the output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from apigen.dataclass import dataclass, field
from apigen.history.model import History
from apigen.history.rollback import Rollback
from apigen.hub.steps import HubModel
from apigen.ir.hand_written import HandWritten
from apigen.ir.model import Api, TypeDef, TypeId
from apigen.ir.series import Releases
from apigen.language.configuration import CrdSettings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Compilation:
    """The input of backends. `api.types` are the types of versions, `types` also has those of hubs.

    `rollback` is the rollback to the newest recorded release; None without recorded releases. `history` are the
    previous releases. `releases` are those that the package emulates by default, by series; without any they follow
    from the API itself. `own` are the folders of the project's own groups, `crd` is the configuration of CRD
    manifests.
    """

    api: Api
    hub: HubModel
    types: Mapping[TypeId, TypeDef]
    hand_written: HandWritten = field(default_factory=HandWritten)
    rollback: Rollback | None = None
    history: History = field(default_factory=History)
    releases: Releases = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    crd: CrdSettings = CrdSettings()
    _found: dict[Callable[[Compilation], object], object] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def once(self, find: Callable[[Compilation], T]) -> T:
        """Return the result of `find` for this compilation: computed on the first call, and then cached."""
        if find not in self._found:
            self._found[find] = find(self)
        return cast(T, self._found[find])
