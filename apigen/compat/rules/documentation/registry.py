"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.documentation.description_changed import DescriptionChanged
from apigen.compat.rules.documentation.promise_changed import PromiseChanged
from apigen.compat.rules.rule import Rule

DOCUMENTATION_RULES: tuple[Rule, ...] = (PromiseChanged(), DescriptionChanged())
