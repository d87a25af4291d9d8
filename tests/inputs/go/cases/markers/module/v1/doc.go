// +groupName=things.example.com
// +k8s:openapi-gen=true

// +k8s:deepcopy-gen=package

// Package v1 has markers everywhere.
//
//go:build !old
// +build !old
package v1

// +not-of-the-package
