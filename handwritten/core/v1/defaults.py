"""Defaults that no word of the spec language says: parsing, arithmetic, and rounding.

A reference to an image follows the grammar of the distribution project. A ResourceList is rounded wherever a kind of the
groups that have defaults holds one, so here at each type that does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from generated.core import v1
from generated.runtime import Quantity
from generated.runtime.features import Features

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    import re

Resources = dict[str, Quantity]

_MILLI = -3
_CPU, _MEMORY, _HUGE_PAGES = "cpu", "memory", "hugepages-"

_DOMAIN_PART = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?"
_DOMAIN = rf"(?:{_DOMAIN_PART}(?:\.{_DOMAIN_PART})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?"
_PATH_PART = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
_REFERENCE = (
    rf"(?:{_DOMAIN}/)?(?P<path>{_PATH_PART}(?:/{_PATH_PART})*)"
    r"(?::(?P<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(?P<digest>.+))?"
)
_DIGEST = r"sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128}"
_IMAGE_ID = r"[a-f0-9]{64}"
_LONGEST_PATH = 255


def default_container(obj: v1.Container, features: Features) -> None:
    """The pull policy that the image asks for."""
    obj.image_pull_policy = obj.image_pull_policy or _pull_policy(obj.image)


def default_ephemeral_container(obj: v1.EphemeralContainer, features: Features) -> None:
    """The same."""
    obj.image_pull_policy = obj.image_pull_policy or _pull_policy(obj.image)


def default_volume(obj: v1.Volume, features: Features) -> None:
    """The same for an image that is mounted."""
    if obj.image is not None and features.enabled("ImageVolume"):
        obj.image.pull_policy = obj.image.pull_policy or _pull_policy(obj.image.reference)


def default_pod(obj: v1.Pod, features: Features) -> None:
    """What a pod asks for as a whole, where it says only a part of it."""
    resources = obj.spec.resources
    if resources is None or not features.enabled("PodLevelResources"):
        return
    if resources.limits or resources.requests:
        limits = _huge_page_limits(obj.spec, resources)
        resources.limits = limits or resources.limits
    if resources.limits:
        requests = _requests(obj.spec, resources.limits, resources.requests or {})
        resources.requests = requests or resources.requests


def default_container_status(obj: v1.ContainerStatus, features: Features) -> None:
    """Rounds."""
    obj.allocated_resources = _rounded_up(obj.allocated_resources)


def default_limit_range_item(obj: v1.LimitRangeItem, features: Features) -> None:
    """Rounds."""
    obj.max = _rounded_up(obj.max)
    obj.min = _rounded_up(obj.min)
    obj.default = _rounded_up(obj.default)
    obj.default_request = _rounded_up(obj.default_request)
    obj.max_limit_request_ratio = _rounded_up(obj.max_limit_request_ratio)


def default_node_status(obj: v1.NodeStatus, features: Features) -> None:
    """Rounds."""
    obj.capacity = _rounded_up(obj.capacity)
    obj.allocatable = _rounded_up(obj.allocatable)


def default_persistent_volume_claim_status(obj: v1.PersistentVolumeClaimStatus, features: Features) -> None:
    """Rounds."""
    obj.capacity = _rounded_up(obj.capacity)
    obj.allocated_resources = _rounded_up(obj.allocated_resources)


def default_persistent_volume_spec(obj: v1.PersistentVolumeSpec, features: Features) -> None:
    """Rounds."""
    obj.capacity = _rounded_up(obj.capacity)


def default_pod_spec(obj: v1.PodSpec, features: Features) -> None:
    """Rounds."""
    obj.overhead = _rounded_up(obj.overhead)


def default_pod_status(obj: v1.PodStatus, features: Features) -> None:
    """Rounds."""
    obj.allocated_resources = _rounded_up(obj.allocated_resources)


def default_resource_quota_spec(obj: v1.ResourceQuotaSpec, features: Features) -> None:
    """Rounds."""
    obj.hard = _rounded_up(obj.hard)


def default_resource_quota_status(obj: v1.ResourceQuotaStatus, features: Features) -> None:
    """Rounds."""
    obj.hard = _rounded_up(obj.hard)
    obj.used = _rounded_up(obj.used)


def default_resource_requirements(obj: v1.ResourceRequirements, features: Features) -> None:
    """Rounds."""
    obj.limits = _rounded_up(obj.limits)
    obj.requests = _rounded_up(obj.requests)


def default_volume_resource_requirements(obj: v1.VolumeResourceRequirements, features: Features) -> None:
    """Rounds."""
    obj.limits = _rounded_up(obj.limits)
    obj.requests = _rounded_up(obj.requests)


def _rounded_up(resources: Resources | None) -> Resources | None:
    """The resources, themselves where nothing has to be rounded, which is nearly always."""
    for quantity in (resources or {}).values():
        if quantity.rounded_up(_MILLI) is not quantity:
            return {name: quantity.rounded_up(_MILLI) for name, quantity in (resources or {}).items()}
    return resources


def _pull_policy(image: str) -> str:
    return "Always" if _is_latest(image) else "IfNotPresent"


def _is_latest(image: str) -> bool:
    """Whether a reference is to the tag `latest`: said, or neither tag nor digest. Text that is no reference is not."""
    found = _form(_REFERENCE).fullmatch(_with_domain(image))
    if found is None or _form(_IMAGE_ID).fullmatch(image):
        return False
    tag, digest = found["tag"], found["digest"]
    if len(found["path"]) > _LONGEST_PATH or (digest and not _form(_DIGEST).fullmatch(digest)):
        return False
    return tag == "latest" or not (tag or digest)


@cache
def _form(pattern: str) -> re.Pattern[str]:
    """The compiled pattern; importing does not wait for it."""
    import re

    return re.compile(pattern)


def _with_domain(image: str) -> str:
    """Short names are those of one registry, in which names of one part are below `library`."""
    domain, slash, rest = image.partition("/")
    if not slash:
        return f"docker.io/library/{image}"
    if domain in ("docker.io", "index.docker.io"):
        return f"docker.io/{rest}" if "/" in rest else f"docker.io/library/{rest}"
    is_domain = domain == "localhost" or "." in domain or ":" in domain or domain != domain.lower()
    return image if is_domain else f"docker.io/{image}"


def _huge_page_limits(spec: v1.PodSpec, resources: v1.ResourceRequirements) -> Resources:
    """Those of the pod, and of huge pages that it says nothing of, those of its containers together."""
    limits = dict(resources.limits or {})
    for name, quantity in _of_containers(spec, lambda container: _huge_pages(container.limits)).items():
        if name not in (resources.requests or {}):
            limits.setdefault(name, quantity)
    return limits


def _requests(spec: v1.PodSpec, limits: Resources, requests: Resources) -> Resources:
    """Those of the pod, those of its containers together, and the limits, in this order."""
    found = dict(requests)
    for name, quantity in _of_containers(spec, lambda container: _cpu_and_memory(container.requests)).items():
        found.setdefault(name, quantity)  # huge pages are never asked for beyond their limit
    for name, quantity in limits.items():
        if name in (_CPU, _MEMORY) or name.startswith(_HUGE_PAGES):
            found.setdefault(name, quantity)
    return found


def _huge_pages(resources: Resources | None) -> Resources:
    return {name: quantity for name, quantity in (resources or {}).items() if name.startswith(_HUGE_PAGES)}


def _cpu_and_memory(resources: Resources | None) -> Resources:
    return {name: quantity for name, quantity in (resources or {}).items() if name in (_CPU, _MEMORY)}


def _of_containers(spec: v1.PodSpec, of: Callable[[v1.ResourceRequirements], Resources]) -> Resources:
    """What all containers need at once, or an init container with the sidecars that are started before it, if more."""
    total = _sum(of(container.resources) for container in spec.containers or ())
    sidecars: Resources = {}
    most: Resources = {}
    for container in spec.init_containers or ():
        own = of(container.resources)
        if container.restart_policy == "Always":
            total = _sum((total, own))
            sidecars = needed = _sum((sidecars, own))
        else:
            needed = _sum((own, sidecars))
        most = _greatest(most, needed)
    return _greatest(total, most)


def _sum(terms: Iterable[Resources]) -> Resources:
    total: Resources = {}
    for term in terms:
        for name, quantity in term.items():
            total[name] = total[name] + quantity if name in total else quantity
    return total


def _greatest(one: Resources, other: Resources) -> Resources:
    more = {name: quantity for name, quantity in other.items() if name not in one or quantity > one[name]}
    return {**one, **more}
