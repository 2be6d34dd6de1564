package ui

import (
	"testing"
)

func TestX(t *testing.T) {}
