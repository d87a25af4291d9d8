"""Records and fixtures of the real Kubernetes code: those in the project, and all of them if `shared` is next to it."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_PROJECT = Path(__file__).resolve().parents[2]
_OWN = _PROJECT / "tests" / "data" / "kubernetes"
_SHARED = Path(os.environ.get("APIGEN_SHARED", _PROJECT.parent / "shared")) / "kubernetes"

Record = dict[str, Any]


def well_known(*types: str) -> list[Record]:
    """The records of single values of these types."""
    return [record for record in _records(_OWN / "vectors" / "codec" / "wellknown.jsonl.gz") if record["type"] in types]


def documents(form: str) -> list[Record]:
    """The odd documents, `json` or `yaml`."""
    return [record for record in _records(_OWN / "vectors" / "codec" / "decoding.jsonl.gz") if record["format"] == form]


def codec_files() -> list[Path]:
    """The files with one object in all three forms, each group once."""
    files = {path.name: path for root in (_SHARED, _OWN) for path in sorted((root / "vectors" / "codec").glob("*.gz"))}
    return [path for name, path in sorted(files.items()) if not name.startswith(("wellknown", "decoding"))]


def objects(path: Path) -> Iterator[Record]:
    """The records of such a file, with `json` as the exact text that Kubernetes wrote."""
    for line in _lines(path):
        start = line.index('"json":') + len('"json":')
        _, end = json.JSONDecoder().raw_decode(line, start)
        yield {**json.loads(line), "json": line[start:end]}


def fixture_sets() -> list[Path]:
    """The folders of fixtures, each set once; the larger one where there are two."""
    folders = {path.name: path for root in (_OWN, _SHARED) for path in (root / "fixtures").glob("*") if path.is_dir()}
    return [folders[name] for name in sorted(folders)]


def _records(path: Path) -> Iterator[Record]:
    return map(json.loads, _lines(path))


def _lines(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        yield from file
