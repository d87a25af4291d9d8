package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// The group without a name is where the kinds that all groups share have a place.
const GroupName = ""

// +genclient
type Frobber struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`
}
