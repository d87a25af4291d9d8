// Program conversions records what cluster-api's own conversions make of random objects: one JSON object a line.
//
//	conversions COUNT SEED [KIND...]
//
// `up` is an object of v1beta1 and what ConvertTo makes of it; `down` is one of v1beta2, what ConvertFrom makes of it, and what
// ConvertTo makes of that again. `read` is what is left of an object that is read and written until nothing changes: an object
// has zero values that its JSON omits, and structs with them, too.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
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

// Fills an object, and returns it with JSON that a client could have sent for it: the only form that a server has.
func fill[T runtime.Object](filler *randfill.Filler, random *rand.Rand, empty T, version, kind string) (T, json.RawMessage) {
	in := empty.DeepCopyObject().(T)
	filler.Fill(in)
	in.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(version, kind))
	var document map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(marshal(in))))
	decoder.UseNumber()
	must(decoder.Decode(&document))
	for _, name := range []string{"spec", "status"} {
		if field, known := fieldsOf(reflect.TypeOf(in))[name]; known {
			zeros{random}.member(document, name, field)
		}
	}
	given := marshal(document)
	out := empty.DeepCopyObject().(T)
	must(json.Unmarshal(given, out))
	return out, given
}

// Sets random fields of a document to the zero values of their types, also where Go omits these.
type zeros struct{ *rand.Rand }

const (
	oneOfSet   = 10 // of as many values that a document has, one becomes zero
	oneOfUnset = 6  // of as many fields that a document omits, one is added
)

// Returns the fields of a struct by their names in JSON, those of embedded structs, too.
func fieldsOf(structure reflect.Type) map[string]reflect.Type {
	found := map[string]reflect.Type{}
	for structure.Kind() == reflect.Pointer {
		structure = structure.Elem()
	}
	for i := range structure.NumField() {
		field := structure.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case name == "" && field.Anonymous:
			for inner, type_ := range fieldsOf(field.Type) {
				found[inner] = type_
			}
		default:
			found[name] = field.Type
		}
	}
	return found
}

func (z zeros) member(document map[string]any, name string, type_ reflect.Type) {
	if value, known := document[name]; known {
		document[name] = z.value(value, type_)
	} else if z.Intn(oneOfUnset) == 0 {
		if value := zero(type_); value != nil {
			document[name] = value
		}
	}
}

func (z zeros) value(value any, type_ reflect.Type) any {
	type_, isPlain := plain(type_)
	if !isPlain || value == nil {
		return value
	}
	if z.Intn(oneOfSet) == 0 {
		return zero(type_)
	}
	switch known := value.(type) {
	case map[string]any:
		if type_.Kind() == reflect.Map {
			for _, key := range sorted(known) {
				known[key] = z.value(known[key], type_.Elem())
			}
			break
		}
		fields := fieldsOf(type_)
		for _, name := range sorted(fields) {
			z.member(known, name, fields[name])
		}
	case []any:
		for i := range known {
			known[i] = z.value(known[i], type_.Elem())
		}
		distinguish(known, type_.Elem())
	}
	return value
}

// Makes equal texts of the elements of a list different: some are the key of the list, which is unique in a valid object.
func distinguish(list []any, type_ reflect.Type) {
	if type_.Kind() != reflect.Struct {
		return
	}
	fields := fieldsOf(type_)
	for i := range list {
		for name, field := range fields {
			element := list[i].(map[string]any)
			text, _ := element[name].(string)
			if field, isPlain := plain(field); isPlain && field.Kind() == reflect.String && i > 0 {
				if first, _ := list[0].(map[string]any)[name].(string); first == text {
					element[name] = fmt.Sprintf("%s%d", text, i)
				}
			}
		}
	}
}

// Returns a type without its pointer, and whether its JSON is that of its Go kind.
func plain(type_ reflect.Type) (reflect.Type, bool) {
	if type_.Kind() == reflect.Pointer {
		type_ = type_.Elem()
	}
	isBytes := type_.Kind() == reflect.Slice && type_.Elem().Kind() == reflect.Uint8
	return type_, !isBytes && !reflect.PointerTo(type_).Implements(reflect.TypeFor[json.Marshaler]())
}

// Returns the JSON of the zero value of a type; nil for types with a form of their own.
func zero(type_ reflect.Type) any {
	type_, isPlain := plain(type_)
	if !isPlain {
		return nil
	}
	switch type_.Kind() {
	case reflect.String:
		return ""
	case reflect.Bool:
		return false
	case reflect.Slice:
		return []any{}
	case reflect.Map:
		return map[string]any{}
	case reflect.Struct:
		return map[string]any{}
	}
	return 0
}

func sorted[T any](entries map[string]T) []string {
	return slices.Sorted(maps.Keys(entries))
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

func record(kind string, number int, seed int64, output *json.Encoder) {
	one, source := kinds[kind], rand.NewSource(seed)
	random := rand.New(source)
	filler := fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, functions), source, serializer.NewCodecFactory(runtime.NewScheme()))
	filler.NumElements(0, 2)
	older, newer := groupOf(kind)+"/v1beta1", groupOf(kind)+"/v1beta2"
	for range number {
		spoke, given := fill(filler, random, one.spoke, older, kind)
		read := settled(given, one.spoke)
		converted := one.hub.DeepCopyObject().(conversion.Hub)
		must(spoke.ConvertTo(converted))
		converted.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(newer, kind))
		must(output.Encode(map[string]any{"kind": kind, "up": given, "read": read, "to": marshal(converted)}))

		hub, given := fill(filler, random, one.hub, newer, kind)
		read = settled(given, one.hub)
		down := one.spoke.DeepCopyObject().(conversion.Convertible)
		must(down.ConvertFrom(hub))
		down.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(older, kind))
		made := marshal(down)
		sent := one.spoke.DeepCopyObject().(conversion.Convertible)
		must(json.Unmarshal(made, sent))
		back := one.hub.DeepCopyObject().(conversion.Hub)
		must(sent.ConvertTo(back))
		back.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(newer, kind))
		must(output.Encode(map[string]any{"kind": kind, "down": given, "read": read, "to": made, "back": settled(marshal(back), one.hub)}))
	}
}

// Returns what is left of JSON that is read and written until nothing changes.
func settled(given json.RawMessage, empty runtime.Object) json.RawMessage {
	for {
		object := empty.DeepCopyObject()
		must(json.Unmarshal(given, object))
		again := marshal(object)
		if string(again) == string(given) {
			return again
		}
		given = again
	}
}

func main() {
	number, err := strconv.Atoi(os.Args[1])
	must(err)
	seed, err := strconv.ParseInt(os.Args[2], 10, 64)
	must(err)
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
		record(kind, number, seed, output)
	}
}
