// +groupName=things.example.com
package v1

// +kubebuilder:validation:Enum=v1;V1
type Version string

type Inner struct {
	HostIP string `json:"hostIP,omitempty"`
}

type ThingSpec struct {
	ProxyURL string `json:"proxyURL,omitempty"`
	ProxyUrl string `json:"proxyUrl,omitempty"`
	Version Version `json:"version,omitempty"`
	// +kubebuilder:validation:Enum=http;HTTP;Http
	Scheme string `json:"scheme,omitempty"`
	Inner `json:",inline"`
	HostIp string `json:"hostIp,omitempty"`
}
