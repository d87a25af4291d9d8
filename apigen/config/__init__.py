"""The configuration of a project: where its specs are, where the output goes. From TOML to one immutable value."""

from apigen.config.find import find_config
from apigen.config.load import load_config
from apigen.config.model import Config, Overrides

__all__ = ["Config", "Overrides", "find_config", "load_config"]
