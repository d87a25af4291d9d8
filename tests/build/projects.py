"""A project of several groups that depend on each other in different ways, and edits of it."""

from __future__ import annotations

import random
import re
from pathlib import Path

FILES = {
    "apigen.toml": "",
    "api-specs/features.yaml": """\
Shine:
  owner: sig-a
  stages:
    - {release: "1.2", stage: alpha}
Depth:
  owner: sig-b
  stages:
    - {release: "1.1", stage: alpha}
    - {release: "1.3", stage: beta, default: true}
""",
    "api-specs/base/group.yaml": "group: base.example.com\nversions:\n  v1: {introduced: '1.0'}\n",
    "api-specs/base/v1.yaml": """\
types:
  Condition:
    fields:
      type: {type: string, protobuf: 1}
      status: {type: Status, protobuf: 2}
      message: {type: string, optional: true, protobuf: 3}
  Status:
    enum: {Yes: {}, No: {}, Maybe: {}}
  Limit:
    fields:
      most: {type: int32, optional: true, protobuf: 1, minimum: 0}
  Lonely:
    fields:
      name: {type: string, protobuf: 1}
""",
    "api-specs/a.example.com/group.yaml": """\
group: a.example.com
versions:
  v1beta1: {introduced: "1.0"}
  v1: {introduced: "1.1", storage: true}
hub: v1
kinds:
  Widget: {scope: Namespaced, plural: widgets, subresources: {status: {}}}
""",
    "api-specs/a.example.com/v1beta1.yaml": """\
types:
  Widget:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      spec: {type: WidgetSpec, required: false, protobuf: 2}
    hubOnly:
      status: {drop: not part of this version}
  WidgetSpec:
    fields:
      size: {type: int32, protobuf: 1, minimum: 0}
      labels: {type: "map[string]string", optional: true, protobuf: 2}
""",
    "api-specs/a.example.com/v1.yaml": """\
types:
  Widget:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      spec: {type: WidgetSpec, required: false, protobuf: 2}
      status: {type: WidgetStatus, required: false, protobuf: 3}
  WidgetSpec:
    fields:
      size: {type: int32, protobuf: 1, minimum: 0}
      labels: {type: "map[string]string", optional: true, protobuf: 2}
  WidgetStatus:
    fields:
      conditions: {type: "[]base/v1.Condition", optional: true, protobuf: 1, listType: map, listMapKeys: [type]}
""",
    "api-specs/b.example.com/group.yaml": """\
group: b.example.com
versions:
  v1: {introduced: "1.1", storage: true}
hub: v1
kinds:
  Gadget: {scope: Namespaced, plural: gadgets}
""",
    "api-specs/b.example.com/v1.yaml": """\
types:
  Gadget:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      template: {type: a.example.com/v1.WidgetSpec, required: false, protobuf: 2}
      limit: {type: base/v1.Limit, optional: true, protobuf: 3}
  Holder:
    fields:
      size: {type: int32, protobuf: 1, minimum: 3}
""",
    "api-specs/d.example.com/group.yaml": """\
group: d.example.com
versions:
  v1: {introduced: "1.1", storage: true}
hub: v1
kinds:
  Crate: {scope: Namespaced, plural: crates}
""",
    "api-specs/d.example.com/v1.yaml": """\
types:
  Crate:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      holder: {type: b.example.com/v1.Holder, required: false, protobuf: 2}
""",
    "api-specs/c.example.com/group.yaml": """\
group: c.example.com
versions:
  v1alpha1: {introduced: "1.2"}
  v1: {introduced: "1.3", storage: true}
hub: v1
kinds:
  Lamp: {scope: Cluster, plural: lamps}
""",
    "api-specs/c.example.com/v1alpha1.yaml": """\
types:
  Lamp:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      watts: {type: int32, protobuf: 2, minimum: 1}
    hubOnly:
      color: {annotation: c.example.com/color}
""",
    "api-specs/c.example.com/v1.yaml": """\
types:
  Lamp:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
      watts: {type: int32, protobuf: 2, minimum: 1}
      color: {type: Color, optional: true, protobuf: 3, default: Warm}
  Color:
    enum: {Warm: {}, Cold: {}}
""",
}

ADDED = (
    "{type: string, optional: true}",
    "{type: int32, optional: true, minimum: 1, maximum: 9}",
    '{type: "[]string", optional: true, listType: set}',
    "{type: bool, optional: true, featureGate: Shine}",
    "{type: base/v1.Limit, optional: true}",
    "{type: base/v1.Limit, optional: true, featureGate: Depth}",
    '{type: "[]base/v1.Condition", optional: true, listType: map, listMapKeys: [type]}',
    "{type: a.example.com/v1.WidgetSpec, optional: true}",
    "{type: base/v1.Status, optional: true, default: Maybe}",
    "{type: base/v1.Lonely, optional: true}",
    "{type: Nowhere, optional: true}",
    "{type: string, optional: true, deprecated: '1.2'}",
    "{type: string, optional: true, pattern: '^[a-z]+$'}",
    "{type: string, optional: true, doc: What was added.}",
)
"""Fields to add."""

CHANGED = (
    ("minimum: 0", "minimum: 2"),
    ("minimum: 2", "minimum: 0"),
    ("minimum: 1", "maximum: 100"),
    ("optional: true", "omitEmpty: true"),
    ("omitEmpty: true", "optional: true"),
    ("default: Warm", "default: Cold"),
    ("default: Cold", "default: Warm"),
    ("Maybe: {}", "Maybe: {featureGate: Shine}"),
    ("Maybe: {featureGate: Shine}", "Maybe: {}"),
    ("No: {}", "No: {introduced: '1.5', tolerated: '1.4'}"),
    ("int32", "int64"),
    ("featureGate: Shine", "featureGate: Depth"),
    ('"1.3", stage: beta', '"1.9", stage: beta'),
    ("type: string, protobuf: 1}", "type: string, protobuf: 1, doc: What it is.}"),
    ("message: {type: string,", "message: {type: string, maxLength: 10,"),
    ("doc: What it is.", "doc: Another text."),
    ("doc: Another text.", "doc: And again."),
    ("size: {type:", "size: {doc: How large it is., type:"),
    ("  Status:\n    enum", "  Status:\n    doc: How it is.\n    enum"),
    ("Yes: {}", "Yes: {doc: It is so.}"),
    ("{annotation: c.example.com/color}", "{drop: no client reads it}"),
    ("{drop: no client reads it}", "{annotation: c.example.com/color}"),
    ("  Status:\n    enum", "  Status:\n    open: true\n    enum"),
    ("    open: true\n", ""),
    ("  Lonely:\n    fields:\n      name: {type: string, protobuf: 1}\n", '  Lonely:\n    is: "map[string]string"\n'),
    ('  Lonely:\n    is: "map[string]string"\n', "  Lonely:\n    fields:\n      name: {type: string, protobuf: 1}\n"),
    ("  Lonely:\n    fields:\n      name: {type: string, protobuf: 1}\n", ""),
    (", default: Warm", ""),
    ("scope: Namespaced", "scope: Cluster"),
    ("scope: Cluster", "scope: Namespaced"),
    ('{introduced: "1.2"}', '{introduced: "1.2", deprecated: "1.4"}'),
    ("most: {type: int32, optional: true, protobuf: 1,", "most: {type: int32, optional: true, protobuf: 4,"),
    ("      message: {type: string, optional: true, protobuf: 3}\n", "    tombstones:\n      message: {protobuf: 3}\n"),
)
"""Text to put in place of other text."""


def write_project(folder: Path) -> Path:
    """The project, in a folder."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def edit(folder: Path, chance: random.Random) -> str:
    """Edit a file, or all versions of a group, as somebody might; says how."""
    paths = sorted((folder / "api-specs").rglob("*.yaml"))
    path = chance.choice([path for path in paths if not path.name.endswith(".lock.yaml")])
    before = {each: each.read_text() for each in paths if each.parent == path.parent and ".lock." not in each.name}
    edits = chance.choice(
        (
            *(_add_field, _add_field, _change, _change, _change_one, _add_comment, _add_type, _rename, _store_another),
            *(bound, bound),
        )
    )
    if edits is _rename:  # a type is named in other groups, too
        before = {each: each.read_text() for each in paths if ".lock." not in each.name}
    after = edits(before, path, chance)
    for each, text in after.items():
        each.write_text(text)
    return f"{path.relative_to(folder)}: {edits.__name__}, {'nothing' if after == before else 'edited'}"


BOUNDS = {
    "int32": ("minimum: {}", "maximum: {}", "exclusiveMaximum: {}"),
    "int64": ("minimum: {}", "maximum: {}", "multipleOf: {}"),
    "string": (
        "maxLength: {}",
        "minLength: {}",
        "maxBytes: {}",
        "pattern: '^.{{{}}}'",
        "enforcedByHand: {{maxLength: {}}}",
    ),
    '"[]': ("maxItems: {}", "minItems: {}"),
    '"map': ("maxProperties: {}", "minProperties: {}"),
}
"""Bounds of fields, by how their type begins."""

_BOUND = re.compile(
    r", (?:\w*(?:[mM]inimum|[mM]aximum|Of|Length|Bytes|Items|Properties)|pattern|enforcedByHand): (?:\d+|'.*?'|{.*?})"
)

Texts = dict[Path, str]


def _add_field(texts: Texts, path: Path, chance: random.Random) -> Texts:
    """To a struct, in all versions of the group that have it."""
    structs = re.findall(r"^  (\w+):\n    fields:\n", texts[path], re.MULTILINE)
    if not structs:
        return texts
    head = f"  {chance.choice(structs)}:\n    fields:\n"
    line = f"      extra{chance.randrange(100)}: {chance.choice(ADDED)}\n"
    return {each: text.replace(head, head + line) for each, text in texts.items()}


def _change(texts: Texts, path: Path, chance: random.Random) -> Texts:
    there = [(old, new) for old, new in CHANGED if old in texts[path]]
    if not there:
        return texts
    old, new = chance.choice(there)
    return {each: text.replace(old, new) for each, text in texts.items()}


def _change_one(texts: Texts, path: Path, chance: random.Random) -> Texts:
    return texts | _change({path: texts[path]}, path, chance)


def _add_comment(texts: Texts, path: Path, chance: random.Random) -> Texts:
    lines = texts[path].split("\n")
    lines.insert(chance.randrange(len(lines)), "  # a remark")
    return texts | {path: "\n".join(lines)}


def _add_type(texts: Texts, path: Path, chance: random.Random) -> Texts:
    if not texts[path].startswith("types:"):
        return texts
    type_ = f"  Made{chance.randrange(100)}:\n    fields:\n      a: {chance.choice(ADDED)}\n"
    return texts | {path: f"{texts[path].rstrip()}\n{type_}"}


def bound(texts: Texts, path: Path, chance: random.Random) -> Texts:
    """A bound of a field: another value, another bound, or none any more."""
    words = "|".join(re.escape(type_) for type_ in BOUNDS)
    fields = [*re.finditer(rf"^      \w+: {{.*?type: ({words}).*(?=}}$)", texts[path], re.MULTILINE)]
    if not fields:
        return texts
    field = chance.choice(fields)
    bounds = BOUNDS[field[1]]
    plain = _BOUND.sub("", field[0])
    new = f"{plain}, {chance.choice(bounds).format(chance.randrange(1, 20))}"
    line = chance.choice((new, new, new, plain))
    return texts | {path: f"{texts[path][: field.start()]}{line}{texts[path][field.end() :]}"}


def _rename(texts: Texts, path: Path, chance: random.Random) -> Texts:
    """A type of structs, wherever it is named."""
    names = re.findall(r"^  (\w+):\n    fields:\n", texts[path], re.MULTILINE)
    if not names:
        return texts
    name = chance.choice(names)
    return {each: re.sub(rf"\b{name}\b", f"Other{name}", text) for each, text in texts.items()}


def _store_another(texts: Texts, path: Path, chance: random.Random) -> Texts:
    """The first version, in place of the one that is stored."""
    header = path.parent / "group.yaml"
    text = texts.get(header, "")
    if "storage: true" not in text:
        return texts
    text = text.replace(", storage: true", "")
    return texts | {header: re.sub(r'(introduced: "[\d.]+")', r"\1, storage: true", text, count=1)}
