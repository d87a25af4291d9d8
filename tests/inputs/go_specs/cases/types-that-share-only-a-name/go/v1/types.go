// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FrobberSpec `json:"spec"`
}

type FrobberSpec struct {
	TLS   *TLS  `json:"tls,omitempty"`
	Route Route `json:"route"`
	Port  Port  `json:"port"`
	Size  Size  `json:"size"`
}

type TLS struct {
	SecretName string `json:"secretName"`
}

type Route struct {
	TLS *TLS `json:"tls,omitempty"`
}

// Port is the same in both versions.
type Port struct {
	Number int32 `json:"number"`
}

// Size is part of a kind that both versions have.
type Size struct {
	Width int32 `json:"width"`
}
