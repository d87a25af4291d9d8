"""A group with `protobuf: none`: its fields have no numbers, its lists nest, and no protobuf codec or `.proto` is written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.running import apigen

GROUP = """
group: things.example.com
versions: {v1: {storage: true}}
hub: v1
protobuf: none
kinds: {Thing: {scope: Namespaced}}
"""
TYPES = """
types:
  Thing:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false}
      sizes: {type: Sizes, inline: true}
      name: {type: string}
      rows: {type: "[]map[string][]Sizes", optional: true}
  Sizes:
    fields:
      width: {type: int32, omitEmpty: true}
"""
SCRIPT = """
from generated import scheme
from generated.runtime.errors import SchemeError
text = b'{"kind":"Thing","apiVersion":"things.example.com/v1","metadata":{},"width":3,"name":"a","rows":[{"x":[{"width":1},{}]}]}'
obj = scheme.decode(text)
assert scheme.encode(obj) == text, scheme.encode(obj)
try:
    scheme.encode(obj, "application/vnd.kubernetes.protobuf")
except SchemeError as error:
    print(error)
"""


def test_group_has_json_codec_and_no_protobuf_codec(tmp_path: Path) -> None:
    folder = tmp_path / "api-specs" / "things.example.com"
    folder.mkdir(parents=True)
    (folder / "group.yaml").write_text(GROUP, encoding="utf-8")
    (folder / "v1.yaml").write_text(TYPES, encoding="utf-8")
    ran = apigen(tmp_path, "generate")
    assert ran.code == 0, ran.out
    written = {path.name for path in (tmp_path / "generated" / "things_example_com" / "v1").iterdir()}
    assert "json_codec.py" in written
    assert written.isdisjoint({"protobuf_codec.py", "types.proto"})
    assert "protobuf:" not in (folder / "v1.lock.yaml").read_text(encoding="utf-8").partition("types:")[2]
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert "protobuf_codec: it was not generated" in done.stdout
