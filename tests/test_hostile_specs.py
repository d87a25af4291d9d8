"""Text of a spec is data: wherever it stands, it is refused, or comes out as a literal or a comment, and nothing else."""

from __future__ import annotations

import ast
import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from apigen.diagnostics import Report
from apigen.emit.output import OutputFile
from apigen.pipeline import Sources, check, generate

MARK = "hostile"
CODE = f"__import__('os').system('{MARK}')"

PAYLOADS = {
    "quotes": f"""'"''\"\"\"{CODE}\"\"\"''"'""",
    "backslashes": f"\\\\\\\"\\'\\n{CODE}\\",
    "newlines": f"x\n{CODE}\r\nimport {MARK}\n    {CODE}\n",
    "other line breaks": f"x\u2028{CODE}\u2029\x85{CODE}\x0b{CODE}\x0c{CODE}",
    "braces": f"{{{{ {CODE} }}}}{{% include '/etc/passwd' %}}{{{CODE}}}%({MARK})s",
    "comments": f"*/ {MARK} /* // # -*- coding: rot13 -*- {CODE}",
    "invisible": f"\u202e{CODE}\u2066\u200b\x00\x1b[2J\ud800",
    "outside": f"../../../{MARK}",
    "absolute": f"/tmp/{MARK}",
    "an identifier": f"{MARK}_import",
}

SPEC = {
    "features.yaml": {
        "Wide": {
            "owner": "a team",
            "doc": "Things are wide.",
            "stages": [{"release": "1.1", "stage": "alpha"}, {"release": "1.2", "stage": "beta", "default": True}],
            "dependsOn": [],
        }
    },
    "meta/group.yaml": {"group": "meta.example", "versions": {"v1": {"introduced": "1.0"}}},  # so that none is brought
    "meta/v1.yaml": {
        "types": {
            "ObjectMeta": {
                "fields": {
                    "name": {"type": "string", "omitEmpty": True},
                    "generation": {"type": "int64", "omitEmpty": True},
                    "annotations": {"type": "map[string]string", "omitEmpty": True},
                }
            },
            "ListMeta": {"fields": {"continue": {"type": "string", "omitEmpty": True}}},
        }
    },
    "things.example/group.yaml": {
        "group": "things.example",
        "versions": {
            "v1beta1": {"introduced": "1.0", "deprecated": "1.2", "removed": "1.5", "replacement": "v1"},
            "v1": {"introduced": "1.1", "storage": True},
        },
        "hub": "v1",
        "kinds": {
            "Thing": {
                "scope": "Namespaced",
                "plural": "things",
                "singular": "thing",
                "shortNames": ["th"],
                "categories": ["all"],
                "subresources": {"status": {}},
                "selectableFields": {"spec.color": "spec.color"},
                "strategy": {"hooks": ["create"]},
            }
        },
    },
    "things.example/v1.yaml": {
        "types": {
            "Thing": {
                "doc": "A thing.",
                "fields": {
                    "metadata": {"type": "meta/v1.ObjectMeta", "required": False},
                    "spec": {"type": "ThingSpec", "doc": "What is wanted."},
                },
                "tombstones": {"old": {"protobuf": 9, "removed": "1.1", "reason": "nobody used it"}},
            },
            "ThingSpec": {
                "fields": {
                    "color": {"type": "Color", "default": "Blue", "omitEmpty": True},
                    "label": {"type": "string", "pattern": "^[a-z]*$", "default": "none", "maxLength": 9, "omitEmpty": True},
                    "width": {"type": "int32", "optional": True, "featureGate": "Wide"},
                    "notes": {"type": "map[string]string", "omitEmpty": True, "pyName": "notes"},
                    "lost": {"type": "string", "omitEmpty": True},
                    "items": {"type": "[]Item", "omitEmpty": True, "listType": "map", "listMapKeys": ["name"]},
                    "left": {"type": "Item", "optional": True},
                    "right": {"type": "Item", "optional": True},
                },
                "unions": [{"members": ["left", "right"], "optional": True}],
            },
            "Item": {"fields": {"name": {"type": "string", "doc": "Its name."}}},
            "Color": {"doc": "A color.", "enum": {"Blue": {"doc": "Like the sky."}, "Red": {}}, "unknown": "Blue"},
            "Name": {"is": "string", "doc": "A name."},
        }
    },
    "things.example/v1beta1.yaml": {
        "types": {
            "Thing": {
                "fields": {
                    "metadata": {"type": "meta/v1.ObjectMeta", "required": False},
                    "spec": {"type": "ThingSpec"},
                },
                "hubOnly": {
                    "spec.notes": {"annotation": "things.example/notes"},
                    "spec.lost": {"drop": "it was never there"},
                },
            },
            "ThingSpec": {
                "fields": {
                    "colour": {"type": "Color", "omitEmpty": True, "hub": "color"},
                    "label": {"type": "string", "omitEmpty": True},
                    "width": {"type": "int32", "optional": True, "featureGate": "Wide"},
                    "items": {"type": "[]Item", "omitEmpty": True},
                    "left": {"type": "Item", "optional": True},
                    "right": {"type": "Item", "optional": True},
                    "gone": {"type": "string", "omitEmpty": True, "hub": {"constant": "gone"}},
                }
            },
            "Item": {"fields": {"name": {"type": "string"}}},
            "Color": {"enum": {"Blue": {}, "Crimson": {}}, "hub": "Color"},
        }
    },
}

Place = tuple[str | int, ...]


def places(value: object, at: Place = ()) -> Iterator[tuple[Place, bool]]:
    """Every place of text: of keys (True) and of values (False)."""
    if isinstance(value, dict):
        for key, below in value.items():
            if len(at) > 0:
                yield (*at, key), True
            yield from places(below, (*at, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from places(below, (*at, index))
    elif isinstance(value, str):
        yield at, False


def replaced(spec: object, place: Place, is_key: bool, text: str) -> object:
    """The spec with text at one place, in the order in which it was."""
    made = copy.deepcopy(spec)
    parent: object = made
    for step in place[:-1]:
        parent = parent[step]  # type: ignore[index]
    assert isinstance(parent, dict | list)
    if is_key:
        assert isinstance(parent, dict)
        entries = [(text if key == place[-1] else key, value) for key, value in parent.items()]
        parent.clear()
        parent.update(entries)
    else:
        parent[place[-1]] = text  # type: ignore[index, call-overload]
    return made


def compiled(spec: object, folder: Path, only_check: bool = False) -> tuple[bool, list[OutputFile]]:
    """Whether a spec is accepted, and what it compiles to."""
    assert isinstance(spec, dict)
    for name, content in spec.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="ascii")
    report = Report()
    checked = check(Sources(folder, None, folder), report)
    accepted = checked.compilation is not None and not report.has_errors
    if checked.compilation is None or not accepted or only_check:
        return accepted, []
    return accepted, list(generate(checked.compilation))


def test_the_spec_itself_is_good(tmp_path: Path) -> None:
    accepted, files = compiled(SPEC, tmp_path)
    assert accepted
    assert harm(files) == []


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_stays_text(payload: str, tmp_path: Path) -> None:
    """Each place on its own is refused or accepted; the accepted ones are then compiled, all of them together."""
    text = PAYLOADS[payload]
    together: object = SPEC
    accepted = []
    for place, is_key in reversed(list(places(SPEC))):  # deepest and last first, so that places stay valid
        alone = replaced(SPEC, place, is_key, text)
        if compiled(alone, tmp_path, only_check=True)[0]:
            combined = replaced(together, place, is_key, text)
            if compiled(combined, tmp_path, only_check=True)[0]:
                together = combined
                accepted.append(place)
            else:
                assert harm(compiled(alone, tmp_path)[1]) == []
    assert any("doc" in place for place in accepted) or payload in ("other line breaks", "invisible")
    assert harm(compiled(together, tmp_path)[1]) == []


def harm(files: list[OutputFile]) -> list[str]:
    """What is wrong with output: paths that lead outside, files that do not parse, marks that are code."""
    found = [f"path {file.path!r}" for file in files if not is_inside(file.path)]
    for file in files:
        if file.path.endswith((".py", ".pyi")):
            found += [f"{file.path}: {problem}" for problem in harm_of_python(file.content)]
        elif file.path.endswith(".proto"):
            found += [f"{file.path}: {line}" for line in harm_of_proto(file.content.decode())]
    return found


def is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return not path.startswith("/") and all(re.fullmatch(r"[A-Za-z0-9_]+(\.[a-z]+)?", part) for part in parts)


def harm_of_python(source: bytes) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        yield f"does not parse: {error}"
        return
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, str) and MARK in value and not isinstance(node, ast.Constant):
                if not value.isidentifier():
                    yield f"{type(node).__name__}.{name} is {value!r}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("__import__", "eval", "exec"):
            yield f"calls {node.func.id}"
        if isinstance(node, ast.Import | ast.ImportFrom) and any(MARK == alias.name for alias in node.names):
            yield "imports what the spec says"


def harm_of_proto(text: str) -> Iterator[str]:
    """Lines of a .proto file with the mark in them that are neither comment nor quoted nor a plain name."""
    for line in text.splitlines():
        code = re.sub(r'"(?:[^"\\]|\\.)*"', "", line.partition("//")[0])
        if MARK in code and not re.fullmatch(r"[\w\s<>,.=;{}\[\]]*", code):
            yield line
