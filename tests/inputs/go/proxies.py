"""The proxies that GOPROXY names, and getting a file from one (Go modules reference, "GOPROXY protocol")."""

from __future__ import annotations

import fnmatch
import http.client
import re
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from apigen.dataclass import dataclass

MOST_BYTES = 500 * 1024**2
"""Maximum size of a module zip, as in the go command."""

LONGEST_FETCH = 600.0
"""Maximum seconds of a download, and of a pause in it."""

LONGEST_SILENCE = 30.0

_CHUNK = 256 * 1024
_NOT_THERE = (404, 410)
_SCHEMES = ("https", "file")


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy. The next one is used if it does not have the module; with `next_on_any_error`, after any error."""

    url: str
    next_on_any_error: bool = False

    @property
    def shown(self) -> str:
        """Return its URL for messages, without user name and password."""
        scheme, _, rest = self.url.partition("://")
        host, slash, path = rest.partition("/")
        return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


class FetchError(Exception):
    """A file could not be downloaded; `is_missing`: the server does not have it."""

    def __init__(self, reason: str, *, is_missing: bool = False) -> None:
        super().__init__(reason)
        self.is_missing = is_missing


def proxies(module: str, environment: Mapping[str, str]) -> list[Proxy] | str:
    """Return the proxies for a module, in order; or the reason why there is no proxy."""
    said = environment.get("GOPROXY", "")
    if not said.strip():
        return "GOPROXY has no proxy"
    private = environment.get("GONOPROXY") or environment.get("GOPRIVATE") or ""
    if any(_matches(pattern, module) for pattern in private.split(",")):
        return "GOPRIVATE or GONOPROXY excludes it"
    found: list[Proxy] = []
    for entry, separator in re.findall(r"([^,|]*)([,|]?)", said):
        address = entry.strip().rstrip("/")
        if address == "off":
            break
        if address.partition(":")[0] in _SCHEMES:
            found.append(Proxy(address, separator == "|"))
    return found or "GOPROXY has no proxy with https"


def fetch(url: str, target: Path) -> None:
    """Download a URL to a file. Raises FetchError, and OSError if the file cannot be written."""
    deadline = time.monotonic() + LONGEST_FETCH
    try:
        with _OPENER.open(url, timeout=LONGEST_SILENCE) as response, target.open("wb") as file:
            size = 0
            while chunk := response.read(_CHUNK):
                size += len(chunk)
                if size > MOST_BYTES:
                    raise FetchError(f"more than {MOST_BYTES // 1024**2} MB")
                if time.monotonic() > deadline:
                    raise FetchError(f"not done after {LONGEST_FETCH:.0f} seconds")
                file.write(chunk)
    except urllib.error.HTTPError as error:
        raise FetchError(f"{error.code} {error.reason}", is_missing=error.code in _NOT_THERE) from None
    except urllib.error.URLError as error:
        is_missing = isinstance(error.reason, FileNotFoundError)
        raise FetchError(str(error.reason), is_missing=is_missing) from None
    except (TimeoutError, ConnectionError, http.client.HTTPException) as error:
        raise FetchError(str(error) or "the connection was lost") from None
    except ValueError as error:
        raise FetchError(f"invalid address: {error}") from None


class HttpsOnly(urllib.request.HTTPRedirectHandler):
    """Follows redirects, except from https to another scheme."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        if request is not None and request.type != "https":
            raise FetchError("it redirects away from https")
        return request


_OPENER = urllib.request.build_opener(HttpsOnly())


def _matches(pattern: str, module: str) -> bool:
    """Return whether a glob of GOPRIVATE matches a module; it is compared with as many path elements as it has itself."""
    pattern = pattern.strip().rstrip("/")
    if not pattern:
        return False
    elements, leading = pattern.split("/"), module.split("/")
    return len(leading) >= len(elements) and all(map(fnmatch.fnmatchcase, leading, elements))
