"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.fields.embedding_changed import embedding_changed
from apigen.compat.rules.fields.field_added import field_added
from apigen.compat.rules.fields.field_added_required import field_added_required
from apigen.compat.rules.fields.field_added_required_in_new_parent import field_added_required_in_new_parent
from apigen.compat.rules.fields.field_order_changed import field_order_changed
from apigen.compat.rules.fields.field_removed import field_removed
from apigen.compat.rules.fields.field_removed_with_tombstone import field_removed_with_tombstone
from apigen.compat.rules.fields.field_renamed import field_renamed
from apigen.compat.rules.fields.unknown_fields_closed import unknown_fields_closed
from apigen.compat.rules.fields.unknown_fields_opened import unknown_fields_opened
from apigen.compat.rules.presence.required_with_default_added import required_with_default_added
from apigen.compat.rules.rule import Rule

FIELDS_RULES: tuple[Rule, ...] = (
    field_renamed,
    field_added_required_in_new_parent,
    field_added_required,
    required_with_default_added,
    field_added,
    field_removed_with_tombstone,
    field_removed,
    embedding_changed,
    unknown_fields_opened,
    unknown_fields_closed,
    field_order_changed,
)
