"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.presence.became_optional import BecameOptional
from apigen.compat.rules.presence.became_required import BecameRequired
from apigen.compat.rules.presence.empty_collapse_changed import EmptyCollapseChanged
from apigen.compat.rules.presence.omit_empty_added import OmitEmptyAdded
from apigen.compat.rules.presence.omit_empty_removed import OmitEmptyRemoved
from apigen.compat.rules.presence.pointer_added import PointerAdded
from apigen.compat.rules.presence.pointer_removed import PointerRemoved
from apigen.compat.rules.presence.zero_value_invalid import ZeroValueInvalid
from apigen.compat.rules.rule import Rule

PRESENCE_RULES: tuple[Rule, ...] = (
    EmptyCollapseChanged(),
    PointerAdded(),
    PointerRemoved(),
    OmitEmptyAdded(),
    OmitEmptyRemoved(),
    BecameRequired(),
    BecameOptional(),
    ZeroValueInvalid(),
)
