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
	// +k8s:update=NoModify
	// +k8s:update=NoUnset
	// +k8s:optional
	Once *int32 `json:"once,omitempty" protobuf:"varint,1,opt,name=once"`
	// +k8s:monotonic
	// +k8s:neq=7
	Growing int64 `json:"growing" protobuf:"varint,2,opt,name=growing"`
	// +k8s:neq="none"
	Text string `json:"text" protobuf:"bytes,3,opt,name=text"`
	// +k8s:neq=false
	Flag bool `json:"flag" protobuf:"varint,4,opt,name=flag"`
	// +k8s:ifDisabled(Frobber2D)=+k8s:forbidden
	// +k8s:ifEnabled(Frobber2D)=+k8s:optional
	// +k8s:ifEnabled("Frobber2D")=+k8s:format=k8s-short-name
	// +k8s:ifEnabled(Frobber2D)=+k8s:immutable
	Gated string `json:"gated,omitempty" protobuf:"bytes,5,opt,name=gated"`
	// +k8s:ifEnabled(Frobber2D)=+k8s:minimum=0
	// +k8s:ifDisabled(Frobber2D)=+k8s:minimum=1
	// +k8s:ifEnabled(Frobber3D)=+k8s:maximum=9
	Replicas int32 `json:"replicas" protobuf:"varint,6,opt,name=replicas"`
	// +listType=map
	// +listMapKey=name
	// +k8s:update=NoAddItem
	// +k8s:update=NoRemoveItem
	// +k8s:eachVal=+k8s:update=NoModify
	// +k8s:customUnique
	// +optional
	Parts []Part `json:"parts,omitempty" protobuf:"bytes,7,rep,name=parts"`
	// +listType=atomic
	// +listMapKey=name
	// +k8s:unique=map
	// +k8s:eachVal=+k8s:immutable
	// +optional
	Unique []Part `json:"unique,omitempty" protobuf:"bytes,8,rep,name=unique"`
	// +listType=atomic
	// +k8s:eachVal=+k8s:immutable
	// +k8s:unique=map
	// +optional
	Atomic []Part `json:"atomic,omitempty" protobuf:"bytes,9,rep,name=atomic"`
	// +k8s:subfield(name)=+k8s:format=k8s-long-name
	// +k8s:subfield(name)=+k8s:optional
	// +k8s:subfield(name)=+k8s:minimum=1
	Part Part `json:"part" protobuf:"bytes,10,opt,name=part"`
	// +k8s:forbidden
	Never *int32 `json:"never,omitempty" protobuf:"varint,11,opt,name=never"`
	// +k8s:eachVal=+k8s:update=NoModify
	// +optional
	Map map[string]string `json:"map,omitempty" protobuf:"bytes,12,rep,name=map"`
	// +k8s:alpha(since: "1.37")=+k8s:update=NoSet
	Alpha string `json:"alpha" protobuf:"bytes,13,opt,name=alpha"`
	// +k8s:item(name: "a")=+k8s:immutable
	// +listType=map
	// +listMapKey=name
	Items []Part `json:"items" protobuf:"bytes,14,rep,name=items"`
}

type Part struct {
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
}
