"""Keys that types, fields and values share."""

from __future__ import annotations

from apigen.spec.context import Context
from apigen.spec.keys import Key
from apigen.spec.model import Located
from apigen.spec.nodes import Scalar
from apigen.spec.readers import gates
from apigen.spec.shapes import map_of
from apigen.spec.words import REASON, TEXT, TextShape


def _acknowledged(code: Scalar, reason: Located[str], _: Context) -> tuple[Located[str], Located[str]]:
    return Located(code.text, code.place), reason


HUB_TYPE_NAME = TextShape(
    "the name of a type of the hub, such as `Frobber` or `apps/hub.Deployment`",
    r"(?:[A-Za-z0-9][A-Za-z0-9.-]*/hub\.)?[A-Za-z_][A-Za-z0-9_]*",
)
"""How a type or kind names what it is in the hub."""

SECOND_HUB_NAME = TextShape(
    "a type of another group's hub, such as `apps/hub.ReplicaSet`",
    r"[A-Za-z0-9][A-Za-z0-9.-]*/hub\.[A-Za-z_][A-Za-z0-9_]*",
)
"""How a type names what it is in a hub besides its own."""

DOC = Key("doc", TEXT, "What it is; the first sentence is its summary.")
PY_NAME = Key("pyName", TEXT, "Its name in Python, where the derived one is not wanted.")
HUB = Key("hub", HUB_TYPE_NAME, "The type in the hub, where it has another name or group.")
FEATURE_GATE = Key("featureGate", gates.FEATURE_GATE, "The feature gate that it belongs to.")
IGNORE = Key(
    "ignore",
    map_of(REASON, _acknowledged, "a mapping of codes to reasons"),
    "Findings that are acknowledged here: the code of each, and why.",
)
