// Package symbols answers for the compiled packages that scripts can use, one symbol
// at a time. Its tables are generated, for the Go that runs the generator.
package symbols

//go:generate go run ./gen

// Mark is a type of this package, by which those that carry interfaces are told.
type Mark struct{}
