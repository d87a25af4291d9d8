"""Names of fields do not meet the local names of generated encoders."""

from __future__ import annotations

from pathlib import Path

from tests.lenses.test_lens_cases import load_scheme

SPEC = """
types:
  Thing:
    fields:
      depth: {type: Thing, optional: true, protobuf: 1}
      check_nesting: {type: string, omitEmpty: true, protobuf: 2}
      size: {type: Thing, optional: true, protobuf: 3}
"""
GROUP = """
group: lens.example.com
versions: {v1: {storage: true}}
kinds:
  Thing: {scope: Namespaced, plural: things, list: false}
"""


def test_field_named_depth_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "case" / "specs" / "lens.example.com"
    folder.mkdir(parents=True)
    (folder / "group.yaml").write_text(GROUP)
    (folder / "v1.yaml").write_text(SPEC)
    scheme = load_scheme(tmp_path / "case", tmp_path)
    inner = {"size": {}, "check_nesting": "x"}
    tree = {"apiVersion": "lens.example.com/v1", "kind": "Thing", "depth": inner, "size": {}}
    obj = scheme.from_dict(tree)
    media = "application/vnd.kubernetes.protobuf"
    assert scheme.decode(scheme.encode(obj, media), media) == obj
