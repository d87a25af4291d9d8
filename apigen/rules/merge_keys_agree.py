"""The two ways to merge a list go by the same key."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics.quoting import listing, quote
from apigen.ir.model import Field, Struct
from apigen.rules.rule import Finding, Rule, Surroundings


class MergeKeysAgree(Rule):
    """Server-side apply and strategic merge patch have to see the same elements."""

    code = "AG1108"

    def check_field(self, field: Field, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        key, keys = field.merge.patch_merge_key, tuple(key.value for key in field.merge.list_map_keys)
        if key is not None and keys and key.value not in keys:
            message = (
                f"patches find elements of {quote(field.json_name)} by {quote(key.value)}, appliers by {listing(keys)}"
            )
            yield Finding(key.place, message, "name a key of `listMapKeys`")
