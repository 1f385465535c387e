package script

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"reflect"
	"strings"
	"time"
)

// replaced are symbols of the standard library that are others in a script.
func (b *boxes) replaced(path, name string) reflect.Value {
	of := func(f any) reflect.Value { return b.printing(name, reflect.ValueOf(f)) }
	key := path + "." + name
	b.woken = b.woken || wakers[key] || key == "time.AfterFunc" && b.w.words["Reset"]
	switch key {
	case "os.Exit":
		return reflect.ValueOf(b.exit)
	case "os.Stdout":
		if b.file != nil {
			b.file()
		}
	case "strings.Repeat":
		return reflect.ValueOf(func(s string, n int) string { return strings.Repeat(s, fits(n, len(s))) })
	case "bytes.Repeat":
		return reflect.ValueOf(func(s []byte, n int) []byte { return bytes.Repeat(s, fits(n, len(s))) })
	case "time.After":
		return reflect.ValueOf(func(d time.Duration) <-chan time.Time { b.timed(d); return time.After(d) })
	case "time.AfterFunc":
		return reflect.ValueOf(func(d time.Duration, f func()) *time.Timer { b.timed(d); return time.AfterFunc(d, b.guarded(f)) })
	case "context.WithTimeout":
		return reflect.ValueOf(func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
			b.timed(d)
			return context.WithTimeout(ctx, d)
		})
	case "context.WithDeadline":
		return reflect.ValueOf(func(ctx context.Context, t time.Time) (context.Context, context.CancelFunc) {
			b.timed(time.Until(t))
			return context.WithDeadline(ctx, t)
		})
	case "context.AfterFunc":
		return reflect.ValueOf(func(ctx context.Context, f func()) func() bool { return context.AfterFunc(ctx, b.guarded(f)) })
	case "log.Fatal":
		return of(func(a ...any) { log.Print(a...); b.exit(1) })
	case "log.Fatalf":
		return of(func(f string, a ...any) { log.Printf(f, a...); b.exit(1) })
	case "log.Fatalln":
		return of(func(a ...any) { log.Println(a...); b.exit(1) })
	case "fmt.Printf":
		return of(func(f string, a ...any) (int, error) { return fmt.Fprintf(b.out, f, a...) })
	case "fmt.Print":
		return of(func(a ...any) (int, error) { return fmt.Fprint(b.out, a...) })
	case "fmt.Println":
		return of(func(a ...any) (int, error) { return fmt.Fprintln(b.out, a...) })
	}
	switch key {
	case "reflect.TypeOf":
		return reflect.ValueOf(b.reflectTypeOf)
	case "reflect.ValueOf":
		return reflect.ValueOf(b.reflectValueOf)
	case "reflect.DeepEqual":
		return reflect.ValueOf(b.deepEqual)
	}
	v := b.w.lookup(path, name)
	if path == "encoding/xml" {
		if f := b.xmlSymbols(name); f != nil {
			return reflect.ValueOf(f)
		}
	}
	if path == "encoding/json" {
		if f := b.jsonSymbols(name); f != nil {
			return reflect.ValueOf(f)
		}
	}
	if (path == "fmt" || path == "log") && v.Kind() == reflect.Func && v.Type().IsVariadic() && !strings.Contains(name, "can") {
		return b.printing(name, v)
	}
	return v
}
