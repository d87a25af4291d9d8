// +groupName=things.example.com
package v1

type ThingSpec struct {
	Count  int64   `json:"count,string"`
	Share  *Share  `json:"share,omitempty,string"`
	On     bool    `json:"on,omitempty,string"`
	Name   string  `json:"name,omitempty"`
	List   []int32 `json:"list,string"`
}

type Share float64
