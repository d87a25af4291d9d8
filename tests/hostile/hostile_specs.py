"""A small API in which every place that can hold text can be given another one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Plain = Any

HARMLESS = {
    # location: harmless text
    "doc of a type": "About it.",
    "doc of a field": "About it.",
    "doc of an enum value": "About it.",
    "doc of a gate": "About it.",
    "owner of a gate": "sig-frob",
    "reason of a tombstone": "replaced",
    "reason of a loss": "no client reads it",
    "reason of an ignored rule": "it was so",
    "default": "some",
    "default in a case": "other",
    "value of a condition": "on",
    "constant": "fixed",
    "annotation": "example.com/extra",
    "label in a path": "example.com/switch",
    "value in a path": "first",
    "pattern": "[a-z]+",
    "format": "",
    "rule": "self != ''",
    "message of a rule": "must be there",
    "replacement of a field": "text",
    "enum value": "Always",
    "renamed enum value": "Ever",
    "json name": "count",
    "name of a tombstone": "depth",
    "python name": "other_name",
    "protobuf name": "other",
    "list map key": "key",
    "type": "Part",
    "enum type": "Pick",
    "kind": "Thing",
    "plural": "things",
    "short name": "th",
    "gate": "GateA",
    "group": "things.example.com",
    "folder": "things.example.com",
    "version": "v1",
    "patch strategy": "merge",
    "selectable field": "spec.text",
}

IDENTIFIERS = frozenset(
    (
        "enum value",
        "renamed enum value",
        "json name",
        "python name",
        "protobuf name",
        "name of a tombstone",
        "list map key",
        "type",
        "enum type",
        "kind",
        "gate",
        "group",
        "folder",
        "version",
    )
)
"""Places from which names of the output are derived: there it may differ in its identifiers, too."""

LITERALS = (
    "doc of a type",
    "doc of a field",
    "doc of an enum value",
    "doc of a gate",
    "owner of a gate",
    "reason of a tombstone",
    "reason of a loss",
    "reason of an ignored rule",
    "default in a case",
    "value of a condition",
    "constant",
    "message of a rule",
)
"""Places where any text is good, so that all of them can be tried at once."""


def mark(place: str) -> str:
    assert place in HARMLESS, place
    return f"\u00ab{place}\u00bb"


M = mark

META: Plain = {
    "types": {
        "ObjectMeta": {
            "fields": {
                "name": {"type": "string", "omitEmpty": True},
                "generation": {"type": "int64", "omitEmpty": True},
                "labels": {"type": "map[string]string", "omitEmpty": True},
                "annotations": {"type": "map[string]string", "omitEmpty": True},
            }
        }
    }
}

GROUP: Plain = {
    "group": M("group"),
    "versions": {M("version"): {"introduced": "1.8", "storage": True}, "v1beta1": {"introduced": "1.7"}},
    "hub": M("version"),
    "kinds": {
        M("kind"): {
            "scope": "Namespaced",
            "plural": M("plural"),
            "shortNames": [M("short name")],
            "list": False,
            "subresources": {"status": {}},
            "selectableFields": {M("selectable field"): "text"},
        }
    },
}

FEATURES: Plain = {
    M("gate"): {
        "owner": M("owner of a gate"),
        "doc": M("doc of a gate"),
        "stages": [{"release": "1.9", "stage": "alpha"}],
    }
}

FIELD: Plain = {"type": "string", "omitEmpty": True}

V1: Plain = {
    "types": {
        M("kind"): {
            "doc": M("doc of a type"),
            "fields": {
                "metadata": {"type": "meta/v1.ObjectMeta", "required": False},
                "text": {**FIELD, "doc": M("doc of a field"), "default": M("default"), "pattern": M("pattern")},
                "pick": {"type": M("enum type"), "omitEmpty": True, "default": M("enum value")},
                M("json name"): {"type": "int32", "optional": True, "minimum": 1},
                "data": {"type": "map[string]string", "omitEmpty": True},
                "part": {"type": M("type"), "optional": True},
                "parts": {
                    "type": f"[]{M('type')}",
                    "omitEmpty": True,
                    "listType": "map",
                    "listMapKeys": [M("list map key")],
                    "patchStrategy": M("patch strategy"),
                },
                "gated": {"type": "int32", "optional": True, "featureGate": M("gate")},
                "case": {
                    **FIELD,
                    "default": [
                        {
                            "when": {f"metadata.labels[{M('label in a path')}]": M("value of a condition")},
                            "value": M("default in a case"),
                        },
                        {"value": "else"},
                    ],
                },
                "chosen": {
                    **FIELD,
                    "default": {
                        "from": "text",
                        "when": {"set": f"parts[{M('list map key')}={M('value in a path')}]"},
                    },
                },
                "named": {**FIELD, "pyName": M("python name"), "protobufName": M("protobuf name")},
                "ruled": {**FIELD, "rules": [{"rule": M("rule"), "message": M("message of a rule")}]},
                "old": {**FIELD, "deprecated": "1.9", "removed": "1.20", "replacement": M("replacement of a field")},
                "unsigned": {
                    "type": "uint32",
                    "optional": True,
                    "ignore": {"AG1102": M("reason of an ignored rule")},
                },
                "status": {"type": M("type"), "required": False},
            },
            "tombstones": {
                M("name of a tombstone"): {"protobuf": 40, "removed": "1.9", "reason": M("reason of a tombstone")}
            },
            "hubOnly": {
                "extra": {"annotation": M("annotation")},
                "lost": {"drop": M("reason of a loss")},
                "fixed": {"constant": M("constant")},
            },
        },
        M("type"): {
            "fields": {
                M("list map key"): {"type": "string"},
                "value": {"type": M("enum type"), "omitEmpty": True},
                "gated": {"type": "int32", "optional": True, "featureGate": M("gate")},
            }
        },
        M("enum type"): {
            "enum": {
                M("enum value"): {"doc": M("doc of an enum value")},
                "Other": {},
                "Gated": {"featureGate": M("gate")},
            },
            "unknown": M("enum value"),
        },
    }
}

RENAMED: Plain = {
    "type": M("enum type"),
    "omitEmpty": True,
    "hub": {"enum": {M("renamed enum value"): M("enum value")}},
}

V1BETA1: Plain = {
    "types": {
        M("kind"): {
            "fields": {
                **V1["types"][M("kind")]["fields"],
                "pick": RENAMED,
                "extra": FIELD,
                "lost": FIELD,
                "fixed": FIELD,
            }
        },
        M("type"): {"fields": {**V1["types"][M("type")]["fields"], "value": RENAMED}},
        M("enum type"): {
            "enum": {M("renamed enum value"): {}, "Other": {}, "Gated": {"featureGate": M("gate")}},
        },
    }
}


def write_specs(folder: Path, changes: Mapping[str, str]) -> None:
    """The specs below `folder`, with other texts at some places. Raises OSError or ValueError for no name of a file."""
    texts = {**HARMLESS, **changes}
    files = {
        ("features.yaml",): FEATURES,
        ("meta", "group.yaml"): {"group": "meta.k8s.io", "versions": {"v1": {}}, "kinds": {}},
        ("meta", "v1.yaml"): META,
        (texts["folder"], "group.yaml"): GROUP,
        (texts["folder"], f"{texts['version']}.yaml"): V1,
        (texts["folder"], "v1beta1.yaml"): V1BETA1,
    }
    for path, content in files.items():
        file = folder.joinpath(*path)
        if not file.resolve().is_relative_to(folder.resolve()):
            raise ValueError("outside of the folder")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_yaml(_filled(content, texts)), encoding="utf-8")


def _yaml(value: Plain) -> str:
    """A value as JSON that is YAML, too: characters beyond 16 bits are one escape and not two."""
    pair = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})")
    return pair.sub(lambda found: f"\\U{ord(json.loads(chr(34) + found[0] + chr(34))):08x}", json.dumps(value))


def _filled(value: Plain, texts: dict[str, str]) -> Plain:
    """The value with marks replaced; what was omitted is omitted."""
    if isinstance(value, str):
        for place, text in texts.items():
            value = value.replace(mark(place), text)
        return value
    if isinstance(value, dict):
        return {_filled(key, texts): _filled(inner, texts) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, texts) for inner in value]
    return value
