package symbols

import (
	"reflect"
	"syscall"
)

// sym_syscall has the part of package syscall that all systems share, and scripts use.
func sym_syscall(name string) (v reflect.Value) {
	switch name {
	case "Errno":
		return reflect.ValueOf((*syscall.Errno)(nil))
	case "Signal":
		return reflect.ValueOf((*syscall.Signal)(nil))
	case "EACCES":
		return reflect.ValueOf(syscall.EACCES)
	case "EEXIST":
		return reflect.ValueOf(syscall.EEXIST)
	case "EINVAL":
		return reflect.ValueOf(syscall.EINVAL)
	case "ENOENT":
		return reflect.ValueOf(syscall.ENOENT)
	case "EPERM":
		return reflect.ValueOf(syscall.EPERM)
	case "ECONNREFUSED":
		return reflect.ValueOf(syscall.ECONNREFUSED)
	case "SIGHUP":
		return reflect.ValueOf(syscall.SIGHUP)
	case "SIGINT":
		return reflect.ValueOf(syscall.SIGINT)
	case "SIGKILL":
		return reflect.ValueOf(syscall.SIGKILL)
	case "SIGTERM":
		return reflect.ValueOf(syscall.SIGTERM)
	case "Exit":
		return reflect.ValueOf(syscall.Exit)
	case "Getpid":
		return reflect.ValueOf(syscall.Getpid)
	case "Getppid":
		return reflect.ValueOf(syscall.Getppid)
	case "Getuid":
		return reflect.ValueOf(syscall.Getuid)
	}
	return
}
