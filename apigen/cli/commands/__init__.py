"""The commands, in the order in which `apigen --help` lists them. A command's module loads when it is run."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from importlib import import_module
from keyword import iskeyword
from typing import Protocol, cast

COMMANDS: Mapping[str, str] = {
    "init": "begin a project in an empty folder",
    "import": "make specs of an API that is defined elsewhere",
    "generate": "write the output from the specs",
    "verify": "check that the output is what the specs give",
    "lint": "check the specs",
    "diff": "review what a change breaks, and for whom",
    "release": "record what is being shipped",
    "proof": "show what conversions keep, and what is lost on purpose",
    "explain": "explain a diagnostic, a rule of a review, or a field",
    "convert": "convert an object to another version of its API",
    "schema": "print JSON Schemas of the spec files, for editors",
    "completion": "print a script that completes commands in a shell",
}
"""Name -> what it does, in a few words."""


class Command(Protocol):
    """What the module of a command has."""

    DESCRIPTION: str
    EXAMPLES: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of the command."""

    def run(self, args: Namespace) -> int:
        """Run the command; returns the exit code."""
        ...


def command_module(name: str) -> Command:
    """The module of a command."""
    module = f"{name}_" if iskeyword(name) else name
    return cast(Command, import_module(f"{__name__}.{module}"))
