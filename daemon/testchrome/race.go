//go:build race

package testchrome

const raceEnabled = true
