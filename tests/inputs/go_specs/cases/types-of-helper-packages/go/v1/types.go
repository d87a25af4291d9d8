// +groupName=things.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	runv1 "example.com/things/run/v1"
	"example.com/things/shared"
)

// +kubebuilder:object:root=true
type Frobber struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec FrobberSpec `json:"spec"`
}

type FrobberSpec struct {
	shared.Common `json:",inline"`

	Progress *shared.Progress            `json:"progress,omitempty"`
	Steps    shared.Steps                `json:"steps,omitempty"`
	ByName   map[string]*shared.Progress `json:"byName,omitempty"`
	Level    shared.Level                `json:"level"`
	Own      Size                        `json:"own"`
	Other    shared.Size                 `json:"other"`
	Run      *RunStatus                  `json:"run,omitempty"`
}

type Size struct {
	Width int32 `json:"width"`
}

// RunStatus is declared where the runs are.
type RunStatus = runv1.RunStatus

type FrobberStatus struct {
	Color  shared.Color           `json:"color,omitempty"`
	Colors []shared.Color         `json:"colors,omitempty"`
	Short  map[shared.Short]string `json:"short,omitempty"`
	Tags   shared.Tags            `json:"tags,omitempty"`
	Phase  *shared.Phase          `json:"phase,omitempty"`
	Plain  shared.Plain           `json:"plain,omitempty"`
}
