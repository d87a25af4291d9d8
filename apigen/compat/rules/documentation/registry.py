"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.documentation.description_changed import description_changed
from apigen.compat.rules.documentation.promise_changed import promise_changed
from apigen.compat.rules.rule import Rule

DOCUMENTATION_RULES: tuple[Rule, ...] = (
    promise_changed,
    description_changed,
)
