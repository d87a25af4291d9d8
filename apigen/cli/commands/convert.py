"""`apigen convert`."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from apigen.cli.exits import Exit
from apigen.cli.project_arguments import add_project, read_config
from apigen.cli.reporting import add_format, report_errors
from apigen.config.load import RELEASE
from apigen.diagnostics import Place, Report
from apigen.objects.converting import STORAGE, Input, Wanted, Where, convert_object
from apigen.objects.formats import Format, format_of

DESCRIPTION = """
Converts an object to another version of its API, by way of the hub, as an API server does: the object is decoded,
defaulted, converted and encoded by the generated package of the project. What such a server would warn of (versions
that are deprecated, fields that are unknown) goes to stderr, the object to stdout.
"""

EXAMPLES = """
  apigen convert flow-schema.yaml --to v1                         # as YAML
  apigen convert flow-schema.yaml --to v1 -o json
  apigen convert flow-schema.yaml --to storage -o protobuf > object.pb
  apigen convert object.pb --to v1beta3 --release 1.28            # with the warnings of 1.28
  apigen convert ingress.json --to networking.k8s.io/v1           # another group
  kubectl get fs catch-all -o yaml | apigen convert - --to v1
"""

STDIN = "-"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `convert`."""
    formats = tuple(str(form) for form in Format)
    parser.add_argument("file", metavar="FILE", help="the object, as JSON, YAML or protobuf; `-` is stdin")
    parser.add_argument(
        "--to",
        metavar="VERSION",
        required=True,
        help=f"the version: `v1`, `group/v1`, or `{STORAGE}` for the one in which objects are stored",
    )
    parser.add_argument(
        "-o", dest="written", choices=formats, default=str(Format.YAML), help="the format to write (default: yaml)"
    )
    parser.add_argument(
        "--from",
        dest="read",
        choices=formats,
        help="the format to read; left out: what the first bytes or the name of the file say",
    )
    parser.add_argument(
        "--release",
        metavar="X.Y",
        type=_release,
        help="the release whose API server is imitated: its warnings, its feature gates",
    )
    parser.add_argument("--no-default", action="store_true", help="leave out what is left out")
    parser.add_argument(
        "--unknown",
        choices=("ignore", "warn", "error"),
        default="warn",
        help="what to do about fields that the version does not have (default: warn)",
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
        where = Where(config.output, config.package, config.handwritten, Path.cwd())
        wanted = Wanted(args.to, Format(args.written), args.release, not args.no_default, args.unknown)
        converted = convert_object(where, source, wanted, report)
    if converted is None:
        return report_errors(report.diagnostics, args.format)
    for warning in converted.warnings:
        print(warning, file=sys.stderr)
    if args.written == Format.PROTOBUF and sys.stdout.isatty():
        print("apigen: protobuf is no text for a terminal; send it to a file with `> FILE`", file=sys.stderr)
        return Exit.USAGE
    sys.stdout.buffer.write(converted.data)
    return Exit.GOOD


def _release(text: str) -> str:
    if not re.fullmatch(RELEASE, text):
        raise ArgumentTypeError(f"a release is written like 1.30, not {text!r}")
    return text


def _read(name: str, form: str | None, report: Report) -> Input | None:
    shown = "stdin" if name == STDIN else name
    try:
        data = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    except OSError as error:
        report.error("AG0921", Place(shown), f"cannot be read: {error.strerror or 'unknown reason'}")
        return None
    return Input(shown, data, Format(form) if form else format_of(name, data))
