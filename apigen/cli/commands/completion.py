"""`apigen completion`."""

from __future__ import annotations

import sys
from argparse import Action, ArgumentParser, Namespace

from apigen.cli.commands import COMMANDS, command_module
from apigen.cli.exits import Exit
from apigen.cli.terminal import add_terminal
from apigen.codegen.rendering import render
from apigen.dataclass import dataclass

DESCRIPTION = """
Prints a script that completes commands, options and their values in a shell. The script is static:
completion does not run apigen. Print it again after an update.
"""

EXAMPLES = """
  apigen completion bash > ~/.local/share/bash-completion/completions/apigen
  apigen completion zsh > ~/.zfunc/_apigen     # with fpath+=~/.zfunc before compinit in ~/.zshrc
  apigen completion fish > ~/.config/fish/completions/apigen.fish
"""


SHELLS = ("bash", "zsh", "fish")


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its description and its options."""

    name: str
    help: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """An option, or the first positional argument if it has no `flags`, with its help and its possible values."""

    flags: tuple[str, ...]
    help: str
    choices: tuple[str, ...]
    takes_value: bool


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `completion`."""
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def run(args: Namespace) -> int:
    """Run `apigen completion`."""
    commands = [Command(name, about, options_of(name)) for name, about in COMMANDS.items()]
    sys.stdout.write(render(f"completion/{args.shell}.jinja", commands=commands, quoted=_quoted, escaped=_escaped))
    return Exit.GOOD


def options_of(name: str) -> tuple[Option, ...]:
    """The options of a command, read from its parser."""
    parser = ArgumentParser(add_help=False)
    parser.add_argument("-h", "--help", action="store_true", help="show the help and exit")
    command_module(name).add_arguments(parser)
    add_terminal(parser)
    return tuple(_option(action) for action in parser._actions if action.help != "==SUPPRESS==")


def _option(action: Action) -> Option:
    first = (action.help or "").partition(" (default")[0].replace("%%", "%")
    choices = tuple(map(str, action.choices or ()))
    return Option(tuple(action.option_strings), first, choices, action.nargs != 0)


def _quoted(text: str) -> str:
    """A text in single quotes, for all three shells."""
    escaped = " ".join(text.split()).replace("'", "’")
    return f"'{escaped}'"


def _escaped(text: str) -> str:
    """A text in a list of options of zsh."""
    return "".join(f"\\{letter}" if letter in "[]:\\" else letter for letter in text)
