"""The mitigations that are considered for every rule about a change, besides its own."""

from __future__ import annotations

from apigen.compat.mitigations.gate_off import GateOff
from apigen.compat.mitigations.known_by_hand import KnownByHand
from apigen.compat.mitigations.mitigation import Mitigation
from apigen.compat.mitigations.unreachable import Unreachable
from apigen.compat.mitigations.whole_schema import WholeSchema

COMMON: tuple[Mitigation, ...] = (GateOff(), Unreachable(), KnownByHand(), WholeSchema())
