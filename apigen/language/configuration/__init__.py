"""The configuration of a project: where its specs are, where the output goes. From TOML to one immutable value."""

from apigen.language.configuration.find import find_config
from apigen.language.configuration.load import load_config
from apigen.language.configuration.model import Config, CrdSettings, Overrides

__all__ = ["Config", "CrdSettings", "Overrides", "find_config", "load_config"]
