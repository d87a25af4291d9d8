"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.fields.embedding_changed import EmbeddingChanged
from apigen.compat.rules.fields.field_added import FieldAdded
from apigen.compat.rules.fields.field_added_required import FieldAddedRequired
from apigen.compat.rules.fields.field_added_required_in_new_parent import FieldAddedRequiredInNewParent
from apigen.compat.rules.fields.field_order_changed import FieldOrderChanged
from apigen.compat.rules.fields.field_removed import FieldRemoved
from apigen.compat.rules.fields.field_removed_with_tombstone import FieldRemovedWithTombstone
from apigen.compat.rules.fields.field_renamed import FieldRenamed
from apigen.compat.rules.fields.unknown_fields_closed import UnknownFieldsClosed
from apigen.compat.rules.fields.unknown_fields_opened import UnknownFieldsOpened
from apigen.compat.rules.presence.required_with_default_added import RequiredWithDefaultAdded
from apigen.compat.rules.rule import Rule

FIELDS_RULES: tuple[Rule, ...] = (
    FieldRenamed(),
    FieldAddedRequiredInNewParent(),
    FieldAddedRequired(),
    RequiredWithDefaultAdded(),
    FieldAdded(),
    FieldRemovedWithTombstone(),
    FieldRemoved(),
    EmbeddingChanged(),
    UnknownFieldsOpened(),
    UnknownFieldsClosed(),
    FieldOrderChanged(),
)
