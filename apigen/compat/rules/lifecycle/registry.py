"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.lifecycle.default_differs_between_versions import DefaultDiffersBetweenVersions
from apigen.compat.rules.lifecycle.field_in_some_versions_only import FieldInSomeVersionsOnly
from apigen.compat.rules.lifecycle.group_added import GroupAdded
from apigen.compat.rules.lifecycle.group_removed import GroupRemoved
from apigen.compat.rules.lifecycle.kind_added import KindAdded
from apigen.compat.rules.lifecycle.kind_names_changed import KindNamesChanged
from apigen.compat.rules.lifecycle.kind_removed import KindRemoved
from apigen.compat.rules.lifecycle.preferred_advanced_too_early import PreferredAdvancedTooEarly
from apigen.compat.rules.lifecycle.preferred_version_moved import PreferredVersionMoved
from apigen.compat.rules.lifecycle.printer_column_removed import PrinterColumnRemoved
from apigen.compat.rules.lifecycle.replacement_is_less_stable import ReplacementIsLessStable
from apigen.compat.rules.lifecycle.scope_changed import ScopeChanged
from apigen.compat.rules.lifecycle.selectable_field_removed import SelectableFieldRemoved
from apigen.compat.rules.lifecycle.short_names_changed import ShortNamesChanged
from apigen.compat.rules.lifecycle.stable_refers_to_unstable import StableRefersToUnstable
from apigen.compat.rules.lifecycle.storage_advanced_too_early import StorageAdvancedTooEarly
from apigen.compat.rules.lifecycle.storage_moved_to_less_stable import StorageMovedToLessStable
from apigen.compat.rules.lifecycle.storage_version_moved import StorageVersionMoved
from apigen.compat.rules.lifecycle.stored_version_removed import StoredVersionRemoved
from apigen.compat.rules.lifecycle.subresource_added import SubresourceAdded
from apigen.compat.rules.lifecycle.subresource_removed import SubresourceRemoved
from apigen.compat.rules.lifecycle.type_added import TypeAdded
from apigen.compat.rules.lifecycle.type_differs_between_versions import TypeDiffersBetweenVersions
from apigen.compat.rules.lifecycle.type_removed import TypeRemoved
from apigen.compat.rules.lifecycle.validation_differs_between_versions import ValidationDiffersBetweenVersions
from apigen.compat.rules.lifecycle.version_added import VersionAdded
from apigen.compat.rules.lifecycle.version_removed import VersionRemoved
from apigen.compat.rules.rule import Rule

LIFECYCLE_RULES: tuple[Rule, ...] = (
    GroupRemoved(),
    GroupAdded(),
    StoredVersionRemoved(),
    VersionRemoved(),
    VersionAdded(),
    KindRemoved(),
    KindAdded(),
    KindNamesChanged(),
    ShortNamesChanged(),
    ScopeChanged(),
    StorageAdvancedTooEarly(),
    StorageMovedToLessStable(),
    StorageVersionMoved(),
    PreferredAdvancedTooEarly(),
    PreferredVersionMoved(),
    SubresourceRemoved(),
    SubresourceAdded(),
    SelectableFieldRemoved(),
    PrinterColumnRemoved(),
    TypeRemoved(),
    TypeAdded(),
    ReplacementIsLessStable(),
    StableRefersToUnstable(),
    FieldInSomeVersionsOnly(),
    TypeDiffersBetweenVersions(),
    DefaultDiffersBetweenVersions(),
    ValidationDiffersBetweenVersions(),
)
