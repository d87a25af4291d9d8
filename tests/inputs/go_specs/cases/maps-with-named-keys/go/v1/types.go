// +groupName=things.example.com
package v1

import (
	other "example.org/other/names"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

type Key string

type ThingSpec struct {
	Own map[Key]string `json:"own,omitempty"`
	OfKubernetes map[corev1.ResourceName]resource.Quantity `json:"ofKubernetes,omitempty"`
	WithLists map[corev1.ResourceName][]string `json:"withLists,omitempty"`
	NotRead map[other.Name]int32 `json:"notRead,omitempty"`
	Numbers map[int]string `json:"numbers,omitempty"`
}
