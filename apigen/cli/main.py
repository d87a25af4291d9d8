"""Parse the command line and run one command; unexpected errors are reported without a traceback."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from functools import partial

from apigen.cli.commands import COMMANDS, command_module
from apigen.cli.exits import Exit
from apigen.cli.guard import guarded
from apigen.cli.terminal import add_terminal, columns, configure

DESCRIPTION = "Compiles YAML API definitions into Python packages that serve several versions of an API."

WIDEST = 100
"""Maximum width of text."""

NARROWEST = 20
"""Minimum width of text, even if the terminal reports a smaller one."""

EPILOG = """
first steps:
  apigen init my-api && cd my-api     create a project with an API in two versions
  apigen generate                     generate generated/ from api-specs/
  apigen verify                       exit with 1 if generated/ is outdated (for CI)

Every diagnostic has a code, which `apigen explain CODE` explains.
`apigen COMMAND --help` prints the help of a command.

exit codes: 0 success, 1 findings or outdated output, 2 usage error, 3 unreadable input, 4 invalid,
expired or unused approvals
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (by default that of the process) and return the exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    return guarded(lambda: _run(words))


class _Command(ArgumentParser):
    """The parser of a command; its description is wrapped when it is printed."""

    def format_help(self) -> str:
        self.description = _filled(self.description or "")
        return super().format_help()


def build_parser(only: str | None = None) -> ArgumentParser:
    """Return the parser. With `only`, it has only that command; with "", all commands, without arguments."""
    formatter = partial(RawDescriptionHelpFormatter, width=columns() - 2)
    parser = ArgumentParser(
        prog="apigen",
        description=DESCRIPTION,
        epilog=EPILOG.strip("\n"),
        formatter_class=formatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    subparsers = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", prog="apigen", parser_class=_Command
    )
    for name in (only,) if only else COMMANDS:
        command = subparsers.add_parser(
            name,
            help=COMMANDS[name],
            prog=f"apigen {name}",
            formatter_class=formatter,
            allow_abbrev=False,
        )
        if only != "":
            _describe(command, name)
    return parser


def _describe(parser: ArgumentParser, name: str) -> None:
    module = command_module(name)
    parser.description = module.DESCRIPTION
    parser.set_defaults(fail=parser.error)
    parser.epilog = "examples:\n" + module.EXAMPLES.strip("\n")
    module.add_arguments(parser)
    add_terminal(parser)


def _filled(text: str) -> str:
    """Wrap paragraphs to the width of the terminal; indented ones are unchanged."""
    from textwrap import fill

    width = max(NARROWEST, min(columns() - 2, WIDEST))
    paragraphs = text.strip("\n").split("\n\n")
    return "\n\n".join(p if p.startswith(" ") else fill(p, width) for p in paragraphs)


def _run(words: list[str]) -> int:
    name = next((word for word in words if not word.startswith("-")), "")
    if name and name not in COMMANDS:
        return _no_command(name)
    parser = build_parser(name if not name or words[0] == name else None)
    args, unknown = parser.parse_known_args(words)
    if unknown:
        getattr(args, "fail", parser.error)(f"unrecognized arguments: {' '.join(unknown)}")
    if args.version:
        from apigen import __version__

        print(f"apigen {__version__}")
        return Exit.GOOD
    if args.command is None:
        parser.print_help(sys.stderr)
        return Exit.USAGE
    configure(args)
    return command_module(args.command).run(args)


def _no_command(name: str) -> int:
    from apigen.diagnostics.suggest import did_you_mean

    hint = did_you_mean(name, COMMANDS) or f"commands: {', '.join(COMMANDS)}"
    print(f"apigen: unknown command `{name}`; {hint}", file=sys.stderr)
    return Exit.USAGE
