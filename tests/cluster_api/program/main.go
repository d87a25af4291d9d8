// Program conversions records what cluster-api's own conversions make of random objects: one JSON object a line.
//
//	conversions COUNT SEED [KIND...]
//
// `up` is an object of v1beta1 and what ConvertTo makes of it; `down` is one of v1beta2, what ConvertFrom makes of it, and what
// ConvertTo makes of that again.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	"sigs.k8s.io/randfill"

	bootstrapold "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta1"
	bootstrapnew "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	planeold "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta1"
	planenew "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	coreold "sigs.k8s.io/cluster-api/api/core/v1beta1"
	corenew "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

type pair struct {
	spoke conversion.Convertible
	hub   conversion.Hub
}

var kinds = map[string]pair{
	"Cluster":                     {&coreold.Cluster{}, &corenew.Cluster{}},
	"ClusterClass":                {&coreold.ClusterClass{}, &corenew.ClusterClass{}},
	"Machine":                     {&coreold.Machine{}, &corenew.Machine{}},
	"MachineDeployment":           {&coreold.MachineDeployment{}, &corenew.MachineDeployment{}},
	"MachineDrainRule":            {&coreold.MachineDrainRule{}, &corenew.MachineDrainRule{}},
	"MachineHealthCheck":          {&coreold.MachineHealthCheck{}, &corenew.MachineHealthCheck{}},
	"MachinePool":                 {&coreold.MachinePool{}, &corenew.MachinePool{}},
	"MachineSet":                  {&coreold.MachineSet{}, &corenew.MachineSet{}},
	"KubeadmConfig":               {&bootstrapold.KubeadmConfig{}, &bootstrapnew.KubeadmConfig{}},
	"KubeadmConfigTemplate":       {&bootstrapold.KubeadmConfigTemplate{}, &bootstrapnew.KubeadmConfigTemplate{}},
	"KubeadmControlPlane":         {&planeold.KubeadmControlPlane{}, &planenew.KubeadmControlPlane{}},
	"KubeadmControlPlaneTemplate": {&planeold.KubeadmControlPlaneTemplate{}, &planenew.KubeadmControlPlaneTemplate{}},
}

// A version that a cluster could serve of each group; the real one asks the cluster for its CRDs.
func servedVersion(kind schema.GroupKind) (string, error) {
	if kind.Group == "" {
		return "v1", nil
	}
	return kind.Group + "/v1beta2", nil
}

const groups = 3

func group(c randfill.Continue) string {
	return []string{"infrastructure.cluster.x-k8s.io", "bootstrap.cluster.x-k8s.io", ""}[c.Intn(groups)]
}

func token(c randfill.Continue) (string, string) {
	text := fmt.Sprintf("%022d", c.Int63n(1000000))
	return text[:6], text[6:]
}

func raw(c randfill.Continue) []byte {
	return []byte([]string{"true", "1", `"a"`, `{"a":[1,null]}`, "[]"}[c.Intn(5)])
}

func functions(_ serializer.CodecFactory) []interface{} {
	return []interface{}{
		func(in *corev1.ObjectReference, c randfill.Continue) {
			c.FillNoCustom(in)
			in.APIVersion = "v1"
			if name := group(c); name != "" {
				in.APIVersion = name + "/v1beta1"
			}
			if c.Intn(5) == 0 {
				in.APIVersion = ""
			}
		},
		func(in *corenew.ContractVersionedObjectReference, c randfill.Continue) {
			if c.Bool() {
				c.FillNoCustom(in)
				in.APIGroup = group(c)
			}
		},
		func(in *metav1.Duration, c randfill.Continue) {
			switch c.Intn(6) {
			case 0:
				in.Duration = 0
			case 1:
				in.Duration = time.Duration(c.Int63n(int64(time.Hour)))
			case 2:
				in.Duration = -time.Duration(c.Int63n(int64(time.Hour)))
			case 3:
				in.Duration = time.Duration(c.Int63n(math.MaxInt64))
			default:
				in.Duration = time.Duration(c.Int63n(100000)) * time.Second
			}
		},
		func(in **metav1.Time, c randfill.Continue) {
			if c.Bool() {
				moment := metav1.Unix(c.Int63n(1<<33), 0).Rfc3339Copy()
				*in = &moment
			}
		},
		func(in *intstr.IntOrString, c randfill.Continue) {
			*in = []intstr.IntOrString{intstr.FromInt32(c.Int31n(50)), intstr.FromString("30%"), {}}[c.Intn(3)]
		},
		func(in *apiextensionsv1.JSON, c randfill.Continue) { in.Raw = raw(c) },
		func(in *runtime.RawExtension, c randfill.Continue) { in.Raw = raw(c) },
		func(in *bootstrapold.BootstrapTokenString, c randfill.Continue) { in.ID, in.Secret = token(c) },
		func(in *bootstrapnew.BootstrapTokenString, c randfill.Continue) { in.ID, in.Secret = token(c) },
		func(in *coreold.JSONSchemaProps, c randfill.Continue) { fillSchemaOld(in, c) },
		func(in *corenew.JSONSchemaProps, c randfill.Continue) { fillSchemaNew(in, c) },
	}
}

var depth int

func fillSchemaOld(in *coreold.JSONSchemaProps, c randfill.Continue) {
	if depth > 1 {
		in.Type, in.UniqueItems, in.XIntOrString = "string", c.Bool(), c.Bool()
		return
	}
	depth++
	defer func() { depth-- }()
	c.FillNoCustom(in)
}

func fillSchemaNew(in *corenew.JSONSchemaProps, c randfill.Continue) {
	if depth > 1 {
		in.Type = "string"
		c.Fill(&in.UniqueItems)
		c.Fill(&in.XIntOrString)
		return
	}
	depth++
	defer func() { depth-- }()
	c.FillNoCustom(in)
}

// Fills an object, and reads it back from JSON, which is the only form that a server has.
func fill[T runtime.Object](filler *randfill.Filler, empty T, version, kind string) T {
	in := empty.DeepCopyObject().(T)
	filler.Fill(in)
	in.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(version, kind))
	out := empty.DeepCopyObject().(T)
	must(json.Unmarshal(marshal(in), out))
	return out
}

func marshal(object any) json.RawMessage {
	text, err := json.Marshal(object)
	must(err)
	return text
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func groupOf(kind string) string {
	switch kind {
	case "KubeadmConfig", "KubeadmConfigTemplate":
		return "bootstrap.cluster.x-k8s.io"
	case "KubeadmControlPlane", "KubeadmControlPlaneTemplate":
		return "controlplane.cluster.x-k8s.io"
	}
	return "cluster.x-k8s.io"
}

func record(kind string, number int, random rand.Source, output *json.Encoder) {
	one := kinds[kind]
	filler := fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, functions), random, serializer.NewCodecFactory(runtime.NewScheme()))
	older, newer := groupOf(kind)+"/v1beta1", groupOf(kind)+"/v1beta2"
	for range number {
		spoke := fill(filler, one.spoke, older, kind)
		given := marshal(spoke)
		converted := one.hub.DeepCopyObject().(conversion.Hub)
		must(spoke.ConvertTo(converted))
		converted.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(newer, kind))
		must(output.Encode(map[string]any{"kind": kind, "up": given, "to": marshal(converted)}))

		hub := fill(filler, one.hub, newer, kind)
		given = marshal(hub)
		down := one.spoke.DeepCopyObject().(conversion.Convertible)
		must(down.ConvertFrom(hub))
		down.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(older, kind))
		made := marshal(down)
		back := one.hub.DeepCopyObject().(conversion.Hub)
		must(down.ConvertTo(back))
		back.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(newer, kind))
		must(output.Encode(map[string]any{"kind": kind, "down": given, "to": made, "back": marshal(back)}))
	}
}

func main() {
	number, err := strconv.Atoi(os.Args[1])
	must(err)
	seed, err := strconv.ParseInt(os.Args[2], 10, 64)
	must(err)
	random := rand.NewSource(seed)
	coreold.SetAPIVersionGetter(servedVersion)
	planeold.SetAPIVersionGetter(servedVersion)
	wanted := os.Args[3:]
	if len(wanted) == 0 {
		for kind := range kinds {
			wanted = append(wanted, kind)
		}
		slices.Sort(wanted)
	}
	output := json.NewEncoder(os.Stdout)
	for _, kind := range wanted {
		if _, known := kinds[kind]; !known {
			must(fmt.Errorf("no kind %s", kind))
		}
		record(kind, number, random, output)
	}
}
