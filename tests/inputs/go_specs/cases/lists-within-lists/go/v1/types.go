// +groupName=things.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FrobberSpec `json:"spec"`
}

type FrobberSpec struct {
	Rows    [][]string                   `json:"rows,omitempty"`
	Headers map[string][]string          `json:"headers,omitempty"`
	Labels  map[string]map[string]string `json:"labels,omitempty"`
	Cubes   [][][]Cube                   `json:"cubes,omitempty"`
	Mounts  []MountPoints                `json:"mounts,omitempty"`
	Alone   Alone                        `json:"alone,omitempty"`
	Data    [][]byte                     `json:"data,omitempty"`
}

type Cube struct {
	Edge int32 `json:"edge"`
}

// It is in lists: an empty one is null there.
type MountPoints []string

// It is in no list.
type Alone []string

type CubeItems struct {
	Taken bool `json:"taken"`
}
