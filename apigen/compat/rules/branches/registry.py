"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.branches.annotation_changed import AnnotationChanged
from apigen.compat.rules.rule import Rule

BRANCHES_RULES: tuple[Rule, ...] = (AnnotationChanged(),)
