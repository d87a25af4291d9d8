"""Reviews while a function of the generated package raises an error that it should not."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from typing import Any

import pytest
from apigen_server.generated_package import GeneratedPackage
from apigen_server.webhook.admission import Admission
from apigen_server.webhook.conversion import Conversion

from . import test_admission, test_conversion
from .test_conversion import V6, frobber


class BrokenScheme:
    """The scheme of `generated`, but for one function, which fails for objects that are called `broken`."""

    def __init__(self, scheme: Any, name: str) -> None:
        self._scheme = scheme
        self._name = name

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._scheme, name)
        if name != self._name:
            return found

        def fail(obj: Any, *arguments: Any, **options: Any) -> Any:
            if obj.metadata.name == "broken":
                raise KeyError("bug")
            return found(obj, *arguments, **options)

        return fail


@pytest.fixture
def broken() -> GeneratedPackage:
    package = GeneratedPackage.load("generated")
    return dataclasses.replace(package, scheme=BrokenScheme(package.scheme, "convert"))


def test_a_failing_converter_fails_its_review(broken: GeneratedPackage, caplog: pytest.LogCaptureFixture) -> None:
    conversion = Conversion(broken)
    review = test_conversion.review(frobber("good"), frobber("broken"))
    found = json.loads(asyncio.run(conversion.respond(json.dumps(review).encode())).body)["response"]
    assert found["uid"] == "abc"
    message = f"objects[1]: {V6} Frobber \"default/broken\": internal error of the converter: KeyError('bug')"
    assert found["result"] == {"status": "Failure", "message": message}
    assert [record.exc_info is not None for record in caplog.records] == [True]
    review = test_conversion.review(frobber("good"))
    found = json.loads(asyncio.run(conversion.respond(json.dumps(review).encode())).body)["response"]
    assert found["result"] == {"status": "Success"}


def test_a_failing_function_denies_its_request(broken: GeneratedPackage, caplog: pytest.LogCaptureFixture) -> None:
    admission = Admission(broken, broken.features(None, {}, ""))
    review = test_admission.review(frobber("broken"), frobber("broken"))
    for respond in (admission.mutate, admission.validate):
        found = json.loads(asyncio.run(respond(json.dumps(review).encode())).body)["response"]
        assert (found["uid"], found["allowed"]) == ("abc", False)
        assert found["status"]["code"] == 500
        assert found["status"]["message"] == "internal error of the webhook: KeyError('bug')"
    assert len(caplog.records) == 2
