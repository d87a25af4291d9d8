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
	Mode Mode `json:"mode"`
	Phase Phase `json:"phase"`
	// +kubebuilder:default:={a: 1}
	Bad string `json:"bad"`
}

// +kubebuilder:validation:Enum=Fast;Slow;""
type Mode string

const (
	Fast Mode = "Fast"
	Old  Mode = "Old"
)

// +kubebuilder:validation:Enum=Running;Done
type Phase string
