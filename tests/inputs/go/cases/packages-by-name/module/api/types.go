package api

type Thing struct{}
