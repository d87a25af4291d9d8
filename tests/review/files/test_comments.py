"""The commands that post a review, run as the files have them against an API on loopback: one comment, which is updated."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.cli.running import ROOT, environment
from tests.yaml_files import read_yaml

SECONDS = 60
HEAD = {"number": 7, "head": {"sha": "c0ffee"}}


class FakeApi:
    """Comments as both APIs have them; `may_write` is whether the token may."""

    def __init__(self) -> None:
        self.comments: list[dict[str, Any]] = []
        self.calls: list[str] = []
        self.pulls: list[dict[str, Any]] = [HEAD]
        self.may_write = True
        self.root = ""

    def answer(self, method: str, path: str, body: dict[str, str] | None) -> tuple[int, Any]:
        """What the API answers."""
        url = urlsplit(path)
        query = parse_qs(url.query)
        self.calls.append(f"{method} {url.path}")
        if method == "GET" and url.path.endswith("/pulls"):
            return 200, self.pulls if query == {"state": ["open"], "head": ["fork:topic"]} else []
        if method == "GET":
            size, page = int(query["per_page"][0]), int(query["page"][0])
            return 200, self.comments[(page - 1) * size : page * size]
        if not self.may_write:
            return 403, {"message": "Resource not accessible by integration"}
        assert body is not None
        if method == "POST":
            self.comments.append({"id": len(self.comments) + 1, "user": {"type": "Bot"}, **body})
            return 201, self.comments[-1]
        comment = next(each for each in self.comments if each["id"] == int(url.path.rsplit("/", 1)[1]))
        comment.update(body)
        return 200, comment


@pytest.fixture
def api() -> Iterator[FakeApi]:
    """A server that ends with the test."""
    fake = FakeApi()

    class Handler(BaseHTTPRequestHandler):
        def _any(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            code, value = fake.answer(self.command, self.path, json.loads(self.rfile.read(size)) if size else None)
            self.send_response(code)
            self.end_headers()
            self.wfile.write(json.dumps(value).encode())

        do_GET = do_POST = do_PATCH = do_PUT = _any  # noqa: N815 (names of the base class)

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    fake.root = f"http://127.0.0.1:{server.server_port}"
    yield fake
    server.shutdown()
    server.server_close()


def run(folder: Path, script: str, **variables: str) -> str:
    """Run a script as a CI system does, with `python` as this one, which installs nothing; return its output."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "python").write_text(f'#!/bin/sh\n[ "$2" = pip ] || exec "{sys.executable}" -P "$@"\n')
    (programs / "python").chmod(0o755)
    path = f"{programs}:/usr/bin:/bin"
    ran = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env=environment(PATH=path, PYTHONPATH=str(ROOT), **variables),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def read(name: str) -> Any:
    return read_yaml((ROOT / name).read_text(encoding="utf-8"))


def comment_of_action(folder: Path, api: FakeApi, text: str, key: str = "") -> str:
    (folder / "review.md").write_text(text)
    step = next(each for each in read("action.yml")["runs"]["steps"] if each.get("id") == "comment")
    given = dict.fromkeys(step["env"], "")
    assert set(given) == {"API_REVIEW", "GITHUB_TOKEN", "MARKDOWN", "PULL_REQUEST"}
    given |= {"API_REVIEW": key, "GITHUB_TOKEN": "t", "MARKDOWN": "review.md", "PULL_REQUEST": "7"}
    return run(folder, step["run"], GITHUB_API_URL=api.root, GITHUB_REPOSITORY="o/r", **given)


def test_the_action_adds_one_comment_and_updates_it(tmp_path: Path, api: FakeApi) -> None:
    quoted = {"id": 1, "user": {"type": "User"}, "body": "<!-- apigen diff -->\nby a person"}
    api.comments = [quoted, *({"id": n, "user": {"type": "Bot"}, "body": "other"} for n in range(2, 151))]
    assert comment_of_action(tmp_path, api, "first") == "apigen: comment added\n"
    assert comment_of_action(tmp_path, api, "second") == "apigen: comment updated\n"
    bodies = [each["body"] for each in api.comments[150:]]
    assert bodies == ["<!-- apigen diff -->\nsecond"]
    assert str(quoted["body"]).endswith("by a person")
    assert api.calls[-1] == "PATCH /repos/o/r/issues/comments/151"


def test_each_folder_has_its_own_comment(tmp_path: Path, api: FakeApi) -> None:
    comment_of_action(tmp_path, api, "first")
    comment_of_action(tmp_path, api, "second", key="a b--> c")
    comment_of_action(tmp_path, api, "third", key="a b--> c")
    assert [each["body"] for each in api.comments] == [
        "<!-- apigen diff -->\nfirst",
        "<!-- apigen diff a%20b--%3E%20c -->\nthird",
    ]


def test_read_only_token_causes_a_notice(tmp_path: Path, api: FakeApi) -> None:
    api.may_write = False
    assert "no comment: the API answered 403 Forbidden" in comment_of_action(tmp_path, api, "text")


def comment_of_fork(folder: Path, api: FakeApi) -> str:
    (folder / "review").mkdir(exist_ok=True)
    (folder / "review" / "api-review.md").write_text("text")
    step = read("docs/examples/review/fork-comment.yml")["jobs"]["comment"]["steps"][-1]
    assert set(step["env"]) == {"GITHUB_TOKEN", "PULL_HEAD", "PULL_COMMIT"}
    given = {"GITHUB_TOKEN": "t", "PULL_HEAD": "fork:topic", "PULL_COMMIT": "c0ffee"}
    return run(folder, step["run"], GITHUB_API_URL=api.root, GITHUB_REPOSITORY="o/r", **given)


def test_the_comment_for_a_fork_finds_the_pull_request(tmp_path: Path, api: FakeApi) -> None:
    assert comment_of_fork(tmp_path, api) == "apigen: comment added\n"
    assert api.calls[-1] == "POST /repos/o/r/issues/7/comments"
    api.pulls = [{"number": 7, "head": {"sha": "0ther"}}]
    assert comment_of_fork(tmp_path, api) == "apigen: no open pull request has this commit\n"


def test_fork_run_has_no_secrets_and_uploads_the_review() -> None:
    text = (ROOT / "docs/examples/review/fork-review.yml").read_text()
    review, comment = read_yaml(text), read("docs/examples/review/fork-comment.yml")
    assert "secrets." not in text
    assert review["permissions"] == {"contents": "read"}
    upload, download = review["jobs"]["review"]["steps"][-1], comment["jobs"]["comment"]["steps"][1]
    assert upload["with"]["name"] == download["with"]["name"]
    assert comment[True]["workflow_run"]["workflows"] == [review["name"]]
    assert all("checkout" not in step.get("uses", "") for step in comment["jobs"]["comment"]["steps"])


def test_gitlab_job_adds_one_note_and_updates_it(tmp_path: Path, api: FakeApi) -> None:
    job = read("docs/examples/review/gitlab.yml")["api-review"]
    (script,) = job["after_script"]
    variables = {"CI_API_V4_URL": api.root, "CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "3"}
    (tmp_path / "api-review.md").write_text("first")
    assert "the variable GITLAB_TOKEN is not set" in run(tmp_path, script, **variables)
    assert run(tmp_path, script, GITLAB_TOKEN="t", **variables) == "apigen: comment added\n"
    (tmp_path / "api-review.md").write_text("second")
    assert run(tmp_path, script, GITLAB_TOKEN="t", **variables) == "apigen: comment updated\n"
    assert [each["body"] for each in api.comments] == ["<!-- apigen diff -->\nsecond"]
    assert api.calls[-1] == "PUT /projects/5/merge_requests/3/notes/1"
