"""AG05xx: fields: presence, defaults, constraints, gates."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = ()
