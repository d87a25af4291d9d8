// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
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
	Template corev1.PodTemplateSpec `json:"template" protobuf:"bytes,1,opt,name=template"`
	Resources corev1.ResourceList `json:"resources,omitempty" protobuf:"bytes,2,rep,name=resources"`
	Protocol corev1.Protocol `json:"protocol,omitempty" protobuf:"bytes,3,opt,name=protocol"`
	Quantity resource.Quantity `json:"quantity,omitempty" protobuf:"bytes,4,opt,name=quantity"`
	Port intstr.IntOrString `json:"port,omitempty" protobuf:"bytes,5,opt,name=port"`
	Raw runtime.RawExtension `json:"raw,omitempty" protobuf:"bytes,6,opt,name=raw"`
	UID types.UID `json:"uid,omitempty" protobuf:"bytes,7,opt,name=uid"`
	Time *metav1.MicroTime `json:"time,omitempty" protobuf:"bytes,8,opt,name=time"`
	Missing corev1.NoSuchType `json:"missing"`
}
