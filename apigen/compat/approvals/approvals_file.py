"""The file that approvals stand in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass
from apigen.diagnostics import Place

if TYPE_CHECKING:
    from apigen.compat.approvals.approval import Approval

FILE_NAME = "apigen-approvals.yaml"
"""What it is called, beside the configuration of the project."""


@dataclass(frozen=True, slots=True)
class ApprovalsFile:
    """A file of approvals. `text` is all of it; `entries` are the places of all entries, those with errors too.

    `is_usable`: it is there and could be taken apart, or it is not there at all.
    """

    path: Path
    shown: str
    text: str = ""
    approvals: tuple[Approval, ...] = ()
    entries: tuple[Place, ...] = ()
    is_usable: bool = True

    @property
    def place(self) -> Place:
        """The file as a whole."""
        return Place(self.shown)
