// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Blob []byte

type Names []string

type Coded struct{ X int }

func (c *Coded) UnmarshalJSON(b []byte) error { return nil }

type ThingSpec struct {
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=51200
	Bytes []byte `json:"bytes,omitempty"`
	// +kubebuilder:validation:MinLength=2
	Blob Blob `json:"blob,omitempty"`
	// +kubebuilder:validation:Pattern=`^[0-9]+s$`
	Duration metav1.Duration `json:"duration"`
	// +kubebuilder:validation:items:Pattern=`^[0-9]+s$`
	Durations []metav1.Duration `json:"durations,omitempty"`
	// +kubebuilder:validation:Pattern=`^a$`
	Number int32 `json:"number,omitempty"`
	// +kubebuilder:validation:items:MinLength=1
	Names Names `json:"names,omitempty"`
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:default=hello
	Coded *Coded `json:"coded,omitempty"`
	// +kubebuilder:default={1,2}
	Raw *runtime.RawExtension `json:"raw,omitempty"`
	// +kubebuilder:default=8080
	Port string `json:"port"`
	// +listType=map
	// +listMapKey=x
	CodedList []Coded `json:"codedList,omitempty"`
	// +kubebuilder:default=yes
	Flag bool `json:"flag"`
}
