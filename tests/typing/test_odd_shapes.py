"""`mypy --strict` finds nothing in the package of an unusual spec."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generating import generate_package
from tests.type_checkers import mypy

SPECS = {
    "features.yaml": 'Depth: {stages: [{release: "1.0", stage: alpha}]}\n',
    "odd.example.com/group.yaml": """\
group: odd.example.com
versions: {v1beta1: {}, v1: {storage: true}}
hub: v1
protobuf: none
kinds: {Odd: {plural: odds}}
""",
    "odd.example.com/v1.yaml": """\
types:
  Odd:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false}
      warnings: {type: "[]Warning", optional: true}
      tree: {type: Tree, optional: true}
      rows: {type: Rows, optional: true}
      members: {type: Members, required: true}
      conversion: {type: Conversion, optional: true}
      annotations: {type: Annotations, optional: true}
  # names that generated modules use
  Members: {fields: {size: {type: string, omitEmpty: true, required: true}}}
  Conversion: {fields: {size: {type: int32}}}
  Annotations: {fields: {more: {type: Annotations, optional: true}}}
  # names of builtins
  Warning: {fields: {cause: {type: Exception, optional: true}, code: {type: TimeoutError, default: 1}}}
  Exception: {fields: {warnings: {type: "map[string]Warning", optional: true}}}
  TimeoutError: {is: int32}
  # gated lists and maps of their own type
  Tree:
    fields:
      list: {type: "[]Tree", optional: true, featureGate: Depth}
      map: {type: "map[string]Tree", optional: true, featureGate: Depth}
      next: {type: Tree, optional: true, featureGate: Depth}
  # nested lists and maps with defaults
  Rows:
    fields:
      lists: {type: "[][]Warning", optional: true}
      maps: {type: "[]map[string]Rows", optional: true}
      row: {type: "[]Rows", optional: true}
      size: {type: int32, default: 1}
""",
}

SPECS["odd.example.com/v1beta1.yaml"] = SPECS["odd.example.com/v1.yaml"].replace(
    " size: {type: int32}", " count: {type: int32, hub: size}"
)


@pytest.mark.slow
def test_mypy_accepts_unusual_specs(tmp_path: Path) -> None:
    for path, text in SPECS.items():
        file = tmp_path / "specs" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert mypy(tmp_path, "-p", generate_package(tmp_path / "specs", tmp_path)) == ""
