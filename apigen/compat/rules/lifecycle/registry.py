"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.lifecycle.default_differs_between_versions import default_differs_between_versions
from apigen.compat.rules.lifecycle.field_in_some_versions_only import field_in_some_versions_only
from apigen.compat.rules.lifecycle.group_added import group_added
from apigen.compat.rules.lifecycle.group_removed import group_removed
from apigen.compat.rules.lifecycle.kind_added import kind_added
from apigen.compat.rules.lifecycle.kind_names_changed import kind_names_changed
from apigen.compat.rules.lifecycle.kind_removed import kind_removed
from apigen.compat.rules.lifecycle.preferred_advanced_too_early import preferred_advanced_too_early
from apigen.compat.rules.lifecycle.preferred_version_moved import preferred_version_moved
from apigen.compat.rules.lifecycle.printer_column_removed import printer_column_removed
from apigen.compat.rules.lifecycle.replacement_is_less_stable import replacement_is_less_stable
from apigen.compat.rules.lifecycle.scope_changed import scope_changed
from apigen.compat.rules.lifecycle.selectable_field_removed import selectable_field_removed
from apigen.compat.rules.lifecycle.short_names_changed import short_names_changed
from apigen.compat.rules.lifecycle.stable_refers_to_unstable import stable_refers_to_unstable
from apigen.compat.rules.lifecycle.storage_advanced_too_early import storage_advanced_too_early
from apigen.compat.rules.lifecycle.storage_moved_to_less_stable import storage_moved_to_less_stable
from apigen.compat.rules.lifecycle.storage_version_moved import storage_version_moved
from apigen.compat.rules.lifecycle.stored_version_removed import stored_version_removed
from apigen.compat.rules.lifecycle.strategy_changed import strategy_changed
from apigen.compat.rules.lifecycle.subresource_added import subresource_added
from apigen.compat.rules.lifecycle.subresource_removed import subresource_removed
from apigen.compat.rules.lifecycle.type_added import type_added
from apigen.compat.rules.lifecycle.type_differs_between_versions import type_differs_between_versions
from apigen.compat.rules.lifecycle.type_meta_changed import type_meta_changed
from apigen.compat.rules.lifecycle.type_removed import type_removed
from apigen.compat.rules.lifecycle.validation_differs_between_versions import validation_differs_between_versions
from apigen.compat.rules.lifecycle.version_added import version_added
from apigen.compat.rules.lifecycle.version_removed import version_removed
from apigen.compat.rules.rule import Rule

LIFECYCLE_RULES: tuple[Rule, ...] = (
    group_removed,
    group_added,
    stored_version_removed,
    version_removed,
    version_added,
    kind_removed,
    kind_added,
    kind_names_changed,
    short_names_changed,
    strategy_changed,
    type_meta_changed,
    scope_changed,
    storage_advanced_too_early,
    storage_moved_to_less_stable,
    storage_version_moved,
    preferred_advanced_too_early,
    preferred_version_moved,
    subresource_removed,
    subresource_added,
    selectable_field_removed,
    printer_column_removed,
    type_removed,
    type_added,
    replacement_is_less_stable,
    stable_refers_to_unstable,
    field_in_some_versions_only,
    type_differs_between_versions,
    default_differs_between_versions,
    validation_differs_between_versions,
)
