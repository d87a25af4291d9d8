"""`apigen schema`."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import cast

from apigen.cli.exits import Exit
from apigen.files.whole_file import check_target, write_whole
from apigen.language.schema import DIALECT, SchemaKind, spec_schema
from apigen.language.shapes import Definitions, Schema

DESCRIPTION = """
Prints the JSON Schema of spec files, with which editors complete and check them. Without an
argument, it prints one schema for all kinds of files.

An editor with a YAML language server uses the schema in the first line of a file:

  # yaml-language-server: $schema=../../schemas/version.schema.json
"""

EXAMPLES = """
  apigen schema version > version.schema.json
  apigen schema review                  # the output of `apigen diff --format json`
  apigen schema --output schemas        # one file for each kind: schemas/version.schema.json …
"""

REVIEW = "review"
"""The kind of file for reports, which are not specs."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `schema`."""
    parser.add_argument(
        "kind",
        metavar="KIND",
        nargs="?",
        choices=[*(str(kind) for kind in SchemaKind), REVIEW],
        help="the kind of file: group (group.yaml), version (v1.yaml and the like), hub (hub.yaml) or"
        " features (features.yaml); review is the report of `apigen diff --format json`",
    )
    parser.add_argument("--output", metavar="FOLDER", help="write the schemas to files in this folder")


def run(args: Namespace) -> int:
    """Run `apigen schema`."""
    if args.output is None:
        print(_text(args.kind), end="")
        return Exit.GOOD
    folder = Path(args.output)
    check_target(folder / "any")
    folder.mkdir(parents=True, exist_ok=True)
    for kind in [args.kind] if args.kind else [str(kind) for kind in SchemaKind]:
        path = folder / f"{kind}.schema.json"
        write_whole(path, _text(kind).encode())
        print(path)
    return Exit.GOOD


def _text(kind: str | None) -> str:
    if kind == REVIEW:
        from apigen.review.reports.schema import review_schema

        schema = review_schema()
    else:
        schema = spec_schema(kind) if kind else _schema_of_all()
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _schema_of_all() -> Schema:
    """Return one schema for all kinds of spec files."""
    shared: Definitions = {}
    alternatives: list[Schema] = []
    for kind in SchemaKind:
        schema = spec_schema(kind)
        shared |= cast(Definitions, schema.pop("$defs"))
        alternatives.append({key: value for key, value in schema.items() if key != "$schema"})
    return {"$schema": DIALECT, "title": "A spec file of apigen", "anyOf": [*alternatives], "$defs": {**shared}}
