package v1

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(SchemeGroupVersion, &Frobber{}, &FrobberList{})
	return nil
}
