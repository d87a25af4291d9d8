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
	Strategy Strategy `json:"strategy" protobuf:"bytes,1,opt,name=strategy"`
	Response Response `json:"response" protobuf:"bytes,2,opt,name=response"`
	Loose Loose `json:"loose" protobuf:"bytes,3,opt,name=loose"`
	Declared Declared `json:"declared" protobuf:"bytes,4,opt,name=declared"`
	Unknown Unknown `json:"unknown" protobuf:"bytes,5,opt,name=unknown"`
}

// +union
type Strategy struct {
	// +unionDiscriminator
	Type StrategyType `json:"type" protobuf:"bytes,1,opt,name=type"`
	RollingUpdate *Inner `json:"rollingUpdate,omitempty" protobuf:"bytes,2,opt,name=rollingUpdate"`
	JSONPatch *Inner `json:"jsonPatch,omitempty" protobuf:"bytes,3,opt,name=jsonPatch"`
	LocalhostProfile *string `json:"localhostProfile,omitempty" protobuf:"bytes,4,opt,name=localhostProfile"`
}

type StrategyType string

const (
	RollingUpdate StrategyType = "RollingUpdate"
	Recreate StrategyType = "Recreate"
	JSONPatch StrategyType = "JSONPatch"
	Localhost StrategyType = "Localhost"
)

// +union
type Response struct {
	// +unionDiscriminator
	Type ResponseType `json:"type" protobuf:"bytes,1,opt,name=type"`
	// +k8s:alpha(since: "1.36")=+k8s:member("Queue")=+k8s:optional
	// +k8s:alpha(since: "1.36")=+k8s:member("Reject")=+k8s:forbidden
	Queuing *Inner `json:"queuing,omitempty" protobuf:"bytes,2,opt,name=queuing"`
}

type ResponseType string

const (
	Queue ResponseType = "Queue"
	Reject ResponseType = "Reject"
)

type Loose struct {
	// +oneOf=Selection
	A *string `json:"a,omitempty" protobuf:"bytes,1,opt,name=a"`
	// +oneOf=Selection
	B *bool `json:"b,omitempty" protobuf:"varint,2,opt,name=b"`
	// +oneOf=Single
	C *string `json:"c,omitempty" protobuf:"bytes,3,opt,name=c"`
	// +zeroOrOneOf=Other
	D []string `json:"d,omitempty" protobuf:"bytes,4,rep,name=d"`
	// +zeroOrOneOf=Other
	E []string `json:"e,omitempty" protobuf:"bytes,5,rep,name=e"`
	// +oneOf=There
	F string `json:"f" protobuf:"bytes,6,opt,name=f"`
	// +oneOf=There
	G *string `json:"g,omitempty" protobuf:"bytes,7,opt,name=g"`
	// +oneOf=There
	H *string `json:"h,omitempty" protobuf:"bytes,8,opt,name=h"`
}

type Declared struct {
	// +k8s:unionMember
	A *string `json:"a,omitempty" protobuf:"bytes,1,opt,name=a"`
	// +k8s:unionMember
	B *string `json:"b,omitempty" protobuf:"bytes,2,opt,name=b"`
	// +k8s:zeroOrOneOfMember(union: "more")
	C *string `json:"c,omitempty" protobuf:"bytes,3,opt,name=c"`
	// +k8s:zeroOrOneOfMember(union: "more")
	D *string `json:"d,omitempty" protobuf:"bytes,4,opt,name=d"`
	// +k8s:unionDiscriminator(union: "typed")
	Type StrategyType `json:"type" protobuf:"bytes,5,opt,name=type"`
	// +k8s:unionMember(union: "typed", memberName: "RollingUpdate")
	E *string `json:"e,omitempty" protobuf:"bytes,6,opt,name=e"`
	// +k8s:unionMember(union: "typed", memberName: "Recreate")
	F *string `json:"f,omitempty" protobuf:"bytes,7,opt,name=f"`
	// +k8s:alpha(since: "1.36")=+k8s:unionMember(union: "alpha")
	G *string `json:"g,omitempty" protobuf:"bytes,8,opt,name=g"`
	// +k8s:alpha(since: "1.36")=+k8s:unionMember(union: "alpha")
	H *string `json:"h,omitempty" protobuf:"bytes,9,opt,name=h"`
}

// +union
type Unknown struct {
	A *string `json:"a,omitempty" protobuf:"bytes,1,opt,name=a"`
}

type Inner struct {
	X string `json:"x" protobuf:"bytes,1,opt,name=x"`
}

// Both has the tags of two generators for one union.
// +union
type Both struct {
	// +unionDiscriminator
	// +k8s:unionDiscriminator
	Type BothType `json:"type" protobuf:"bytes,1,opt,name=type"`
	// +k8s:unionMember
	First *Inner `json:"first,omitempty" protobuf:"bytes,2,opt,name=first"`
	// +k8s:unionMember
	Second *Inner `json:"second,omitempty" protobuf:"bytes,3,opt,name=second"`
}

type BothType string

const (
	BothFirst  BothType = "First"
	BothSecond BothType = "Second"
	BothNone   BothType = "None"
)
