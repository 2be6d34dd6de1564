package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/godbus/dbus/v5"

	"cachecliff/platform"
	"cachecliff/platform/udisks"
)

// busService is UDisks2 on the system bus. ctx limits all that is asked of it.
type busService struct {
	ctx  context.Context
	conn *dbus.Conn
}

// throughUDisks asks UDisks2 something, within a time limit. The bus starts the service if it does not run yet.
func throughUDisks[T any](ctx context.Context, limit time.Duration, f func(diskService) (T, error)) (T, error) {
	var none T
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel() // closes the connection
	conn, err := dbus.ConnectSystemBus(dbus.WithContext(ctx))
	switch {
	case ctx.Err() != nil:
		return none, busError("connect to", "the system bus", errors.Join(ctx.Err(), err))
	case err != nil:
		return none, &platform.OpError{Op: "connect to", Object: "the system bus", Reason: platform.ErrUnsupported, Err: err}
	}
	out, err := f(busService{ctx, conn})
	if err != nil && ctx.Err() != nil { // the end of the time closes the connection, which may be told first
		err = busError("ask", "UDisks2", errors.Join(ctx.Err(), err))
	}
	closeErr := conn.Close()
	if err == nil {
		err = busError("close", "the system bus", closeErr)
	}
	return out, err
}

// busError names the reason of an error.
func busError(op, object string, err error) error {
	if err == nil {
		return nil
	}
	out := &platform.OpError{Op: op, Object: object, Reason: reasonOf(err), Err: err}
	var named dbus.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		out.Reason = platform.ErrStalled
	case errors.As(err, &named) && udisks.Missing(named.Name):
		out.Reason, out.Err = platform.ErrUnsupported, fmt.Errorf("UDisks2 does not run here: %w", err)
	case errors.As(err, &named):
		out.Reason = udisks.Reason(named.Name)
	}
	return out
}

// call calls a method of an object. Nobody is asked for a password: the flag that would allow it is not set.
func (s busService) call(path, method string, args ...any) (any, error) {
	call := s.conn.Object(udisks.Service, dbus.ObjectPath(path)).CallWithContext(s.ctx, method, 0, args...)
	switch {
	case call.Err != nil:
		return nil, busError("call "+method+" of", path, call.Err)
	case len(call.Body) == 0:
		return nil, nil
	}
	return plain(call.Body[0]), nil
}

func (s busService) objects() (udisks.Objects, error) {
	const method = "org.freedesktop.DBus.ObjectManager.GetManagedObjects"
	var all map[dbus.ObjectPath]map[string]map[string]dbus.Variant
	err := s.conn.Object(udisks.Service, udisks.Root).CallWithContext(s.ctx, method, 0).Store(&all)
	if err != nil {
		return nil, busError("call "+method+" of", udisks.Service, err)
	}
	out := make(udisks.Objects, len(all))
	for path, interfaces := range all {
		o := make(map[string]udisks.Properties, len(interfaces))
		for name, properties := range interfaces {
			o[name] = plainMap(properties)
		}
		out[string(path)] = o
	}
	return out, nil
}

func (s busService) properties(d udisks.Device) (udisks.Properties, error) {
	v, err := s.call(d.Path, "org.freedesktop.DBus.Properties.GetAll", d.Interface)
	p, _ := v.(map[string]any)
	return p, err
}

func (s busService) attributes(d udisks.Device) (any, error) {
	return s.call(d.Path, d.Interface+".SmartGetAttributes", variants(udisks.Options()))
}

func (s busService) update(d udisks.Device) error {
	_, err := s.call(d.Path, d.Interface+".SmartUpdate", variants(udisks.Options()))
	return err
}

func variants(m map[string]any) map[string]dbus.Variant {
	out := make(map[string]dbus.Variant, len(m))
	for name, v := range m {
		out[name] = dbus.MakeVariant(v)
	}
	return out
}

// plain replaces variants by what is in them, and object paths by strings.
func plain(v any) any {
	switch v := v.(type) {
	case dbus.Variant:
		return plain(v.Value())
	case dbus.ObjectPath:
		return string(v)
	case map[string]dbus.Variant:
		return plainMap(v)
	case [][]any:
		out := make([][]any, len(v))
		for i, line := range v {
			out[i] = make([]any, len(line))
			for j, cell := range line {
				out[i][j] = plain(cell)
			}
		}
		return out
	}
	return v
}

func plainMap(m map[string]dbus.Variant) map[string]any {
	out := make(map[string]any, len(m))
	for name, v := range m {
		out[name] = plain(v)
	}
	return out
}
