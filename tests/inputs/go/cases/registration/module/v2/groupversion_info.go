// Package v2 is made as kubebuilder does it.
// +kubebuilder:object:generate=true
// +groupName=more.example.com
package v2

var (
	GroupVersion  = schema.GroupVersion{Group: "more.example.com", Version: "v2"}
	SchemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}
)

func init() {
	SchemeBuilder.Register(&Widget{}, &WidgetList{})
}
