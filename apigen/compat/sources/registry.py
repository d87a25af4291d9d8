"""All sources, in the order in which they are asked whether an input is theirs."""

from __future__ import annotations

from apigen.compat.sources.source import Source

SOURCES: tuple[Source, ...] = ()
