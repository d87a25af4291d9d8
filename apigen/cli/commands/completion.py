"""`apigen completion`."""

from __future__ import annotations

import sys
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping

from apigen.cli.commands import COMMANDS, command_module
from apigen.cli.exits import Exit
from apigen.cli.terminal import add_terminal
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


@dataclass(frozen=True, slots=True)
class Option:
    """An option, or the first positional argument if it has no `flags`, with its help and its possible values."""

    flags: tuple[str, ...]
    help: str
    choices: tuple[str, ...]
    takes_value: bool


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `completion`."""
    parser.add_argument("shell", choices=tuple(SCRIPTS), help="the shell")


def run(args: Namespace) -> int:
    """Run `apigen completion`."""
    sys.stdout.write(
        "".join(f"{line}\n" for line in SCRIPTS[args.shell]({name: options_of(name) for name in COMMANDS}))
    )
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


Options = Mapping[str, tuple[Option, ...]]


def bash(commands: Options) -> Iterator[str]:
    """The script for bash: words of the current command, values after an option, else files."""
    yield "_apigen() {"
    yield '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}" words=""'
    yield '    if [ "$COMP_CWORD" -eq 1 ]; then'
    yield f'        words="{" ".join(commands)} --help --version"'
    yield "    else"
    yield '        case "$command $before" in'
    for name, options in commands.items():
        for option in options:
            if option.flags and option.takes_value:
                patterns = "|".join(f'"{name} {flag}"' for flag in option.flags)
                words = f'COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$word"))' if option.choices else ""
                yield f"            {patterns}) {words + '; ' if words else ''}return ;;"
    yield "        esac"
    yield '        case "$command" in'
    for name, options in commands.items():
        flags = [flag for option in options for flag in option.flags]
        values = [choice for option in options if not option.flags for choice in option.choices]
        yield f'            {name}) words="{" ".join((*values, *flags))}" ;;'
    yield "        esac"
    yield "    fi"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield "}"
    yield "complete -o default -F _apigen apigen"


def zsh(commands: Options) -> Iterator[str]:
    """The script for zsh."""
    yield "#compdef apigen"
    yield "_apigen() {"
    yield "    local -a commands"
    yield f"    commands=({' '.join(_quoted(f'{name}:{COMMANDS[name]}') for name in commands)})"
    yield "    if (( CURRENT == 2 )); then _describe command commands; return; fi"
    yield '    case "${words[2]}" in'
    for name, options in commands.items():
        yield f"        {name}) shift words; (( CURRENT-- )); _arguments -S \\"
        for option in options:
            yield from (f"            {_zsh(option, flag)} \\" for flag in option.flags or ("",))
        yield "            ;;"
    yield "    esac"
    yield "}"
    yield 'if [ "${funcstack[1]}" = _apigen ]; then _apigen "$@"; else compdef _apigen apigen; fi'


def _zsh(option: Option, flag: str) -> str:
    action = f"({' '.join(option.choices)})" if option.choices else "_files"
    about = "".join(f"\\{letter}" if letter in "[]:\\" else letter for letter in option.help)
    if not flag:
        return _quoted(f"*:{about or 'argument'}:{action}")
    return _quoted(f"{flag}[{about}]" + (f":value:{action}" if option.takes_value else ""))


def fish(commands: Options) -> Iterator[str]:
    """The script for fish."""
    for name in commands:
        yield f"complete -c apigen -n __fish_use_subcommand -f -a {name} -d {_quoted(COMMANDS[name])}"
    for name, options in commands.items():
        when = f"complete -c apigen -n '__fish_seen_subcommand_from {name}'"
        for option in options:
            flags = "".join(f" -{'l' if flag.startswith('--') else 's'} {flag.lstrip('-')}" for flag in option.flags)
            values = f" -x -a '{' '.join(option.choices)}'" if option.choices else " -r" if option.takes_value else ""
            if flags or option.choices:
                yield f"{when}{flags}{values if flags else values.replace(' -x', ' -f')} -d {_quoted(option.help)}"


def _quoted(text: str) -> str:
    """A text in single quotes, for all three shells."""
    escaped = " ".join(text.split()).replace("'", "’")
    return f"'{escaped}'"


SCRIPTS: Mapping[str, Callable[[Options], Iterator[str]]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""Shell -> the lines of its script."""
