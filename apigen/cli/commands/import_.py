"""`apigen import`."""

from __future__ import annotations

import difflib
import json
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from apigen.cli.project_arguments import add_project, read_config
from apigen.cli.reporting import TEXT, add_format, exit_of, print_diagnostics
from apigen.cli.terminal import is_quiet, shown_progress
from apigen.dataclass import replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.model import shown_path
from apigen.diagnostics.quoting import counted

if TYPE_CHECKING:
    from apigen.inputs.go.importing import Imported, ImportedFile
    from apigen.inputs.merging import Entries

DESCRIPTION = """
Converts an API that is defined elsewhere to specs. `apigen import go` reads Go packages in the
style of Kubernetes, and writes a folder for each group; it does not need a Go toolchain. It merges
into existing specs: your additions are kept, and parts that you did not edit stay byte-identical.
Unsupported elements are listed, never dropped silently; with a `not-imported.yaml` next to the
groups, which gives the reasons, every new one is an error.
"""

EXAMPLES = """
  apigen import go ./api                                  # every version below: ./api/apps/v1 …
  apigen import go ./api --dry-run                        # prints what would change
  apigen import go ./api --module k8s.io/api=../k8s-api   # a module that the packages import
  apigen import go ./api --features ./pkg/features        # and feature gates, into features.yaml
  apigen import go k8s-api --release v0.36.6 --specs api-specs/kubernetes
"""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `import`."""
    parser.add_argument("source", choices=("go",), help="where the API is defined")
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a folder of Go packages: a module, or below one")
    parser.add_argument(
        "--module",
        metavar="IMPORT/PATH=FOLDER",
        action="append",
        default=[],
        type=_module,
        help="the folder of a Go module that the packages import; may be given several times",
    )
    parser.add_argument("--docs", action="store_true", help="also import doc comments")
    parser.add_argument(
        "--features",
        metavar="FOLDER",
        action="append",
        default=[],
        help="a Go package with feature gates; may be given several times",
    )
    parser.add_argument(
        "--release",
        dest="go_release",  # `release` is that of the project
        metavar="v0.X.Y",
        type=_release,
        help="the release of Kubernetes, which determines the enforced validation (default: the version in the path of a Go"
        " module, such as `api@v0.36.6`, else the newest)",
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing; print what would change")
    parser.add_argument("--list", metavar="FILE", help="write all elements that are not imported to this file, as JSON")
    add_format(parser)
    add_project(parser)


def run(args: Namespace) -> int:
    """Run `apigen import`."""
    report = Report()
    config = read_config(args, report)
    with shown_progress() as progress:
        imported = None if config is None else _import(args, config.specs, report, progress)
    if config is not None and imported is not None and not report.has_errors:
        _publish(args, imported, config.specs, report)
    print_diagnostics(report.diagnostics, args.format, sys.stderr if args.dry_run else sys.stdout)
    if args.format == TEXT and imported is not None and not report.has_errors and not args.dry_run and not is_quiet():
        sys.stdout.write("".join(_summary(imported.changed, len(imported.files))))
    return exit_of(report.diagnostics)


def _import(args: Namespace, specs: Path, report: Report, progress: Callable[[str], None]) -> Imported | None:
    from apigen.inputs.go.features import read_features
    from apigen.inputs.go.importing import ImportRequest, import_go
    from apigen.inputs.go.packages import read_packages
    from apigen.inputs.go.roots import root_of, with_modules

    roots = [root_of(Path(path), report) for path in args.paths]
    references = [root_of(Path(folder), report, path=path) for path, folder in args.module]
    if report.has_errors:
        return None
    usable_roots = [root for root in roots if root is not None]
    usable_roots += [replace(root, is_reference=True) for root in references if root is not None]
    progress("reading Go packages")
    packages = read_packages(with_modules(usable_roots), report)
    gates: Entries | None = None
    if args.features and not report.has_errors:
        folders = [root_of(Path(folder), report, path=Path(folder).name) for folder in args.features]
        gates = read_features([root for root in folders if root is not None], report)
    if report.error_count:
        return None
    progress("writing specs")
    release = args.go_release or _release_of(args.paths)
    return import_go(ImportRequest(packages, specs, shown_path(specs), gates, args.docs, release), report)


def _publish(args: Namespace, imported: Imported, specs: Path, report: Report) -> None:
    """Write the files, or show how they would change; then list the elements that are not imported."""
    from apigen.files.whole_file import write_whole
    from apigen.inputs.merging import WriteError, write_together

    if args.dry_run:
        sys.stdout.write("".join(_diff(imported.changed)))
        return
    files = {file.path: file.after for file in imported.written}
    listing = Path(args.list) if args.list else None
    is_stream = listing is not None and listing.exists() and not listing.is_file()  # `/dev/stdout`, a pipe
    if listing is not None and not is_stream:
        files[listing] = _listing(imported).encode()
    try:
        write_together(files, {file.path: file.before for file in imported.written})
    except WriteError as error:
        report.error("AG1237", Place(shown_path(specs)), str(error))
        return
    if listing is not None and is_stream:
        write_whole(listing, _listing(imported).encode())


def _listing(imported: Imported) -> str:
    found = [
        {
            "what": finding.kind.value,
            "where": finding.element,
            "name": finding.name,
            "reason": finding.reason,
            "file": finding.place.file,
            "line": finding.place.line,
        }
        for finding in sorted(imported.findings, key=lambda one: (one.element, one.place, one.name))
    ]
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _diff(files: Iterable[ImportedFile]) -> Iterable[str]:
    for file in files:
        before = (file.before or b"").decode("utf-8", "replace").splitlines(keepends=True)
        after = file.after.decode().splitlines(keepends=True)
        old = f"a/{file.display_path}" if file.before is not None else "/dev/null"
        yield from difflib.unified_diff(before, after, old, f"b/{file.display_path}")


def _summary(changed: Iterable[ImportedFile], count: int) -> Iterable[str]:
    changed = tuple(changed)
    for file in changed:
        yield f"{'wrote' if file.before is None else 'changed'} {file.display_path}\n"
    yield f"{len(changed)} of {counted(count, 'file')} changed\n"


def _module(text: str) -> tuple[str, str]:
    path, equals, folder = text.partition("=")
    if not path or not equals or not folder:
        raise ArgumentTypeError(f"write it like k8s.io/api=../k8s-api, not {text!r}")
    return path, folder


def _release(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"v?([01])\.(\d{1,4})(\.\d+)?", text)
    if match is None:
        raise ArgumentTypeError(f"a release is written like v0.36.6 or 1.36, not {text!r}")
    return 1, int(match[2])


def _release_of(paths: Iterable[str]) -> tuple[int, int] | None:
    """Return the release in the path of a Kubernetes module in the Go module cache."""
    for path in paths:
        match = re.search(r"/k8s\.io/[\w.-]+@v0\.(\d+)\.\d+", Path(path).absolute().as_posix())
        if match is not None:
            return 1, int(match[1])
    return None
