// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)


// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=Scale
// +genclient:method=UpdateScale,verb=update,subresource=scale,input=Scale,result=Scale
// +genclient:method=Approve,verb=update,subresource=approval
// +k8s:prerelease-lifecycle-gen:introduced=1.9
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Spec FrobberSpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	Status FrobberStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

type FrobberList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Items []Frobber `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// +genclient
// +genclient:nonNamespaced
// +genclient:noStatus
// +k8s:prerelease-lifecycle-gen:introduced=1.10
type FrobPolicy struct {
	metav1.TypeMeta   `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Spec FrobberSpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	Status FrobberStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

type FrobPolicyList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Items []FrobPolicy `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=gates,shortName=gw;g,scope=Cluster,categories={all,things}
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +k8s:prerelease-lifecycle-gen:introduced=1.9
type Gateway struct {
	metav1.TypeMeta   `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Spec FrobberSpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	Status FrobberStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

type GatewayList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Items []Gateway `json:"items" protobuf:"bytes,2,rep,name=items"`
}

// +k8s:prerelease-lifecycle-gen:introduced=1.9
type Scale struct {
	metav1.TypeMeta   `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`

	Spec FrobberSpec `json:"spec,omitempty" protobuf:"bytes,2,opt,name=spec"`
	Status FrobberStatus `json:"status,omitempty" protobuf:"bytes,3,opt,name=status"`
}

type FrobberSpec struct {
	// +optional
	Replicas *int32 `json:"replicas,omitempty" protobuf:"varint,1,opt,name=replicas"`
}

type FrobberStatus struct {
	Replicas int32 `json:"replicas" protobuf:"varint,1,opt,name=replicas"`
}

// FrobOptions has no metadata.
// +k8s:prerelease-lifecycle-gen:introduced=1.9
type FrobOptions struct {
	metav1.TypeMeta `json:",inline"`
	Path string `json:"path,omitempty" protobuf:"bytes,1,opt,name=path"`
}

// +genclient
// +genclient:method=GetScale,verb=get,subresource=scale,result=Scale
// +k8s:prerelease-lifecycle-gen:introduced=1.9
type Odd struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
}

// The list has something of its own.
type OddList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
	Items []Odd `json:"items" protobuf:"bytes,2,rep,name=items"`
	Total int32 `json:"total" protobuf:"varint,3,opt,name=total"`
}
