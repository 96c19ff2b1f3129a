//go:build !linux

package main

func memoryFolder(uint64) string { return "" }
