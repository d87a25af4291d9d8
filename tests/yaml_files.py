"""YAML that tests read: cases, records and output. By libyaml where PyYAML has it, in a tenth of the time."""

from __future__ import annotations

from typing import Any

import yaml

_LOADER: type[yaml.CSafeLoader | yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(text: str | bytes) -> Any:
    """Return the values of the one document of a text; None if it is empty."""
    return yaml.load(text, _LOADER)


def read_yaml_documents(text: str | bytes) -> list[Any]:
    """Return the values of each document of a text."""
    return list(yaml.load_all(text, _LOADER))
