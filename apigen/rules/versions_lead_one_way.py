"""Versions do not refer to each other in a circle."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics.quoting import quote
from apigen.ir.model import Field, Struct
from apigen.ir.version_graph import messages_in
from apigen.rules.rule import Finding, Rule, Surroundings


class VersionsLeadOneWay(Rule):
    """A `.proto` file cannot import one that imports it. (Protocol Buffers language guide, "Importing definitions")"""

    code = "AG1110"

    def check_field(self, field: Field, struct: Struct, around: Surroundings) -> Iterator[Finding]:
        here = (struct.id.group, struct.id.version)
        for message in messages_in(field.type):
            there = (message.group, message.version)
            if there != here and here in around.below.get(there, ()):
                yield Finding(
                    field.place,
                    f"{quote(field.json_name)} leads to {'/'.join(there)}, which leads back to {'/'.join(here)}:"
                    " protoc refuses files that import each other",
                    "move what both use into one of them, or into a version of its own",
                )
