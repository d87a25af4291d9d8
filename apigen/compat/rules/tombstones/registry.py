"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.rule import Rule
from apigen.compat.rules.tombstones.born_deprecated import born_deprecated
from apigen.compat.rules.tombstones.deprecated import deprecated
from apigen.compat.rules.tombstones.deprecated_and_required import deprecated_and_required
from apigen.compat.rules.tombstones.deprecated_without_end import deprecated_without_end
from apigen.compat.rules.tombstones.introduced_changed import introduced_changed
from apigen.compat.rules.tombstones.introduction_reached import introduction_reached
from apigen.compat.rules.tombstones.migration_unsaid import migration_unsaid
from apigen.compat.rules.tombstones.past_due import past_due
from apigen.compat.rules.tombstones.removal_announced import removal_announced
from apigen.compat.rules.tombstones.removal_before_window import removal_before_window
from apigen.compat.rules.tombstones.removal_moved_earlier import removal_moved_earlier
from apigen.compat.rules.tombstones.replacement_changed import replacement_changed
from apigen.compat.rules.tombstones.tombstone_added import tombstone_added
from apigen.compat.rules.tombstones.tombstone_incomplete import tombstone_incomplete
from apigen.compat.rules.tombstones.tombstone_removed import tombstone_removed
from apigen.compat.rules.tombstones.tombstone_returned import tombstone_returned
from apigen.compat.rules.tombstones.tombstone_reused import tombstone_reused
from apigen.compat.rules.tombstones.undeprecated import undeprecated

TOMBSTONES_RULES: tuple[Rule, ...] = (
    tombstone_returned,
    tombstone_reused,
    tombstone_removed,
    tombstone_added,
    migration_unsaid,
    deprecated,
    undeprecated,
    removal_moved_earlier,
    removal_announced,
    replacement_changed,
    introduced_changed,
    tombstone_incomplete,
    removal_before_window,
    deprecated_without_end,
    deprecated_and_required,
    born_deprecated,
    past_due,
    introduction_reached,
)
