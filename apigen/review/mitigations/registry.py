"""The mitigations that are evaluated for every rule about a change, in addition to its own."""

from __future__ import annotations

from apigen.review.mitigations.gates import GateDisabled
from apigen.review.mitigations.hand_written_validation import HandWrittenValidation
from apigen.review.mitigations.mitigation import Mitigation
from apigen.review.mitigations.unreachable import Unreachable
from apigen.review.mitigations.whole_schema import WholeSchema

COMMON: tuple[Mitigation, ...] = (GateDisabled(), Unreachable(), HandWrittenValidation(), WholeSchema())
