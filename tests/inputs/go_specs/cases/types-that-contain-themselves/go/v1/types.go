// +groupName=things.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Spec FrobberSpec `json:"spec" protobuf:"bytes,2,opt,name=spec"`
}

type FrobberSpec struct {
	Parts []Part `json:"parts,omitempty" protobuf:"bytes,1,rep,name=parts"`
	Tree  Tree   `json:"tree,omitempty"`
	Trees []Tree `json:"trees,omitempty"`
	Left  Left   `json:"left,omitempty"`
}

// A struct may contain itself.
type Part struct {
	Parts []Part `json:"parts,omitempty" protobuf:"bytes,1,rep,name=parts"`
}

type Tree map[string]Tree

type Left []Right

type Right map[string]Left
