package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const GroupName = "things.example.com"

var SchemeGroupVersion = schema.GroupVersion{Group: GroupName, Version: "v1"}

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(SchemeGroupVersion,
		&Frobber{}, &FrobberList{}, &FrobPolicy{}, &FrobPolicyList{}, &Gateway{}, &GatewayList{},
		&Scale{}, &FrobOptions{}, &Odd{}, &OddList{},
	)
	scheme.AddKnownTypes(SchemeGroupVersion, &metav1.Status{}, &other.Thing{})
	return nil
}
