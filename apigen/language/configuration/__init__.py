"""The configuration of a project: reads TOML into one immutable value with the folders of specs and output."""

from apigen.language.configuration.find import find_config
from apigen.language.configuration.load import load_config
from apigen.language.configuration.model import Config, CrdSettings, Overrides

__all__ = ["Config", "CrdSettings", "Overrides", "find_config", "load_config"]
