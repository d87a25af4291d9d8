"""What lenses do not declare: checks that become rules, a reference by its source, and assignments in compressed form."""

from itertools import takewhile

from generated.kueue_x_k8s_io.hub.types import (
    AdmissionChecksStrategy,
    AdmissionCheckStrategyRule,
    PriorityClassRef,
    TopologyAssignmentSlice,
    TopologyAssignmentSliceLevelIndividualValues,
    TopologyAssignmentSliceLevelValues,
    TopologyAssignmentSlicePodCounts,
)
from generated.kueue_x_k8s_io.v1beta1.types import TopologyDomainAssignment

SOURCES = {
    "kueue.x-k8s.io/workloadpriorityclass": ("kueue.x-k8s.io", "WorkloadPriorityClass"),
    "scheduling.k8s.io/priorityclass": ("scheduling.k8s.io", "PriorityClass"),
}


def cluster_queue_spec_to_hub(source, generated):
    hub = generated(source)
    if source.admission_checks:
        rules = [AdmissionCheckStrategyRule(name=name) for name in source.admission_checks]
        hub.admission_checks_strategy = AdmissionChecksStrategy(admission_checks=rules)
    return hub


def multi_kueue_cluster_spec_to_hub(source, generated):
    hub = generated(source)
    if not source.kube_config.location:
        hub.cluster_source.kube_config = None
    return hub


def workload_spec_to_hub(source, generated):
    hub = generated(source)
    if source.priority_class_source in SOURCES:
        group, kind = SOURCES[source.priority_class_source]
        hub.priority_class_ref = PriorityClassRef(group=group, kind=kind, name=source.priority_class_name)
    return hub


def workload_spec_from_hub(hub, generated):
    result = generated(hub)
    reference = hub.priority_class_ref
    for source, group_and_kind in SOURCES.items():
        if reference is not None and (reference.group, reference.kind) == group_and_kind:
            result.priority_class_source, result.priority_class_name = source, reference.name
    return result


def _common_start(values):
    pairs = zip(min(values), max(values), strict=False)
    return "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _compressed(values):
    prefix = _common_start(values)
    if all(value == prefix for value in values):
        return TopologyAssignmentSliceLevelValues(universal=prefix)
    suffix = _common_start([value[::-1] for value in values])[::-1]
    prefix = prefix[: min(map(len, values)) - len(suffix)]
    roots = [value[len(prefix) : len(value) - len(suffix)] for value in values]
    return TopologyAssignmentSliceLevelValues(
        individual=TopologyAssignmentSliceLevelIndividualValues(
            prefix=prefix or None, suffix=suffix or None, roots=roots
        )
    )


def topology_assignment_to_hub(source, generated):
    hub = generated(source)
    if source.domains:
        counts = [domain.count for domain in source.domains]
        is_same = len(set(counts)) == 1
        hub.slices = [
            TopologyAssignmentSlice(
                domain_count=len(source.domains),
                values_per_level=[
                    _compressed([one.values[i] for one in source.domains]) for i in range(len(source.levels or []))
                ],
                pod_counts=TopologyAssignmentSlicePodCounts(
                    universal=counts[0] if is_same else None, individual=None if is_same else counts
                ),
            )
        ]
    return hub


def _expanded(values, count):
    if values.universal is not None:
        return [values.universal] * count
    prefix, suffix = values.individual.prefix or "", values.individual.suffix or ""
    return [prefix + root + suffix for root in values.individual.roots]


def topology_assignment_from_hub(hub, generated):
    result = generated(hub)
    result.domains = []
    for part in hub.slices or []:
        counts = part.pod_counts.individual
        if part.pod_counts.universal is not None:
            counts = [part.pod_counts.universal] * part.domain_count
        levels = [_expanded(values, part.domain_count) for values in part.values_per_level or []]
        for i in range(part.domain_count):
            values = [level[i] for level in levels]
            result.domains.append(TopologyDomainAssignment(values=values, count=counts[i]))
    return result
