// +groupName=things.example.com
package v1

type ThingSpec struct {
	Size int32 `json:"size"`
}
