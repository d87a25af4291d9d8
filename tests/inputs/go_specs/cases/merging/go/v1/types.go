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
	Height int32 `json:"height" protobuf:"varint,1,opt,name=height"`
	// +optional
	New *string `json:"new,omitempty" protobuf:"bytes,9,opt,name=new"`
	// +featureGate=Frobber2D
	// +k8s:minimum=5
	// +default=7
	Width int64 `json:"width,omitempty" protobuf:"varint,2,opt,name=width"`
	// Tombstone: gone
	// Depth int32 `json:"depth,omitempty" protobuf:"varint,3,opt,name=depth"`

	// +k8s:maxItems=5
	// +listType=atomic
	Rules []Rule `json:"rules,omitempty" protobuf:"bytes,4,rep,name=rules"`
	Policy Policy `json:"policy" protobuf:"bytes,5,opt,name=policy"`
	Mode Mode `json:"mode" protobuf:"bytes,6,opt,name=mode"`
}

// +structType=atomic
type Rule struct {
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	Value string `json:"value" protobuf:"bytes,2,opt,name=value"`
}

// +enum
type Policy string

const (
	Always Policy = "Always"
	Sometimes Policy = "Sometimes"
	Never Policy = "Never"
)

type Mode string

const Fast Mode = "Fast"
