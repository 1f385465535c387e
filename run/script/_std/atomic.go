package atomic

import "sync"

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
