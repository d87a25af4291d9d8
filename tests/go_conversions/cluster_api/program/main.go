// Program conversions records what cluster-api's own conversions make of random objects.
//
//	conversions COUNT SEED [KIND...]
package main

import (
	"fmt"
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"

	"apigen.test/recording"
	bootstrapold "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta1"
	bootstrapnew "sigs.k8s.io/cluster-api/api/bootstrap/kubeadm/v1beta2"
	planeold "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta1"
	planenew "sigs.k8s.io/cluster-api/api/controlplane/kubeadm/v1beta2"
	coreold "sigs.k8s.io/cluster-api/api/core/v1beta1"
	corenew "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

const (
	core      = "cluster.x-k8s.io"
	bootstrap = "bootstrap.cluster.x-k8s.io"
	plane     = "controlplane.cluster.x-k8s.io"
)

var kinds = map[string]recording.Kind{
	"Cluster":                     {Group: core, Spoke: &coreold.Cluster{}, Hub: &corenew.Cluster{}},
	"ClusterClass":                {Group: core, Spoke: &coreold.ClusterClass{}, Hub: &corenew.ClusterClass{}},
	"Machine":                     {Group: core, Spoke: &coreold.Machine{}, Hub: &corenew.Machine{}},
	"MachineDeployment":           {Group: core, Spoke: &coreold.MachineDeployment{}, Hub: &corenew.MachineDeployment{}},
	"MachineDrainRule":            {Group: core, Spoke: &coreold.MachineDrainRule{}, Hub: &corenew.MachineDrainRule{}},
	"MachineHealthCheck":          {Group: core, Spoke: &coreold.MachineHealthCheck{}, Hub: &corenew.MachineHealthCheck{}},
	"MachinePool":                 {Group: core, Spoke: &coreold.MachinePool{}, Hub: &corenew.MachinePool{}},
	"MachineSet":                  {Group: core, Spoke: &coreold.MachineSet{}, Hub: &corenew.MachineSet{}},
	"KubeadmConfig":               {Group: bootstrap, Spoke: &bootstrapold.KubeadmConfig{}, Hub: &bootstrapnew.KubeadmConfig{}},
	"KubeadmConfigTemplate":       {Group: bootstrap, Spoke: &bootstrapold.KubeadmConfigTemplate{}, Hub: &bootstrapnew.KubeadmConfigTemplate{}},
	"KubeadmControlPlane":         {Group: plane, Spoke: &planeold.KubeadmControlPlane{}, Hub: &planenew.KubeadmControlPlane{}},
	"KubeadmControlPlaneTemplate": {Group: plane, Spoke: &planeold.KubeadmControlPlaneTemplate{}, Hub: &planenew.KubeadmControlPlaneTemplate{}},
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

func functions(_ serializer.CodecFactory) []any {
	return []any{
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
			switch c.Intn(8) {
			case 0:
				in.Duration = 0
			case 1:
				in.Duration = time.Duration(c.Int63n(int64(time.Hour)))
			case 2:
				in.Duration = -time.Duration(c.Int63n(int64(time.Hour)))
			case 3:
				in.Duration = time.Duration(c.Int63n(math.MaxInt64))
				if c.Bool() {
					in.Duration = -in.Duration
				}
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

func main() {
	coreold.SetAPIVersionGetter(servedVersion)
	planeold.SetAPIVersionGetter(servedVersion)
	recording.Main(recording.Project{Kinds: kinds, Functions: functions})
}
