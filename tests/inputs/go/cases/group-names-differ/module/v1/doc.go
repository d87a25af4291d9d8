// +groupName=things.example.com
package v1

const GroupName = "frobs.example.com"
