"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.presence.became_optional import became_optional
from apigen.compat.rules.presence.became_required import became_required
from apigen.compat.rules.presence.empty_collapse_changed import empty_collapse_changed
from apigen.compat.rules.presence.omit_empty_added import omit_empty_added
from apigen.compat.rules.presence.omit_empty_removed import omit_empty_removed
from apigen.compat.rules.presence.pointer_added import pointer_added
from apigen.compat.rules.presence.pointer_removed import pointer_removed
from apigen.compat.rules.presence.zero_value_invalid import zero_value_invalid
from apigen.compat.rules.rule import Rule

PRESENCE_RULES: tuple[Rule, ...] = (
    empty_collapse_changed,
    pointer_added,
    pointer_removed,
    omit_empty_added,
    omit_empty_removed,
    became_required,
    became_optional,
    zero_value_invalid,
)
