// +groupName=things.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:default={from: Same, ports: {80, 443}, on: true, "rate": 1.5, none: {}, word: "a,b"}
	Spec *FrobberSpec `json:"spec,omitempty"`
	// +kubebuilder:default={from: Same}
	Always FrobberSpec `json:"always,omitempty"`
	// +kubebuilder:default={{from: Same}, {from: "All"}}
	Many []FrobberSpec `json:"many,omitempty"`
	// +kubebuilder:default={}
	Empty []string `json:"empty,omitempty"`
	// +kubebuilder:default={}
	EmptyMap map[string]string `json:"emptyMap,omitempty"`
	// +kubebuilder:default={a, b}
	Map map[string]string `json:"map,omitempty"`
	// +kubebuilder:default={from: Same
	Broken *FrobberSpec `json:"broken,omitempty"`
	// +kubebuilder:default={from: Same} x
	Behind *FrobberSpec `json:"behind,omitempty"`
	// +kubebuilder:default=`a "b"`
	Text string `json:"text,omitempty"`
}

type FrobberSpec struct {
	From  string            `json:"from,omitempty"`
	Ports []int32           `json:"ports,omitempty"`
	On    bool              `json:"on,omitempty"`
	Rate  float64           `json:"rate,omitempty"`
	None  map[string]string `json:"none,omitempty"`
	Word  string            `json:"word,omitempty"`
}

// +kubebuilder:validation:MinLength=1
type Open string

const OpenA Open = "A"
