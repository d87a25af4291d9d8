"""The Frobber in both of its versions, in the form of the records of Kubernetes."""

from __future__ import annotations

from typing import Any

from tests.kubernetes.records import Conversion, Defaulting

V6 = "things.example.com/v6"
V7 = "things.example.com/v7alpha1"

COMMON: dict[str, Any] = {
    "kind": "Frobber",
    "restartPolicy": "Never",
    "template": {"labels": {"shape": "round"}, "width": 5},
}
IN_V6: dict[str, Any] = {
    **COMMON,
    "apiVersion": V6,
    "metadata": {
        "name": "f",
        "annotations": {
            "things.example.com/owner": '{"name":"Ann","email":"ann@example.com"}',
            "things.example.com/max-per-hour": "7",
        },
    },
    "height": 3,
    "param": "doors",
    "width": 2,
    "status": {"frobs": 11, "measuredWidth": 2},
    "knobs": [{"name": "left", "position": 1, "width": 4}, {"name": "right", "position": 2}],
}
IN_V7: dict[str, Any] = {
    **COMMON,
    "apiVersion": V7,
    "metadata": {"name": "f"},
    "size": {"height": 3, "width": 2},
    "frobs": "doors",
    "status": {"frobCount": 11, "measuredWidth": 2},
    "knobs": {"left": {"position": 1, "width": 4}, "right": {"position": 2}},
    "owner": {"name": "Ann", "email": "ann@example.com"},
    "limits": {"maxPerHour": 7},
}
LITTLE_IN_V6: dict[str, Any] = {
    "kind": "Frobber",
    "apiVersion": V6,
    "metadata": {"name": "f"},
    "height": 0,
    "param": "",
    "restartPolicy": "",
    "status": {},
}
LITTLE_IN_V7: dict[str, Any] = {
    "kind": "Frobber",
    "apiVersion": V7,
    "metadata": {"name": "f"},
    "size": {"height": 0},
    "frobs": "",
    "restartPolicy": "",
    "status": {},
    "limits": {},
}

CONVERSIONS = (
    Conversion("Frobber", V6, V7, "full", "1", IN_V6, IN_V7),
    Conversion("Frobber", V7, V6, "full", "1", IN_V7, IN_V6),
    Conversion("Frobber", V6, V6, "full", "1", IN_V6, IN_V6),
    Conversion("Frobber", V7, V7, "full", "1", IN_V7, IN_V7),
    Conversion("Frobber", V6, V7, "minimal", "1", LITTLE_IN_V6, LITTLE_IN_V7),
    Conversion("Frobber", V7, V6, "minimal", "1", LITTLE_IN_V7, LITTLE_IN_V6),
)
DEFAULTINGS = (
    Defaulting("Frobber", V6, "1", LITTLE_IN_V6, {**LITTLE_IN_V6, "restartPolicy": "Always"}),
    Defaulting("Frobber", V7, "1", LITTLE_IN_V7, {**LITTLE_IN_V7, "restartPolicy": "Always"}),
    Defaulting("Frobber", V6, "2", IN_V6, IN_V6),
    Defaulting("Frobber", V7, "2", IN_V7, IN_V7),
)
