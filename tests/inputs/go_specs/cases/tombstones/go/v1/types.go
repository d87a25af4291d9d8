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
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	// Tombstone: DeprecatedDepth is gone.
	// Depth int32 `json:"depth,omitempty" protobuf:"varint,2,opt,name=depth"`

	// +k8s:deprecated=height,protobuf=3

	Width int32 `json:"width" protobuf:"varint,4,opt,name=width"`
	// Must not use, the number is taken again.
	// Reused int32 `json:"reused,omitempty" protobuf:"varint,4,opt,name=reused"`

	// A plan for later:
	// Planned int32 `json:"planned,omitempty" protobuf:"varint,9,opt,name=planned"`

	Last string `json:"last" protobuf:"bytes,8,opt,name=last"`
}
