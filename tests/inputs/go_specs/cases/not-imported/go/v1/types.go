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
	// +featureGate=OldName
	Gated *string `json:"gated,omitempty" protobuf:"bytes,1,opt,name=gated"`
	// +k8s:maxItems=7
	// +listType=set
	List []string `json:"list" protobuf:"bytes,2,rep,name=list"`
	Left string `json:"left" protobuf:"bytes,3,opt,name=left"`
	// +k8s:alpha(since: "1.36")=+k8s:optional
	Known string `json:"known" protobuf:"bytes,4,opt,name=known"`
}

type Unused struct {
	A string `json:"a" protobuf:"bytes,1,opt,name=a"`
}
