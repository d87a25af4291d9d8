"""TLS certificates that are loaded again when their files change."""

from __future__ import annotations

import asyncio
import logging
import ssl
from pathlib import Path

from .metrics import WebhookMetrics

log = logging.getLogger(__name__)

Signature = tuple[tuple[int, int, int], ...]


class UnusableCertificateError(Exception):
    """A certificate and its key cannot be loaded."""


class Certificates:
    """A certificate with its key, in the files that a Kubernetes secret or cert-manager keeps up to date.

    `context` is for the listener: each handshake gets the certificate that was loaded last. Connections that are open keep
    theirs. A pair of files that cannot be loaded, such as a certificate that is there before its key, is tried again.
    """

    def __init__(self, certificate: Path, key: Path, metrics: WebhookMetrics) -> None:
        self._files = (certificate, key)
        self._metrics = metrics
        self._loaded: Signature | None = None
        self._problem = ""
        self.context = self._current = self._load()
        self.context.sni_callback = self._choose  # called in every handshake, also without a server name

    def _choose(self, connection: ssl.SSLSocket | ssl.SSLObject, name: str | None, context: ssl.SSLContext) -> None:
        connection.context = self._current

    def _load(self) -> ssl.SSLContext:
        """Return a context with the files as they are. Raises UnusableCertificateError."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            signature = self._signature()
            context.load_cert_chain(*self._files, password=_no_password)
            if self._signature() != signature:
                raise UnusableCertificateError("the certificate changed while it was loaded")
        except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
            self._metrics.certificate_loads.labels("failure").inc()
            raise UnusableCertificateError(_problem(error, self._files)) from None
        self._loaded = signature
        self._metrics.certificate_loads.labels("success").inc()
        self._metrics.certificate_loaded.set_to_current_time()
        return context

    def _signature(self) -> Signature:
        found = (path.stat() for path in self._files)
        return tuple((stat.st_mtime_ns, stat.st_size, stat.st_ino) for stat in found)

    async def watch(self, seconds: float) -> None:
        """Look for changes of the files without end, every `seconds`; the files of a secret are replaced by links."""
        while True:
            await asyncio.sleep(seconds)
            self.reload()

    def reload(self) -> None:
        """Load the files again if they have changed since they were loaded; if that fails, keep the certificate in use."""
        try:
            signature = self._signature()
            if signature == self._loaded:
                return
            self._current = self._load()
        except (OSError, UnusableCertificateError) as error:
            if str(error) != self._problem:
                log.error("certificate not reloaded, the previous one stays in use", extra={"problem": str(error)})
            self._problem = str(error)
        else:
            self._problem = ""
            log.info("certificate reloaded", extra={"certificate": str(self._files[0])})


def _no_password() -> str:
    """Reject encrypted keys, for which OpenSSL would ask on the terminal."""
    raise ValueError("the key is encrypted; provide it without a password")


def _problem(error: Exception, files: tuple[Path, Path]) -> str:
    return f"certificate {files[0]} with key {files[1]}: {error}"
