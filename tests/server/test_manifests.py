"""The manifests for Kustomize and Helm: what they render fits together, and is what the server accepts."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from apigen_server.cli import parser

from generated import scheme
from tests.cluster.programs import NOT_BUILT, program, why_unbuilt
from tests.yaml_files import read_yaml_documents

from .processes import PROJECT, Json, started
from .test_admission import review as admission_review
from .test_conversion import frobber
from .test_conversion import review as conversion_review

DEPLOY = PROJECT / "server" / "deploy"
HELM_VALUES = """
image: {repository: registry.example.com/things, tag: "1.14"}
admission:
  rules:
    - {apiGroups: [things.example.com], apiVersions: ["*"], resources: [frobbers, frobbers/status]}
"""


def rendered(command: list[str]) -> list[Json]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return [document for document in read_yaml_documents(done.stdout) if document]


def by_kustomize(folder: Path) -> list[Json]:
    kubectl = shutil.which("kubectl") or program("kubectl")
    if kubectl is None:
        pytest.skip(why_unbuilt(["kubectl"]))
    return rendered([str(kubectl), "kustomize", str(DEPLOY / "kustomize" / "example")])


def helm() -> str:
    found = shutil.which("helm") or shutil.which("helm", path=PROJECT / "build" / "tools")
    if found is None:
        pytest.skip(f"{NOT_BUILT} helm; run `make helm`")
    return found


def by_helm(folder: Path) -> list[Json]:
    values = folder / "values.yaml"
    values.write_text(HELM_VALUES, encoding="utf-8")
    command = [helm(), "template", "things", str(DEPLOY / "helm"), "--namespace", "api", "--values", str(values)]
    return rendered(command)


def the(documents: list[Json], kind: str) -> Json:
    (found,) = (document for document in documents if document["kind"] == kind)
    return found


def namespace(document: Json, documents: list[Json]) -> str:
    """The namespace of a document, which helm leaves to the command that installs it."""
    return str(document["metadata"].get("namespace", "api"))


def arguments(documents: list[Json]) -> list[str]:
    """The arguments of the container, as Kubernetes expands them."""
    (container,) = the(documents, "Deployment")["spec"]["template"]["spec"]["containers"]
    environment = {each["name"]: each["value"] for each in container.get("env", ())}
    return [re.sub(r"\$\((\w+)\)", lambda name: environment[name[1]], each) for each in container["args"]]


def service_references(documents: list[Json]) -> Iterator[tuple[Json, str]]:
    """The client configurations of webhooks, and the annotation that names the certificate of each."""
    for document in documents:
        annotation = document["metadata"].get("annotations", {}).get("cert-manager.io/inject-ca-from", "")
        for webhook in document.get("webhooks", ()):
            yield webhook["clientConfig"]["service"], annotation
        if document["kind"] == "CustomResourceDefinition":
            yield document["spec"]["conversion"]["webhook"]["clientConfig"]["service"], annotation


@pytest.mark.slow
@pytest.mark.parametrize("render", [by_kustomize, by_helm])
def test_manifests_render_what_the_server_accepts(render: Callable[[Path], list[Json]], tmp_path: Path) -> None:
    documents = render(tmp_path)
    deployment, service, certificate = (the(documents, kind) for kind in ("Deployment", "Service", "Certificate"))
    pod = deployment["spec"]["template"]
    (container,) = pod["spec"]["containers"]
    options = parser().parse_args(arguments(documents))

    labels = pod["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"].items() <= labels.items()
    assert service["spec"]["selector"].items() <= labels.items()
    assert the(documents, "PodDisruptionBudget")["spec"]["selector"]["matchLabels"].items() <= labels.items()

    assert container["ports"] == [{"name": "https", "containerPort": options.port}]
    assert [(port["port"], port["targetPort"]) for port in service["spec"]["ports"]] == [(443, "https")]
    assert pod["spec"]["terminationGracePeriodSeconds"] > options.stop_delay + options.stop_grace
    assert container["image"] in ("registry.example.com/things-webhook:1.14", "registry.example.com/things:1.14")

    (volume,) = pod["spec"]["volumes"]
    (mount,) = container["volumeMounts"]
    assert (mount["name"], volume["secret"]["secretName"]) == (volume["name"], certificate["spec"]["secretName"])
    assert {str(path.parent) for path in (options.tls_cert, options.tls_key)} == {mount["mountPath"]}
    host = f"{service['metadata']['name']}.{namespace(service, documents)}.svc"
    assert host in certificate["spec"]["dnsNames"]
    assert certificate["spec"]["issuerRef"]["name"] == the(documents, "Issuer")["metadata"]["name"]

    references = list(service_references(documents))
    for reference, annotation in references:
        assert f"{reference['name']}.{reference['namespace']}.svc" == host
        assert annotation == f"{namespace(certificate, documents)}/{certificate['metadata']['name']}"
    paths = {reference["path"] for reference, _ in references}
    assert paths == ({"/mutate", "/validate", "/convert"} if render is by_kustomize else {"/mutate", "/validate"})

    here = [each.replace("/certs/", f"{tmp_path}/") for each in arguments(documents) if "--port" not in each]
    with started(tmp_path, *here, "--port=0", "--host=127.0.0.1", "--stop-delay=0") as server:
        for probe in ("livenessProbe", "readinessProbe"):
            assert server.request("GET", container[probe]["httpGet"]["path"])[0] == 200
        for path in paths:
            review = conversion_review(frobber("a")) if path == "/convert" else admission_review(frobber("a"))
            server.review(path, review)
        assert server.stop() == 0


@pytest.mark.parametrize("render", [by_kustomize, by_helm])
def test_rules_name_resources_of_the_package(render: Callable[[Path], list[Json]], tmp_path: Path) -> None:
    documents = render(tmp_path)
    webhooks = [webhook for document in documents for webhook in document.get("webhooks", ())]
    assert len(webhooks) == 2
    plurals = {kind.partition(".")[0].lower() + "s" for kind in scheme.kinds()}
    for webhook in webhooks:
        assert webhook["admissionReviewVersions"] == ["v1"]
        assert webhook["sideEffects"] == "None"
        for rule in webhook["rules"]:
            assert rule["operations"] == ["CREATE", "UPDATE"]
            assert {resource.partition("/")[0] for resource in rule["resources"]} <= plurals


def test_chart_supports_extra_arguments_and_issuer(tmp_path: Path) -> None:
    settings = ["--set", "arguments={--feature-gates=Frobber2D=false,--log-format=text}"]
    settings += ["--set", "issuer.name=ca,issuer.kind=ClusterIssuer", "--set", "replicas=1"]
    documents = rendered([helm(), "template", "things", str(DEPLOY / "helm"), *settings])
    options = parser().parse_args(arguments(documents))
    assert (options.feature_gates, options.log_format) == ("Frobber2D=false", "text")
    assert the(documents, "Certificate")["spec"]["issuerRef"] == {"kind": "ClusterIssuer", "name": "ca"}
    kinds = {document["kind"] for document in documents}
    assert not kinds & {"Issuer", "PodDisruptionBudget", "MutatingWebhookConfiguration"}


def test_chart_passes_helm_lint() -> None:
    done = subprocess.run(
        [helm(), "lint", "--strict", str(DEPLOY / "helm")], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
