// Package recording records what a project's own conversions make of random objects: one JSON object a line.
//
// `up` is an object of v1beta1 and what ConvertTo makes of it; `down` is one of v1beta2, what ConvertFrom makes of it, and what
// ConvertTo makes of that again. `read` is what is left of an object that is read and written until nothing changes: an object
// has zero values that its JSON omits, and structs with them, too.
package recording

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	"sigs.k8s.io/randfill"
)

// Kind has an empty object of each version.
type Kind struct {
	Group string
	Spoke conversion.Convertible
	Hub   conversion.Hub
}

// Project is what differs between projects. Objects have only such values of the types in Whole as Functions fill in: conversions of
// other values fail, or cannot be compared.
type Project struct {
	Kinds     map[string]Kind
	Functions func(serializer.CodecFactory) []any
	Whole     []reflect.Type
}

// Main records objects for the arguments COUNT SEED [KIND...].
func Main(project Project) {
	number, err := strconv.Atoi(os.Args[1])
	must(err)
	seed, err := strconv.ParseInt(os.Args[2], 10, 64)
	must(err)
	wanted := os.Args[3:]
	if len(wanted) == 0 {
		wanted = sorted(project.Kinds)
	}
	output := json.NewEncoder(os.Stdout)
	for _, kind := range wanted {
		if _, known := project.Kinds[kind]; !known {
			must(fmt.Errorf("no kind %s", kind))
		}
		project.record(kind, number, seed, output)
	}
}

func (project Project) record(kind string, number int, seed int64, output *json.Encoder) {
	one, source := project.Kinds[kind], rand.NewSource(seed)
	zeros := zeros{rand.New(source), project.Whole}
	filler := fuzzer.FuzzerFor(fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, project.Functions), source, serializer.NewCodecFactory(runtime.NewScheme()))
	filler.NumElements(0, 2)
	older, newer := one.Group+"/v1beta1", one.Group+"/v1beta2"
	for range number {
		spoke, given := fill(filler, zeros, one.Spoke, older, kind)
		read := settled(given, one.Spoke)
		converted := one.Hub.DeepCopyObject().(conversion.Hub)
		must(spoke.ConvertTo(converted))
		converted.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(newer, kind))
		must(output.Encode(map[string]any{"kind": kind, "up": given, "read": read, "to": marshal(converted)}))

		hub, given := fill(filler, zeros, one.Hub, newer, kind)
		read = settled(given, one.Hub)
		down := one.Spoke.DeepCopyObject().(conversion.Convertible)
		must(down.ConvertFrom(hub))
		down.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(older, kind))
		made := marshal(down)
		sent := one.Spoke.DeepCopyObject().(conversion.Convertible)
		must(json.Unmarshal(made, sent))
		back := one.Hub.DeepCopyObject().(conversion.Hub)
		must(sent.ConvertTo(back))
		back.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(newer, kind))
		must(output.Encode(map[string]any{"kind": kind, "down": given, "read": read, "to": made, "back": settled(marshal(back), one.Hub)}))
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

// Fills an object, and returns it with JSON that a client could have sent for it: the only form that a server has.
func fill[T runtime.Object](filler *randfill.Filler, zeros zeros, empty T, version, kind string) (T, json.RawMessage) {
	in := empty.DeepCopyObject().(T)
	filler.Fill(in)
	in.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(version, kind))
	var document map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(marshal(in))))
	decoder.UseNumber()
	must(decoder.Decode(&document))
	for _, name := range []string{"spec", "status"} {
		if field, known := fieldsOf(reflect.TypeOf(in))[name]; known {
			zeros.member(document, name, field)
		}
	}
	given := marshal(document)
	out := empty.DeepCopyObject().(T)
	must(json.Unmarshal(given, out))
	return out, given
}

// Sets random fields of a document to the zero values of their types, also where Go omits these.
type zeros struct {
	*rand.Rand
	whole []reflect.Type
}

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
		if value := zero(type_); value != nil && !z.isWhole(type_) {
			document[name] = value
		}
	}
}

func (z zeros) isWhole(type_ reflect.Type) bool {
	type_, _ = plain(type_)
	return slices.Contains(z.whole, type_)
}

func (z zeros) value(value any, type_ reflect.Type) any {
	type_, isPlain := plain(type_)
	if !isPlain || value == nil || z.isWhole(type_) {
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
