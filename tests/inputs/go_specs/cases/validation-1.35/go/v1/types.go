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
	// +k8s:minimum=1
	// +k8s:maximum=10 # a comment
	Number int32 `json:"number" protobuf:"varint,1,opt,name=number"`
	// +k8s:maxItems=5
	// +k8s:eachVal=+k8s:maxLength=63
	// +k8s:unique=set
	List []string `json:"list" protobuf:"bytes,2,rep,name=list"`
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:eachVal=+k8s:maxBytes=7
	// +k8s:maxProperties=3
	Map map[string]string `json:"map" protobuf:"bytes,3,rep,name=map"`
	// +k8s:immutable
	// +k8s:format="k8s-short-name"
	// +k8s:dependentRequired("number")
	Text string `json:"text" protobuf:"bytes,4,opt,name=text"`
	// +k8s:alpha(since: "1.36")=+k8s:maxLength=3
	Alpha string `json:"alpha" protobuf:"bytes,5,opt,name=alpha"`
	// +k8s:beta(since: "1.37")=+k8s:maxLength=3
	Beta string `json:"beta" protobuf:"bytes,6,opt,name=beta"`
	// +k8s:ifEnabled(Frobber2D)=+k8s:minimum=0
	// +k8s:neq=4
	// +k8s:update=NoModify
	NoWord int32 `json:"noWord" protobuf:"varint,7,opt,name=noWord"`
	// +k8s:maxItems=5
	// +k8s:eachVal=+k8s:maxLength=63
	// +k8s:format=frob
	Misplaced string `json:"misplaced" protobuf:"bytes,8,opt,name=misplaced"`
	// +k8s:maximum=many
	NoNumber int32 `json:"noNumber" protobuf:"varint,9,opt,name=noNumber"`
	// +kubebuilder:validation:Minimum=0.5
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:MultipleOf=2
	Builder float64 `json:"builder" protobuf:"fixed64,10,opt,name=builder"`
	// +kubebuilder:validation:Pattern=`^[a-z#"]*$`
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:Enum=a;b
	// +kubebuilder:validation:XValidation:rule="self != 'x'",message="no x",fieldPath=".text"
	Pattern string `json:"pattern" protobuf:"bytes,11,opt,name=pattern"`
	// +kubebuilder:validation:items:MaxLength=4
	// +kubebuilder:validation:MinItems=1
	Items []string `json:"items" protobuf:"bytes,12,rep,name=items"`
	// +k8s:optional
	MayLack string `json:"mayLack" protobuf:"bytes,13,opt,name=mayLack"`
	// +k8s:ifEnabled(Frobber2D)=+k8s:maximum=7
	// +k8s:ifDisabled(Frobber2D)=+k8s:maximum=5
	Gated int32 `json:"gated" protobuf:"varint,15,opt,name=gated"`
	// +k8s:required
	MayNotLack *string `json:"mayNotLack,omitempty" protobuf:"bytes,14,opt,name=mayNotLack"`
}
