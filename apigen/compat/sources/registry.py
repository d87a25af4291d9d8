"""All sources, in the order in which they are asked whether an input is theirs."""

from __future__ import annotations

from apigen.compat.sources.crd.source import CrdSource
from apigen.compat.sources.git.source import Git
from apigen.compat.sources.go.source import GoPackages
from apigen.compat.sources.json_schema.source import JsonSchemaSource
from apigen.compat.sources.proto.proto import Proto
from apigen.compat.sources.releases import Releases
from apigen.compat.sources.source import Source
from apigen.compat.sources.specs import Specs

OF_PATHS: tuple[Source, ...] = (Specs(), GoPackages(), Proto(), CrdSource(), JsonSchemaSource())
"""What a file or folder can be."""

SOURCES: tuple[Source, ...] = (*OF_PATHS, Git(OF_PATHS), Releases())
