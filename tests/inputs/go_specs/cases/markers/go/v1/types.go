// +groupName=things.example.com
// +k8s:deepcopy-gen=package
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
	// +default=1
	Number int32 `json:"number" protobuf:"varint,1,opt,name=number"`
	// +default=ref(DefaultName)
	Name string `json:"name" protobuf:"bytes,2,opt,name=name"`
	// +default={"a": 1, "b": [true]}
	Object *Inner `json:"object,omitempty" protobuf:"bytes,3,opt,name=object"`
	// +kubebuilder:default=Always
	Policy string `json:"policy" protobuf:"bytes,4,opt,name=policy"`
	// +default=Always
	NoJSON string `json:"noJSON" protobuf:"bytes,5,opt,name=noJSON"`
	// +default=ref(Unknown)
	NoConstant string `json:"noConstant" protobuf:"bytes,6,opt,name=noConstant"`
	// +featureGate=Frobber2D
	// +featureGate=Other
	Gated *string `json:"gated,omitempty" protobuf:"bytes,7,opt,name=gated"`
	// +featureGate=Frobber2D,Other
	TwoGates *string `json:"twoGates,omitempty" protobuf:"bytes,8,opt,name=twoGates"`
	// +featureGate=Forbber2D
	Misspelt *string `json:"misspelt,omitempty" protobuf:"bytes,9,opt,name=misspelt"`
	// +featureGate=Other +optional
	Trailing *string `json:"trailing,omitempty" protobuf:"bytes,10,opt,name=trailing"`
	// +listType=atomic
	Scalar string `json:"scalar" protobuf:"bytes,11,opt,name=scalar"`
	// +listType=map
	// +listMapKey=name
	// +patchMergeKey=name
	// +patchStrategy=merge
	Keyed []Inner `json:"keyed" patchStrategy:"merge" patchMergeKey:"name" protobuf:"bytes,12,rep,name=keyed"`
	// +listType=map
	// +listMapKey=maybe
	OptionalKey []Inner `json:"optionalKey" protobuf:"bytes,13,rep,name=optionalKey"`
	// +listType=map
	// +listMapKey=nothing
	WrongKey []Inner `json:"wrongKey" protobuf:"bytes,14,rep,name=wrongKey"`
	// +listType=map
	NoKey []Inner `json:"noKey" protobuf:"bytes,15,rep,name=noKey"`
	// +patchStrategy=replace
	OnlyMarked []Inner `json:"onlyMarked" protobuf:"bytes,16,rep,name=onlyMarked"`
	// +mapType=atomic
	Map map[string]string `json:"map" protobuf:"bytes,17,rep,name=map"`
	// +structType=atomic
	Struct Inner `json:"struct" protobuf:"bytes,18,opt,name=struct"`
	// +k8s:listType=set
	Declared []string `json:"declared" protobuf:"bytes,19,rep,name=declared"`
	// +listType=atomic
	// +k8s:listType=set
	Both []string `json:"both" protobuf:"bytes,20,rep,name=both"`
	// +somethingElse=5
	Strange string `json:"strange" protobuf:"bytes,21,opt,name=strange"`
}

const DefaultName = "frob"

// +structType=granular
// +k8s:openapi-gen=true
type Inner struct {
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	Maybe *string `json:"maybe,omitempty" protobuf:"bytes,2,opt,name=maybe"`
}
