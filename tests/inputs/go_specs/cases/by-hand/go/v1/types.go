// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type Frobber struct {
	metav1.TypeMeta `json:",inline"`
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
	// came into force
	// +k8s:beta(since: "1.37")=+k8s:immutable
	Declared string `json:"declared" protobuf:"bytes,1,opt,name=declared"`
	// one of two came into force
	// +k8s:beta(since: "1.37")=+k8s:maxLength=63
	// +k8s:alpha(since: "1.36")=+k8s:immutable
	Partly string `json:"partly" protobuf:"bytes,2,opt,name=partly"`
	// +k8s:alpha(since: "1.36")=+k8s:maxLength=100
	Looser string `json:"looser" protobuf:"bytes,3,opt,name=looser"`
	// a person has it as a constraint
	// +k8s:alpha(since: "1.36")=+k8s:minimum=1
	Person int32 `json:"person" protobuf:"varint,4,opt,name=person"`
	// a person knows of it, and Go says nothing
	Alone string `json:"alone" protobuf:"bytes,5,opt,name=alone"`
	// +listType=atomic
	// +k8s:alpha(since: "1.36")=+k8s:eachVal=+k8s:maxLength=9
	// +k8s:beta(since: "1.37")=+k8s:eachVal=+k8s:minLength=1
	// +k8s:alpha(since: "1.36")=+k8s:enum
	List []string `json:"list" protobuf:"bytes,6,rep,name=list"`
}
