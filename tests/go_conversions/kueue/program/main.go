// Program conversions records what kueue's own conversions make of random objects.
//
//	conversions COUNT SEED [KIND...]
package main

import (
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"

	"apigen.test/recording"

	old "sigs.k8s.io/kueue/apis/kueue/v1beta1"
	new "sigs.k8s.io/kueue/apis/kueue/v1beta2"
)

const group = "kueue.x-k8s.io"

var kinds = map[string]recording.Kind{
	"ClusterQueue":      {Group: group, Spoke: &old.ClusterQueue{}, Hub: &new.ClusterQueue{}},
	"Cohort":            {Group: group, Spoke: &old.Cohort{}, Hub: &new.Cohort{}},
	"LocalQueue":        {Group: group, Spoke: &old.LocalQueue{}, Hub: &new.LocalQueue{}},
	"MultiKueueCluster": {Group: group, Spoke: &old.MultiKueueCluster{}, Hub: &new.MultiKueueCluster{}},
	"Workload":          {Group: group, Spoke: &old.Workload{}, Hub: &new.Workload{}},
}

func functions(_ serializer.CodecFactory) []any {
	return []any{
		func(in **metav1.Time, c randfill.Continue) {
			if c.Bool() {
				moment := metav1.Unix(c.Int63n(1<<33), 0).Rfc3339Copy()
				*in = &moment
			}
		},
		func(in *intstr.IntOrString, c randfill.Continue) {
			*in = []intstr.IntOrString{intstr.FromInt32(c.Int31n(50)), intstr.FromString("30%"), {}}[c.Intn(3)]
		},
		func(in *corev1.PodSpec, c randfill.Continue) {
			c.FillNoCustom(in)
			in.WorkloadRef = nil // alpha in Kubernetes 1.35, removed in 1.36, from which apigen has its types
		},
		func(in *old.FlavorFungibilityPolicy, c randfill.Continue) {
			*in = one(c, old.Borrow, old.Preempt, old.MayStopSearch, old.TryNextFlavor, "", "Other")
		},
		func(in *new.FlavorFungibilityPolicy, c randfill.Continue) {
			*in = one(c, new.MayStopSearch, new.TryNextFlavor, "", "Borrow", "Preempt")
		},
		func(in *old.WorkloadSpec, c randfill.Continue) {
			c.FillNoCustom(in)
			in.PriorityClassSource = one(c, old.WorkloadPriorityClassSource, old.PodPriorityClassSource, "")
		},
		func(in *new.PriorityClassRef, c randfill.Continue) {
			c.FillNoCustom(in)
			in.Group = one(c, new.WorkloadPriorityClassGroup, new.PodPriorityClassGroup, "")
			in.Kind = one(c, new.WorkloadPriorityClassKind, new.PodPriorityClassKind, "")
		},
		func(in **old.TopologyAssignment, c randfill.Continue) {
			if c.Intn(4) > 0 {
				*in = assignmentOld(c)
			}
		},
		func(in **new.TopologyAssignment, c randfill.Continue) {
			if c.Intn(4) > 0 {
				*in = assignmentNew(c)
			}
		},
	}
}

func one[T any](c randfill.Continue, values ...T) T {
	return values[c.Intn(len(values))]
}

// Returns texts, of which many share a start and an end.
func texts(c randfill.Continue, number int) []string {
	start, end := one(c, "", "a", "rack-", "aba"), one(c, "", "a", ".local", "ba")
	found := []string{}
	for i := range number {
		found = append(found, start+one(c, "", "b", "ab", fmt.Sprint(i), fmt.Sprint(c.Intn(100)))+end)
	}
	return found
}

// Returns an assignment whose domains have a value of each level; conversions of others panic.
func assignmentOld(c randfill.Continue) *old.TopologyAssignment {
	made := &old.TopologyAssignment{Levels: texts(c, c.Intn(4))}
	same := c.Bool()
	for range c.Intn(5) {
		domain := old.TopologyDomainAssignment{Count: 1 + c.Int31n(3)}
		if same {
			domain.Count = 2
		}
		made.Domains = append(made.Domains, domain)
	}
	for range made.Levels {
		for i, value := range texts(c, len(made.Domains)) {
			made.Domains[i].Values = append(made.Domains[i].Values, value)
		}
	}
	return made
}

// Returns an assignment whose slices have values and counts of each domain; conversions of others panic.
func assignmentNew(c randfill.Continue) *new.TopologyAssignment {
	made := &new.TopologyAssignment{Levels: texts(c, c.Intn(4))}
	for range c.Intn(3) {
		slice := new.TopologyAssignmentSlice{DomainCount: 1 + c.Int31n(3)}
		if c.Bool() {
			slice.PodCounts.Universal = pointer(1 + c.Int31n(3))
		} else {
			for range slice.DomainCount {
				slice.PodCounts.Individual = append(slice.PodCounts.Individual, 1+c.Int31n(3))
			}
		}
		for range made.Levels {
			slice.ValuesPerLevel = append(slice.ValuesPerLevel, levelValues(c, int(slice.DomainCount)))
		}
		made.Slices = append(made.Slices, slice)
	}
	return made
}

func levelValues(c randfill.Continue, number int) new.TopologyAssignmentSliceLevelValues {
	if c.Intn(3) == 0 {
		return new.TopologyAssignmentSliceLevelValues{Universal: pointer(texts(c, 1)[0])}
	}
	individual := &new.TopologyAssignmentSliceLevelIndividualValues{Roots: texts(c, number)}
	if c.Bool() {
		individual.Prefix = pointer(one(c, "", "rack-"))
	}
	if c.Bool() {
		individual.Suffix = pointer(one(c, "", ".local"))
	}
	return new.TopologyAssignmentSliceLevelValues{Individual: individual}
}

func pointer[T any](value T) *T {
	return &value
}

func main() {
	recording.Main(recording.Project{
		Kinds:     kinds,
		Functions: functions,
		Whole: []reflect.Type{
			reflect.TypeFor[corev1.WorkloadReference](),
			reflect.TypeFor[old.TopologyAssignment](),
			reflect.TypeFor[new.TopologyAssignment](),
		},
	})
}
