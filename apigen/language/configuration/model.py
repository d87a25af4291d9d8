"""The values of a configuration."""

from __future__ import annotations

from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.language.configuration.toml_file import TomlFile


@dataclass(frozen=True, slots=True)
class Overrides:
    """Settings of the command line that override the configuration; paths are relative to the working directory.

    `series` are releases of other release series than the project's own.
    """

    specs: str | None = None
    output: str | None = None
    package: str | None = None
    release: str | None = None
    series: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CrdSettings:
    """The settings of CRD manifests (the table `crd`).

    `service` (`namespace/name`, with `path` and `port`) or `url` is the address of the conversion webhook; `ca_bundle`
    is the base64 text of its certificate authority, `certificate` the cert-manager Certificate (`namespace/name`) that
    injects it. `webhooks` is the name of the configurations of the admission webhooks; None without them.
    `gated` is the treatment of fields whose gate is disabled: `leave-out` or `note`. `descriptions` is the maximum
    length of a description; None keeps all of them. `approved` is the address of the pull request that approved an API
    of `*.k8s.io`.
    """

    service: str = "system/webhook-service"
    path: str = "/convert"
    port: int = 443
    url: str | None = None
    ca_bundle: str | None = None
    certificate: str | None = None
    webhooks: str | None = None
    gated: str = "leave-out"
    descriptions: int | None = None
    approved: str | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a project. All paths are absolute.

    `groups`, `kinds` and `backends` are None if the project does not choose. `package` is the name of the output as a
    Python package. `release` is the next release, None if it is not declared, and `series` are releases of other
    release series, by name. `formatter` formats the output. `crd` is for the backend of that name. `names_specs`:
    `specs` is not just the default. `file` is the configuration file, None without one.
    """

    specs: Path
    output: Path
    package: str
    handwritten: Path
    groups: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    backends: tuple[str, ...] | None = None
    release: str | None = None
    series: tuple[tuple[str, str], ...] = ()
    formatter: str = "ruff"
    crd: CrdSettings = CrdSettings()
    names_specs: bool = True
    file: TomlFile | None = None

    def place(self, key: str) -> Place:
        """Return the location of a setting, for errors that are found later."""
        return Place("command line") if self.file is None else self.file.place(key)
