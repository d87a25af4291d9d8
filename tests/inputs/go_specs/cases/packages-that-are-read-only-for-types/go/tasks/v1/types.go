// +groupName=things.example.com
package v1

type Task struct {
	Name string `json:"name"`
}
