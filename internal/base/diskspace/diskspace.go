// Package diskspace reports the free space of disks.
package diskspace
