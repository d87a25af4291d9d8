"""`apigen proof`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from apigen.cli.checking import check_reviewed
from apigen.cli.exits import Exit
from apigen.cli.project_arguments import add_project, read_config
from apigen.cli.reporting import add_format, report_errors, usage_error
from apigen.cli.terminal import shown_progress
from apigen.diagnostics import Report
from apigen.diagnostics.quoting import quote, visible
from apigen.diagnostics.suggest import did_you_mean

DESCRIPTION = """
Prints which conversions between versions preserve an object: a matrix of version pairs for each
kind, then the lost fields, each with its condition and an object before and after the round trip. A
loss that the specs do not declare is an error.

The examples are found by running the generated conversions, including hand-written functions, on
random objects.
"""

EXAMPLES = """
  apigen proof
  apigen proof Ingress               # one kind; groups, versions and types are names, too
  apigen proof networking.k8s.io/v1beta1 IngressBackend
  apigen proof --output html > proof.html
  apigen proof --no-examples         # runs no code
"""

OUTPUTS = ("text", "markdown", "html", "json")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `proof`."""
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="print only parts with all of these names, of kinds, groups, versions or types",
    )
    parser.add_argument(
        "--output", dest="form", choices=OUTPUTS, default="text", help="the output format (default: text)"
    )
    parser.add_argument("--no-examples", action="store_true", help="do not run conversions, and print no examples")
    add_format(parser)
    add_project(parser, output=False)


def run(args: Namespace) -> int:
    """Run `apigen proof`."""
    report = Report()
    with shown_progress() as progress:
        config = read_config(args, report)
        checked = None if config is None else check_reviewed(config, report, progress=progress)
        if config is None or checked is None or checked.backend_input is None or report.has_errors:
            progress.clear()
            return report_errors(report.diagnostics, args.format)
        from apigen.build.generated_package.package import NotImportable
        from apigen.hub.proof import prove_kinds
        from apigen.proof.examples import examples
        from apigen.proof.printers import FORMS
        from apigen.proof.report import Choice, proof_report

        backend_input, choice = checked.backend_input, Choice(args.names)
        proofs = list(prove_kinds(backend_input.hub, backend_input.types))
        unknown = choice.unknown(proofs)
        if unknown is not None:
            progress.clear()
            name, known = unknown
            hint = did_you_mean(name, known) or "`apigen proof` without names lists all kinds"
            problem = f"no kind, group, version or type is named {visible(quote(name))}; {hint}"
            return usage_error("proof", problem)
        progress("running examples")
        lost = [each for proof in proofs for each in choice.losses(proof) or ()]
        examples_of = None
        try:
            examples_of = (
                None if args.no_examples else examples(backend_input, lost, config.package, config.handwritten)
            )
        except (NotImportable, ImportError) as error:
            progress.clear()
            print(f"apigen proof: no examples, because the conversions cannot be imported: {error}", file=sys.stderr)
    sys.stdout.write(FORMS[args.form](proof_report(proofs, choice, examples_of)))
    return Exit.GOOD
