// controller-gen reads the markers of a field in its doc comment and in the comment before that.
// +groupName=things.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FrobberSpec `json:"spec"`
}

type FrobberSpec struct {
	// +kubebuilder:validation:MinLength=1

	// The schedule in Cron format.
	// +kubebuilder:validation:MaxLength=64
	Schedule string `json:"schedule"`

	// +kubebuilder:validation:Minimum=0
	// +k8s:maximum=9

	Deadline int64 `json:"deadline"`

	// +kubebuilder:validation:Minimum=0


	// Too far above.
	Limit int64 `json:"limit"`
}
