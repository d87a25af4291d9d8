"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.branches.alternative_added import AlternativeAdded
from apigen.compat.rules.branches.alternative_removed import AlternativeRemoved
from apigen.compat.rules.branches.annotation_changed import AnnotationChanged
from apigen.compat.rules.branches.condition_added import ConditionAdded
from apigen.compat.rules.branches.condition_removed import ConditionRemoved
from apigen.compat.rules.rule import Rule

BRANCHES_RULES: tuple[Rule, ...] = (
    AlternativeAdded(),
    AlternativeRemoved(),
    ConditionAdded(),
    ConditionRemoved(),
    AnnotationChanged(),
)
