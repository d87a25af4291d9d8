// +groupName=things.example.com
package v1

type Common struct {
	Name string `json:"name"`
	Kept int32 `json:"kept,omitempty"`
}

// Go writes its own `name`, not that of Common.
type ThingSpec struct {
	Common `json:",inline"`
	Name *string `json:"name,omitempty"`
}
