"""The values that a configuration is made of."""

from __future__ import annotations

from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.language.configuration.toml_file import TomlFile


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line says in place of the configuration; paths are relative to where apigen runs.

    `series` are releases of other release series than the project's own.
    """

    specs: str | None = None
    output: str | None = None
    package: str | None = None
    release: str | None = None
    series: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CrdSettings:
    """How the manifests of CustomResourceDefinitions look (the table `crd`).

    `service` (`namespace/name`, with `path` and `port`) or `url` is where the conversion webhook answers; `ca_bundle` is the
    base64 text of its certificate authority, `certificate` the cert-manager Certificate (`namespace/name`) that injects it.
    `webhooks` is the name of the configurations of the admission webhooks; None where none are written.
    `gated` says what becomes of fields whose gate is off: `leave-out` or `note`. `descriptions` are the most characters of a
    description; None keeps all of them. `approved` is the address of the pull request that approved an API of `*.k8s.io`.
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
    """Where a project has what. All paths are absolute.

    `groups`, `kinds` and `backends` are None where the project does not choose. `package` is how Python imports the
    output. `release` is the next release, None where nothing says which, and `series` are releases of other release
    series, by name. `formatter` formats the output. `crd` is for the backend of that name. `names_specs`: `specs` is not just the default. `file` is what it was read from, None where there is no configuration.
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
        """Where a setting stands, for what turns out about it later."""
        return Place("command line") if self.file is None else self.file.place(key)
