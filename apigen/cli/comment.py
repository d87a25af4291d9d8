"""Post a review as one comment of a pull request or merge request, and update it later: `python -P -m apigen.cli.comment FILE`.

The variables of GitHub Actions and GitLab CI name the API and the request. Comments that begin with the marker of the review are
its own. Without permission to write, as in pull requests from forks, it prints a notice, and the job succeeds.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

SECONDS = 30
"""Timeout of a request to the API, in seconds."""

_PAGE = 100
_MOST_PAGES = 30


class _Api:
    """The API of GitHub or GitLab, as far as comments need it."""

    def __init__(self, root: str, headers: Mapping[str, str]) -> None:
        self._root = root
        self._headers = {"User-Agent": "apigen", "Content-Type": "application/json", **headers}

    def call(self, method: str, path: str, body: Mapping[str, str] | None = None) -> Any:
        """Send a request and return the decoded answer. Raises HTTPError and OSError."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self._root}{path}", data, dict(self._headers), method=method)
        with urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)

    def all(self, path: str) -> Iterator[Mapping[str, Any]]:
        """Return the items of all pages of a list. Raises HTTPError and OSError."""
        for page in range(1, _MOST_PAGES + 1):
            items = self.call("GET", f"{path}?per_page={_PAGE}&page={page}")
            yield from items
            if len(items) < _PAGE:
                return


def post(text: str, variables: Mapping[str, str]) -> str:
    """Create or update the comment, and return a message about it. Raises HTTPError, OSError, and KeyError for a
    missing variable.
    """
    key = variables.get("API_REVIEW", "")
    marker = f"<!-- apigen diff{f' {quote(key)}' if key else ''} -->"
    body = {"body": f"{marker}\n{text}"}
    is_gitlab = "CI_API_V4_URL" in variables
    api, comments = _of_gitlab(variables) if is_gitlab else _of_github(variables)
    if not comments:
        return "no open pull request has this commit"
    own = next((each for each in api.all(comments) if _is_own(each, marker, is_gitlab=is_gitlab)), None)
    if own is None:
        api.call("POST", comments, body)
        return "comment added"
    single = (
        f"{comments}/{own['id']}" if is_gitlab else f"{comments.partition('/issues/')[0]}/issues/comments/{own['id']}"
    )
    api.call("PUT" if is_gitlab else "PATCH", single, body)
    return "comment updated"


def _is_own(comment: Mapping[str, Any], marker: str, *, is_gitlab: bool) -> bool:
    """Return whether a review wrote a comment. On GitHub others can quote the marker, but only an app is a bot."""
    is_by_bot = is_gitlab or comment.get("user", {}).get("type") == "Bot"
    return is_by_bot and str(comment.get("body") or "").startswith(marker)


def _of_gitlab(variables: Mapping[str, str]) -> tuple[_Api, str]:
    project, request = variables["CI_PROJECT_ID"], variables["CI_MERGE_REQUEST_IID"]
    api = _Api(variables["CI_API_V4_URL"], {"PRIVATE-TOKEN": variables["GITLAB_TOKEN"]})
    return api, f"/projects/{quote(project, safe='')}/merge_requests/{int(request)}/notes"


def _of_github(variables: Mapping[str, str]) -> tuple[_Api, str]:
    """The API and the path of the comments; the path is empty if no open pull request has the commit of the reviewed run.

    `PULL_REQUEST` is a number, or `PULL_HEAD` (owner:branch) and `PULL_COMMIT` are those of a run for a fork.
    """
    repository = f"/repos/{variables['GITHUB_REPOSITORY']}"
    api = _Api(variables["GITHUB_API_URL"], {"Authorization": f"Bearer {variables['GITHUB_TOKEN']}"})
    number = variables.get("PULL_REQUEST", "")
    if not number:
        found = api.call("GET", f"{repository}/pulls?{urlencode({'state': 'open', 'head': variables['PULL_HEAD']})}")
        number = next((each["number"] for each in found if each["head"]["sha"] == variables["PULL_COMMIT"]), "")
    return api, f"{repository}/issues/{int(number)}/comments" if number else ""


def main(file: str) -> int:
    """Post the file; the exit code is 0 also if the API rejects the request, because the review is in the job's log in any case."""
    try:
        done = post(Path(file).read_text(encoding="utf-8"), os.environ)
    except KeyError as error:
        done = f"no comment: the variable {error.args[0]} is not set"
    except HTTPError as error:
        done = f"no comment: the API answered {error.code} {error.reason}; the token must be allowed to write comments"
    except OSError as error:
        done = f"no comment: {error}"
    print(f"apigen: {done}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
