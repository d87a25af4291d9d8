// +groupName=things.example.com
// +kubebuilder:validation:Optional
package v1

type ThingSpec struct {
	Plain string `json:"plain"`
	Empty string `json:"empty,omitempty"`
	// +kubebuilder:validation:Required
	Required string `json:"required"`
	// +required
	Pointer *string `json:"pointer,omitempty"`
	// +optional
	Optional []string `json:"optional"`
}
