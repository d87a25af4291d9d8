// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Frobber frobs.
// It does so well.
//
// +genclient
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
	// Height says how high it is, in a sentence that is so long that no line of a hundred and twenty characters could ever hold it.
	Height int32 `json:"height" protobuf:"varint,1,opt,name=height"`
	// Mode: how.
	Mode Mode `json:"mode" protobuf:"bytes,2,opt,name=mode"`
}

// Mode says how.
type Mode string

const (
	// Fast is fast.
	Fast Mode = "Fast"
)
