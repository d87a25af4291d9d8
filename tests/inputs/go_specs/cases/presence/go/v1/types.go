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
	Always string `json:"always" protobuf:"bytes,1,opt,name=always"`
	OmitEmpty int32 `json:"omitEmpty,omitempty" protobuf:"varint,2,opt,name=omitEmpty"`
	Optional *int64 `json:"optional,omitempty" protobuf:"varint,3,opt,name=optional"`
	Nullable *bool `json:"nullable" protobuf:"varint,4,opt,name=nullable"`
	List []string `json:"list,omitempty" protobuf:"bytes,5,rep,name=list"`
	NullList []string `json:"nullList" protobuf:"bytes,6,rep,name=nullList"`
	ZeroList []string `json:"zeroList,omitzero" protobuf:"bytes,7,rep,name=zeroList"`
	Map map[string]Size `json:"map,omitempty" protobuf:"bytes,8,rep,name=map"`
	Bytes []byte `json:"bytes,omitempty" protobuf:"bytes,9,opt,name=bytes"`
	Struct Inner `json:"struct,omitempty" protobuf:"bytes,10,opt,name=struct"`
	ZeroStruct Inner `json:"zeroStruct,omitzero" protobuf:"bytes,11,opt,name=zeroStruct"`
	ZeroScalar bool `json:"zeroScalar,omitzero" protobuf:"varint,12,opt,name=zeroScalar"`
	ZeroPointer *Inner `json:"zeroPointer,omitzero" protobuf:"bytes,13,opt,name=zeroPointer"`
	Named Items `json:"named,omitempty" protobuf:"bytes,14,opt,name=named"`
	When metav1.Time `json:"when,omitempty" protobuf:"bytes,15,opt,name=when"`
	// The wire part of a tag is not law: a number says bytes, a bool too.
	WrongWire int32 `json:"wrongWire" protobuf:"bytes,16,rep,name=wrongWire"`
	PointerToList *[]string `json:"pointerToList,omitempty" protobuf:"bytes,17,rep,name=pointerToList"`
	// +required
	RequiredAnyway string `json:"requiredAnyway,omitempty" protobuf:"bytes,18,opt,name=requiredAnyway"`
	// +optional
	OptionalAnyway string `json:"optionalAnyway" protobuf:"bytes,19,opt,name=optionalAnyway"`
	Untagged string
	Renamed string `json:"aPIGroup" protobuf:"bytes,20,opt,name=APIGroup"`
	NoNumber int `json:"noNumber"`
	Pointers []*Inner `json:"pointers" protobuf:"bytes,21,rep,name=pointers"`
	Hidden string `json:"-"`
}

type Inner struct {
	Size Size `json:"size" protobuf:"varint,1,opt,name=size"`
}

type Size int64

// +protobuf.nullable=true
type Items []string
