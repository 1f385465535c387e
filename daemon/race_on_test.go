//go:build race

package main

const raceEnabled = true // memory is not what it is without
