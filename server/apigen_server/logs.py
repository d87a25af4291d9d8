"""Structured logs: one JSON object per line, on standard error."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Literal

LEVELS = ("debug", "info", "warning", "error")
Format = Literal["json", "text"]

LONGEST = 2_000
"""Characters of a value in a record."""

_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}
"""The attributes that every record has; all others were passed as `extra`."""


class JsonFormatter(logging.Formatter):
    """Formats a record as a JSON object; `extra` values are further properties."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_extra(record),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class TextFormatter(logging.Formatter):
    """Formats a record as text; `extra` values are appended as `name=value`."""

    def format(self, record: logging.LogRecord) -> str:
        extra = "".join(f" {name}={json.dumps(value, default=str)}" for name, value in _extra(record).items())
        return super().format(record) + extra


def _extra(record: logging.LogRecord) -> dict[str, object]:
    return {name: _shortened(value) for name, value in vars(record).items() if name not in _OWN}


def _shortened(value: object) -> object:
    """Return a value without the middle of a long text, which may be as long as a client likes."""
    if isinstance(value, str) and len(value) > LONGEST:
        half = LONGEST // 2
        return f"{value[:half]}…{value[-half:]}"
    return value


def configure(level: str, form: Format) -> None:
    """Send the logs of this package and of uvicorn to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    text = TextFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonFormatter() if form == "json" else text)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("uvicorn.error").setLevel(max(root.level, logging.WARNING))  # the rest repeats our own records
