// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)


type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Spec FrobberSpec `json:"spec" protobuf:"bytes,2,opt,name=spec"`
}

type FrobberList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Items []Frobber `json:"items" protobuf:"bytes,2,rep,name=items"`
}

type FrobberSpec struct {
	Marked Marked `json:"marked" protobuf:"bytes,1,opt,name=marked"`
	Declared Declared `json:"declared" protobuf:"bytes,2,opt,name=declared"`
	Known Known `json:"known" protobuf:"bytes,3,opt,name=known"`
	Alpha Alpha `json:"alpha" protobuf:"bytes,4,opt,name=alpha"`
	Number Number `json:"number" protobuf:"varint,5,opt,name=number"`
	Plain Plain `json:"plain" protobuf:"bytes,6,opt,name=plain"`
}

// +enum
type Marked string

const (
	// +featureGate=Frobber2D
	MarkedA Marked = "A"
	MarkedB Marked = "on"
	// An older name of the same.
	MarkedOld Marked = "A"
	MarkedEmpty Marked = ""
	MarkedPrefix Marked = "A-"
	// +deprecated
	MarkedC Marked = "C"
)

// +k8s:enum
type Declared string

const DeclaredOnly Declared = "Only"

type Known string

const (
	KnownA Known = "example.com/a"
	KnownB Known = "b b"
)

// +k8s:alpha(since: "1.36")=+k8s:enum
type Alpha string

const AlphaA Alpha = "A"

type Number int32

const NumberOne Number = 1

type Plain string

const Annotation = "things.example.com/annotation"
