"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.rule import Rule
from apigen.compat.rules.tombstones.born_deprecated import BornDeprecated
from apigen.compat.rules.tombstones.deprecated import Deprecated
from apigen.compat.rules.tombstones.deprecated_and_required import DeprecatedAndRequired
from apigen.compat.rules.tombstones.deprecated_without_end import DeprecatedWithoutEnd
from apigen.compat.rules.tombstones.introduced_changed import IntroducedChanged
from apigen.compat.rules.tombstones.migration_unsaid import MigrationUnsaid
from apigen.compat.rules.tombstones.past_due import PastDue
from apigen.compat.rules.tombstones.removal_announced import RemovalAnnounced
from apigen.compat.rules.tombstones.removal_before_window import RemovalBeforeWindow
from apigen.compat.rules.tombstones.removal_moved_earlier import RemovalMovedEarlier
from apigen.compat.rules.tombstones.replacement_changed import ReplacementChanged
from apigen.compat.rules.tombstones.tombstone_added import TombstoneAdded
from apigen.compat.rules.tombstones.tombstone_incomplete import TombstoneIncomplete
from apigen.compat.rules.tombstones.tombstone_removed import TombstoneRemoved
from apigen.compat.rules.tombstones.tombstone_returned import TombstoneReturned
from apigen.compat.rules.tombstones.tombstone_reused import TombstoneReused
from apigen.compat.rules.tombstones.undeprecated import Undeprecated

TOMBSTONES_RULES: tuple[Rule, ...] = (
    TombstoneReturned(),
    TombstoneReused(),
    TombstoneRemoved(),
    TombstoneAdded(),
    MigrationUnsaid(),
    Deprecated(),
    Undeprecated(),
    RemovalMovedEarlier(),
    RemovalAnnounced(),
    ReplacementChanged(),
    IntroducedChanged(),
    TombstoneIncomplete(),
    RemovalBeforeWindow(),
    DeprecatedWithoutEnd(),
    DeprecatedAndRequired(),
    BornDeprecated(),
    PastDue(),
)
