package agent

import (
	"context"
	"errors"
)

// asModelError gives any failure of a request its class. When the task's own context has ended, that is the
// reason whatever the model says of it.
func asModelError(ctx context.Context, err error) *ModelError {
	var me *ModelError
	found := errors.As(err, &me)
	class := ErrNetwork
	switch ended := ctx.Err(); {
	case ended != nil:
		class = contextClass(ended)
		if !errors.Is(err, ended) {
			err = errors.Join(ended, err)
		}
	case found:
		return me
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		class = contextClass(err)
	}
	out := &ModelError{Class: class, Message: err.Error(), Err: err}
	if found {
		out.Status, out.Retries = me.Status, me.Retries
	}
	return out
}

func contextClass(err error) ErrorClass {
	if errors.Is(err, context.DeadlineExceeded) {
		return ErrTimeout
	}
	return ErrCancelled
}
