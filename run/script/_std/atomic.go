package atomic

import (
	"reflect"
	"sync"
)

type Pointer[T any] struct {
	mu sync.Mutex
	p  *T
}

func (x *Pointer[T]) Load() *T {
	x.mu.Lock()
	p := x.p
	x.mu.Unlock()
	return p
}

func (x *Pointer[T]) Store(p *T) {
	x.mu.Lock()
	x.p = p
	x.mu.Unlock()
}

func (x *Pointer[T]) Swap(p *T) *T {
	x.mu.Lock()
	old := x.p
	x.p = p
	x.mu.Unlock()
	return old
}

func (x *Pointer[T]) CompareAndSwap(old, p *T) bool {
	x.mu.Lock()
	same := x.p == old
	if same {
		x.p = p
	}
	x.mu.Unlock()
	return same
}

type Value struct {
	mu sync.Mutex
	v  any
}

func (x *Value) Load() any {
	x.mu.Lock()
	v := x.v
	x.mu.Unlock()
	return v
}

func (x *Value) Store(v any) { x.replace("store", v) }

func (x *Value) Swap(v any) any { return x.replace("swap", v) }

func (x *Value) replace(how string, v any) any {
	if v == nil {
		panic("sync/atomic: " + how + " of nil value into Value")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	old := x.v
	if old != nil && reflect.TypeOf(old) != reflect.TypeOf(v) {
		panic("sync/atomic: " + how + " of inconsistently typed value into Value")
	}
	x.v = v
	return old
}

func (x *Value) CompareAndSwap(old, v any) bool {
	if v == nil {
		panic("sync/atomic: compare and swap of nil value into Value")
	}
	if old != nil && reflect.TypeOf(old) != reflect.TypeOf(v) {
		panic("sync/atomic: compare and swap of inconsistently typed values")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.v != nil && reflect.TypeOf(x.v) != reflect.TypeOf(v) {
		panic("sync/atomic: compare and swap of inconsistently typed value into Value")
	}
	if x.v != old {
		return false
	}
	x.v = v
	return true
}
