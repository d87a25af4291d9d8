"""Hand-written modules that become part of the output: their imports, and what is left of them."""

from __future__ import annotations

import ast

from apigen.handwritten.copying import Origin, copied_text, helpers_of

ORIGIN = Origin("handwritten", "generated")
TEXT = """\
from __future__ import annotations

from handwritten.things.v1.helpers import (
    IDLE,
    USED,
    Reader,
)
from generated.things.v1 import types

FACTOR = 2


def default_thing(obj: types.Thing, features: object) -> None:
    obj.size = FACTOR * USED


def default_other(obj: types.Other, features: object) -> None:
    obj.reader = Reader(IDLE)
"""


def test_imports_over_several_lines_stay_imports() -> None:
    """Parentheses stay, whichever names go."""
    for keep in ({"default_thing"}, {"default_other"}, {"default_thing", "default_other"}):
        imports = [node for node in ast.parse(copied_text(TEXT, ORIGIN, keep)).body if isinstance(node, ast.ImportFrom)]
        assert [(node.level, node.module) for node in imports] == [
            (0, "__future__"),
            (3, "things.v1.hand_written_helpers"),
            (3, "things.v1"),
        ]


def test_only_what_is_used_is_copied() -> None:
    copied = copied_text(TEXT, ORIGIN, {"default_thing"})
    assert "FACTOR" in copied and "USED" in copied
    assert "default_other" not in copied and "IDLE" not in copied and "Reader" not in copied
    (helper,) = (h for h in helpers_of(TEXT, ORIGIN, {"default_thing"}))
    assert (helper.group, helper.version, helper.module, helper.names) == ("things", "v1", "helpers", ("USED",))
