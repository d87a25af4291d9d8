"""`apigen convert`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from apigen.build.generated_package.converting import STORAGE, ConversionRequest, Input, convert_objects
from apigen.build.generated_package.formats import Format, format_of
from apigen.cli.exits import Exit
from apigen.cli.project_arguments import add_project, add_release, read_config, releases_in
from apigen.cli.reporting import add_format, report_errors
from apigen.diagnostics import Place, Report
from apigen.diagnostics.suggest import nearest_file

DESCRIPTION = """
Converts objects to another version of their API, through the hub, as an API server does: the
generated package of the project decodes, defaults, converts and encodes each object. The input
contains one or several objects: the documents of a YAML stream, consecutive JSON values, or the
items of a `List` (`kubectl get -o yaml`). The output contains them in the same order: as a YAML
stream, or as consecutive JSON values. Protobuf contains one object only. Warnings of the API server
(deprecated versions, unknown fields) are printed to stderr, once each, and the objects to stdout.
"""

EXAMPLES = """
  apigen convert flow-schema.yaml --to v1                         # as YAML
  apigen convert flow-schema.yaml --to v1 -o json
  apigen convert flow-schema.yaml --to storage -o protobuf > object.pb
  apigen convert object.pb --to v1beta3 --release kubernetes=1.28 # with the warnings of 1.28
  apigen convert ingress.json --to networking.k8s.io/v1           # another group
  kubectl get fs -o yaml | apigen convert - --to v1               # all objects of a list
"""

STDIN = "-"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `convert`."""
    formats = tuple(str(form) for form in Format)
    parser.add_argument("file", metavar="FILE", help="the objects, as JSON, YAML or protobuf; `-` is stdin")
    parser.add_argument(
        "--to",
        metavar="VERSION",
        required=True,
        help=f"the version: `v1`, `group/v1`, or `{STORAGE}` for the storage version",
    )
    parser.add_argument(
        "-o", dest="written", choices=formats, default=str(Format.YAML), help="the output format (default: yaml)"
    )
    parser.add_argument(
        "--from",
        dest="read",
        choices=formats,
        help="the input format (default: detected by the first bytes or the file name)",
    )
    add_release(parser, "the release to emulate, with its warnings and feature gates")
    parser.add_argument("--no-default", action="store_true", help="do not apply defaults")
    parser.add_argument(
        "--unknown",
        choices=("ignore", "warn", "error"),
        default="warn",
        help="how to treat unknown fields (default: warn)",
    )
    add_format(parser)
    add_project(parser)


def run(args: Namespace) -> int:
    """Run `apigen convert`."""
    report = Report()
    config = read_config(args, report)
    source = None if config is None else _read(args.file, args.read, report)
    converted = None
    if config is not None and source is not None:
        release, series = releases_in(args)
        form = Format(args.written)
        request = ConversionRequest(
            args.to, form, release, dict(series), default=not args.no_default, unknown=args.unknown
        )
        converted = convert_objects(config, source, request, report)
    if converted is None:
        return report_errors(report.diagnostics, args.format)
    for warning in converted.warnings:
        print(warning, file=sys.stderr)
    if args.written == Format.PROTOBUF and sys.stdout.isatty():
        print("apigen: protobuf cannot be printed to a terminal; redirect it with `> FILE`", file=sys.stderr)
        return Exit.USAGE
    sys.stdout.buffer.write(converted.data)
    return Exit.GOOD


def _read(name: str, form: str | None, report: Report) -> Input | None:
    display_path = "stdin" if name == STDIN else name
    try:
        data = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    except OSError as error:
        suggested = nearest_file(name) if isinstance(error, FileNotFoundError) else None
        hint = f"did you mean `{suggested}`?" if suggested else None
        report.error("AG0921", Place(display_path), f"cannot be read: {error.strerror or 'unknown reason'}", hint=hint)
        return None
    return Input(display_path, data, Format(form) if form else format_of(name, data))
