"""The command line: `apigen-server webhook`."""

from __future__ import annotations

import argparse
import logging
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from . import __version__, logs
from .certificates import Certificates, UnusableCertificateError
from .generated_package import GeneratedPackage, UnusablePackageError
from .metrics import WebhookMetrics
from .serving import CannotListenError, Listening, serve
from .webhook.app import Limits, Readiness, WebhookApp

log = logging.getLogger(__name__)

_UNITS = {"": 1, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    program = argparse.ArgumentParser(prog="apigen-server", description="Serve a package that apigen generated.")
    program.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = program.add_subparsers(dest="command", required=True, metavar="COMMAND")
    webhook = commands.add_parser("webhook", help="serve conversion and admission webhooks of CRDs")
    add = webhook.add_argument
    add("--package", required=True, metavar="NAME", help="the generated package, by its dotted name")
    add(
        "--conversion-context",
        metavar="MODULE:FUNCTION",
        help="a function that returns, for the JSON object that is converted, the context of hand-written conversions",
    )
    add("--release", metavar="X.Y", help="the release of the API that feature gates emulate (default: the next one)")
    add("--series", action="append", default=[], type=_pair, metavar="NAME=X.Y", help="the release of another series")
    add("--feature-gates", default="", metavar="A=true,…", help="feature gates that differ from their default")
    add("--host", default="0.0.0.0", help="the address to listen on (default: all)")
    add("--port", type=_number(0, 65535), default=8443, help="the port to listen on; 0 chooses one (default: 8443)")
    add("--tls-cert", type=Path, metavar="FILE", help="the certificate chain in PEM, loaded again when it changes")
    add("--tls-key", type=Path, metavar="FILE", help="the key of the certificate in PEM, without a password")
    add("--insecure", action="store_true", help="serve HTTP without TLS, for a proxy in front or a test")
    add("--tls-reload-interval", type=_seconds, default=5.0, metavar="SECONDS", help="how often files are checked (5)")
    add("--max-body", type=_bytes, default=32 << 20, metavar="BYTES", help="the largest request body (32Mi)")
    add(
        "--max-buffered",
        type=_bytes,
        default=128 << 20,
        metavar="BYTES",
        help="the most bytes of all bodies at a time (128Mi)",
    )
    add("--request-timeout", type=_seconds, default=30.0, metavar="SECONDS", help="the time limit of a request (30)")
    add(
        "--max-connections",
        type=_number(1, 1_000_000),
        default=1024,
        metavar="COUNT",
        help="the most connections at a time (1024)",
    )
    add(
        "--stop-delay",
        type=_seconds,
        default=0.0,
        metavar="SECONDS",
        help="how long to accept requests after SIGTERM (0)",
    )
    add(
        "--stop-grace",
        type=_number(0, 86400),
        default=10,
        metavar="SECONDS",
        help="how long to wait for running requests (10)",
    )
    add("--log-level", choices=logs.LEVELS, default="info", help="the lowest level to log (info)")
    add("--log-format", choices=("json", "text"), default="json", help="the format of logs (json)")
    return program


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value < 86400:
        raise argparse.ArgumentTypeError(f"expected seconds from 0 to 86400, found {text}")
    return value


def _number(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"expected a number from {least} to {most}, found {text}")
        return value

    return number


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if not name or not value:
        raise argparse.ArgumentTypeError(f"expected a series with its release such as kubernetes=1.34, found {text!r}")
    return name, value


def _bytes(text: str) -> int:
    match = re.fullmatch(r"([0-9]{1,12})(Ki|Mi|Gi|)", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"expected a number of bytes such as 32Mi, found {text!r}")
    return int(match[1]) * _UNITS[match[2]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. Exits with 2 for wrong arguments, with 1 if the package or certificates cannot be loaded."""
    program = parser()
    options = program.parse_args(arguments)
    files: list[Path] = [path for path in (options.tls_cert, options.tls_key) if path is not None]
    if options.insecure == bool(files):
        program.error("give --tls-cert and --tls-key, or --insecure without them")
    if len(files) == 1:
        program.error("--tls-cert and --tls-key belong together")
    if options.max_buffered < options.max_body:
        program.error("--max-buffered must be at least as large as --max-body")
    logs.configure(options.log_level, options.log_format)
    sys.path.insert(0, str(Path.cwd()))  # as `python -m` does
    metrics = WebhookMetrics()
    try:
        package = GeneratedPackage.load(options.package)
        if options.conversion_context is not None:
            package = package.with_context(options.conversion_context)
        certificates = Certificates(files[0], files[1], metrics) if files else None
        features = package.features(options.release, dict(options.series), options.feature_gates)
    except (UnusablePackageError, UnusableCertificateError) as error:
        sys.exit(f"apigen-server: error: {error}")
    readiness = Readiness()
    app = WebhookApp(
        package, features, metrics, Limits(options.max_body, options.max_buffered, options.request_timeout), readiness
    )

    def on_stop() -> None:
        readiness.draining = True
        log.info("stopping", extra={"delay": options.stop_delay, "grace": options.stop_grace})

    listening = Listening(
        options.host,
        options.port,
        None if certificates is None else certificates.context,
        min(10.0, options.request_timeout),
        options.request_timeout,
        options.stop_delay,
        options.stop_grace,
        options.max_connections,
    )
    background = None if certificates is None else certificates.watch(options.tls_reload_interval)
    try:
        serve(app, listening, on_stop=on_stop, background=background)
    except CannotListenError as error:
        sys.exit(f"apigen-server: error: cannot listen on {error}")
