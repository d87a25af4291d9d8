package v1

type RunStatus struct {
	Message string `json:"message,omitempty"`
}
