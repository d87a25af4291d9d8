"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.rule import Rule

TOMBSTONES_RULES: tuple[Rule, ...] = ()
