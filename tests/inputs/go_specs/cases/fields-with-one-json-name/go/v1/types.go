// +groupName=things.example.com
package v1

// Go writes neither First nor Second, and no field but Tagged as `Size`.
type ThingSpec struct {
	First string `json:"name"`
	Kept int32 `json:"kept,omitempty"`
	Second string `json:"name"`
	Size int32
	Tagged int32 `json:"Size"`
	hidden string `json:"kept"`
}
