package main

import (
	"encoding/json"
	"os"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	apiversion "k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/server/storage"
	"k8s.io/component-base/compatibility"

	admission_v1 "k8s.io/api/admission/v1"
	admission_v1beta1 "k8s.io/api/admission/v1beta1"
	admissionregistration_v1 "k8s.io/api/admissionregistration/v1"
	admissionregistration_v1alpha1 "k8s.io/api/admissionregistration/v1alpha1"
	admissionregistration_v1beta1 "k8s.io/api/admissionregistration/v1beta1"
	apidiscovery_v2 "k8s.io/api/apidiscovery/v2"
	apidiscovery_v2beta1 "k8s.io/api/apidiscovery/v2beta1"
	apiserverinternal_v1alpha1 "k8s.io/api/apiserverinternal/v1alpha1"
	apps_v1 "k8s.io/api/apps/v1"
	apps_v1beta1 "k8s.io/api/apps/v1beta1"
	apps_v1beta2 "k8s.io/api/apps/v1beta2"
	authentication_v1 "k8s.io/api/authentication/v1"
	authentication_v1alpha1 "k8s.io/api/authentication/v1alpha1"
	authentication_v1beta1 "k8s.io/api/authentication/v1beta1"
	authorization_v1 "k8s.io/api/authorization/v1"
	authorization_v1beta1 "k8s.io/api/authorization/v1beta1"
	autoscaling_v1 "k8s.io/api/autoscaling/v1"
	autoscaling_v2 "k8s.io/api/autoscaling/v2"
	batch_v1 "k8s.io/api/batch/v1"
	batch_v1beta1 "k8s.io/api/batch/v1beta1"
	certificates_v1 "k8s.io/api/certificates/v1"
	certificates_v1alpha1 "k8s.io/api/certificates/v1alpha1"
	certificates_v1beta1 "k8s.io/api/certificates/v1beta1"
	coordination_v1 "k8s.io/api/coordination/v1"
	coordination_v1alpha2 "k8s.io/api/coordination/v1alpha2"
	coordination_v1beta1 "k8s.io/api/coordination/v1beta1"
	core_v1 "k8s.io/api/core/v1"
	discovery_v1 "k8s.io/api/discovery/v1"
	discovery_v1beta1 "k8s.io/api/discovery/v1beta1"
	events_v1 "k8s.io/api/events/v1"
	events_v1beta1 "k8s.io/api/events/v1beta1"
	extensions_v1beta1 "k8s.io/api/extensions/v1beta1"
	flowcontrol_v1 "k8s.io/api/flowcontrol/v1"
	flowcontrol_v1beta1 "k8s.io/api/flowcontrol/v1beta1"
	flowcontrol_v1beta2 "k8s.io/api/flowcontrol/v1beta2"
	flowcontrol_v1beta3 "k8s.io/api/flowcontrol/v1beta3"
	imagepolicy_v1alpha1 "k8s.io/api/imagepolicy/v1alpha1"
	lifecycle_v1alpha1 "k8s.io/api/lifecycle/v1alpha1"
	networking_v1 "k8s.io/api/networking/v1"
	networking_v1beta1 "k8s.io/api/networking/v1beta1"
	node_v1 "k8s.io/api/node/v1"
	node_v1alpha1 "k8s.io/api/node/v1alpha1"
	node_v1beta1 "k8s.io/api/node/v1beta1"
	policy_v1 "k8s.io/api/policy/v1"
	policy_v1beta1 "k8s.io/api/policy/v1beta1"
	rbac_v1 "k8s.io/api/rbac/v1"
	rbac_v1alpha1 "k8s.io/api/rbac/v1alpha1"
	rbac_v1beta1 "k8s.io/api/rbac/v1beta1"
	resource_v1 "k8s.io/api/resource/v1"
	resource_v1alpha3 "k8s.io/api/resource/v1alpha3"
	resource_v1beta1 "k8s.io/api/resource/v1beta1"
	resource_v1beta2 "k8s.io/api/resource/v1beta2"
	scheduling_v1 "k8s.io/api/scheduling/v1"
	scheduling_v1alpha3 "k8s.io/api/scheduling/v1alpha3"
	scheduling_v1beta1 "k8s.io/api/scheduling/v1beta1"
	storage_v1 "k8s.io/api/storage/v1"
	storage_v1alpha1 "k8s.io/api/storage/v1alpha1"
	storage_v1beta1 "k8s.io/api/storage/v1beta1"
	storagemigration_v1 "k8s.io/api/storagemigration/v1"
	storagemigration_v1beta1 "k8s.io/api/storagemigration/v1beta1"
)

type row struct {
	Group, Kind, Emulation, MinCompatibility, Storage string
}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admission_v1.AddToScheme,
		admission_v1beta1.AddToScheme,
		admissionregistration_v1.AddToScheme,
		admissionregistration_v1alpha1.AddToScheme,
		admissionregistration_v1beta1.AddToScheme,
		apidiscovery_v2.AddToScheme,
		apidiscovery_v2beta1.AddToScheme,
		apiserverinternal_v1alpha1.AddToScheme,
		apps_v1.AddToScheme,
		apps_v1beta1.AddToScheme,
		apps_v1beta2.AddToScheme,
		authentication_v1.AddToScheme,
		authentication_v1alpha1.AddToScheme,
		authentication_v1beta1.AddToScheme,
		authorization_v1.AddToScheme,
		authorization_v1beta1.AddToScheme,
		autoscaling_v1.AddToScheme,
		autoscaling_v2.AddToScheme,
		batch_v1.AddToScheme,
		batch_v1beta1.AddToScheme,
		certificates_v1.AddToScheme,
		certificates_v1alpha1.AddToScheme,
		certificates_v1beta1.AddToScheme,
		coordination_v1.AddToScheme,
		coordination_v1alpha2.AddToScheme,
		coordination_v1beta1.AddToScheme,
		core_v1.AddToScheme,
		discovery_v1.AddToScheme,
		discovery_v1beta1.AddToScheme,
		events_v1.AddToScheme,
		events_v1beta1.AddToScheme,
		extensions_v1beta1.AddToScheme,
		flowcontrol_v1.AddToScheme,
		flowcontrol_v1beta1.AddToScheme,
		flowcontrol_v1beta2.AddToScheme,
		flowcontrol_v1beta3.AddToScheme,
		imagepolicy_v1alpha1.AddToScheme,
		lifecycle_v1alpha1.AddToScheme,
		networking_v1.AddToScheme,
		networking_v1beta1.AddToScheme,
		node_v1.AddToScheme,
		node_v1alpha1.AddToScheme,
		node_v1beta1.AddToScheme,
		policy_v1.AddToScheme,
		policy_v1beta1.AddToScheme,
		rbac_v1.AddToScheme,
		rbac_v1alpha1.AddToScheme,
		rbac_v1beta1.AddToScheme,
		resource_v1.AddToScheme,
		resource_v1alpha3.AddToScheme,
		resource_v1beta1.AddToScheme,
		resource_v1beta2.AddToScheme,
		scheduling_v1.AddToScheme,
		scheduling_v1alpha3.AddToScheme,
		scheduling_v1beta1.AddToScheme,
		storage_v1.AddToScheme,
		storage_v1alpha1.AddToScheme,
		storage_v1beta1.AddToScheme,
		storagemigration_v1.AddToScheme,
		storagemigration_v1beta1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	groups := map[string][]schema.GroupVersion{}
	for gvk := range scheme.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal {
			continue
		}
		gv := gvk.GroupVersion()
		known := false
		for _, other := range groups[gv.Group] {
			known = known || other == gv
		}
		if !known {
			groups[gv.Group] = append(groups[gv.Group], gv)
		}
	}
	for _, gvs := range groups {
		sort.Slice(gvs, func(i, j int) bool { return version.CompareKubeAwareVersionStrings(gvs[i].Version, gvs[j].Version) > 0 })
		if err := scheme.SetVersionPriority(gvs...); err != nil {
			panic(err)
		}
	}
	type intro interface{ APILifecycleIntroduced() (int, int) }
	kinds := map[schema.GroupKind]runtime.Object{}
	for gvk := range scheme.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal || strings.HasSuffix(gvk.Kind, "List") {
			continue
		}
		obj, err := scheme.New(gvk)
		if err != nil {
			panic(err)
		}
		if _, ok := obj.(intro); ok {
			kinds[gvk.GroupKind()] = obj
		}
	}
	pairs := [][2]string{}
	for e := 1; e <= 37; e++ {
		for _, back := range []int{0, 1, 2, 3} {
			if e-back >= 1 {
				pairs = append(pairs, [2]string{apiversion.MajorMinor(1, uint(e)).String(), apiversion.MajorMinor(1, uint(e-back)).String()})
			}
		}
	}
	rows := []row{}
	for gk, obj := range kinds {
		for _, pair := range pairs {
			effective := compatibility.NewEffectiveVersionFromString("1.37", "1.0", "1.0")
			effective.SetEmulationVersion(apiversion.MustParse(pair[0]))
			effective.SetMinCompatibilityVersion(apiversion.MustParse(pair[1]))
			config := storage.NewDefaultResourceEncodingConfigForEffectiveVersion(scheme, effective)
			gv, err := config.BackwardCompatibileStorageEncodingFor(schema.GroupResource{Group: gk.Group, Resource: "any"}, obj)
			if err != nil {
				panic(err)
			}
			rows = append(rows, row{gk.Group, gk.Kind, pair[0], pair[1], gv.Version})
		}
	}
	sort.Slice(rows, func(i, j int) bool {
		a, b := rows[i], rows[j]
		if a.Group != b.Group { return a.Group < b.Group }
		if a.Kind != b.Kind { return a.Kind < b.Kind }
		return false
	})
	json.NewEncoder(os.Stdout).Encode(rows)
}
