// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var objectTypes = []runtime.Object{&First{}}

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, objectTypes...)
	return nil
}

func init() {
	objectTypes = append(objectTypes, &Thing{}, new(ThingList))
}

type First struct {
	metav1.TypeMeta `json:",inline"`
}

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Configuration *ThingConfiguration `json:"configuration,omitempty"`
}

type ThingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items []Thing `json:"items"`
}

// Nothing makes it known: it is no kind, and stands in others with its kind and apiVersion.
type ThingConfiguration struct {
	metav1.TypeMeta `json:",inline"`
	Name string `json:"name"`
}
