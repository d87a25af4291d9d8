"""The commands, in the order in which `apigen --help` lists them. A command's module loads when it is run."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from importlib import import_module
from keyword import iskeyword
from typing import Protocol, cast

COMMANDS: Mapping[str, str] = {
    "init": "create a project in an empty folder",
    "import": "convert an API that is defined elsewhere to specs",
    "generate": "generate the package from the specs",
    "verify": "check that the output matches the specs",
    "lint": "check the specs",
    "diff": "report breaking changes between two versions of an API",
    "release": "record a release",
    "proof": "print which conversions are lossless, and which fields are lost",
    "explain": "explain a diagnostic, a rule of a review, or a field",
    "convert": "convert an object to another version of its API",
    "schema": "print JSON Schemas of the spec files, for editors",
    "completion": "print a script that completes commands in a shell",
}
"""The names of commands, with short descriptions."""


class Command(Protocol):
    """The contents of the module of a command."""

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
