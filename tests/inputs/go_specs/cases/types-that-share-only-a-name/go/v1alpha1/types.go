// +groupName=things.example.com
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FrobberSpec `json:"spec"`
}

// +kubebuilder:object:root=true
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec GadgetSpec `json:"spec"`
}

type FrobberSpec struct {
	Size Size `json:"size"`
}

type GadgetSpec struct {
	TLS   *TLS  `json:"tls,omitempty"`
	Route Route `json:"route"`
	Port  Port  `json:"port"`
}

type TLS struct {
	CertFile string `json:"certFile"`
	KeyFile  string `json:"keyFile"`
}

// Route differs in nothing but the type that it refers to.
type Route struct {
	TLS *TLS `json:"tls,omitempty"`
}

type Port struct {
	Number int32 `json:"number"`
}

type Size struct {
	Width int32 `json:"width"`
}
