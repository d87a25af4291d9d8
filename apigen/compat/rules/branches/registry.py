"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.branches.schema_annotation_changed import schema_annotation_changed
from apigen.compat.rules.rule import Rule

BRANCHES_RULES: tuple[Rule, ...] = (schema_annotation_changed,)
