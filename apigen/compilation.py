"""What every backend is given: the resolved API, its hubs and how the output is laid out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apigen.handwritten.model import HandWritten
from apigen.history.model import History
from apigen.history.rollback import Rollback
from apigen.hub.model import HubModel
from apigen.ir.model import Api, TypeDef
from apigen.ir.types import TypeId


@dataclass(frozen=True, slots=True)
class Compilation:
    """Everything a backend may read. `api.types` are those of versions, `types` has the hub's besides.

    `rollback` is the step back to the newest recorded release; None where none was recorded. `history` are the releases
    before the one in the making.
    """

    api: Api
    hub: HubModel
    types: Mapping[TypeId, TypeDef]
    hand_written: HandWritten = field(default_factory=HandWritten)
    rollback: Rollback | None = None
    history: History = field(default_factory=History)
