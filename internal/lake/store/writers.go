package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/filelock"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// Processes that write into the same folder detect each other. Each has a locked file there,
// whose name is part of the names of its temporary files. So the leftovers of a killed process
// can be distinguished from files that another process is writing. A process locks the gate
// while it looks for leftovers; processes that begin wait for the gate.
const (
	gateFile     = ".gate.lock"
	writerPrefix = ".writer-"
	writerSuffix = ".lock"
	probePrefix  = ".probe-"
)

// writer is this process, as seen by other processes.
type writer struct {
	id   string
	file *os.File // nil if the file system has no locks
}

// Begin implements Store. Leftovers that cannot be cleared because others write are cleared by
// Close, if the others have ended by then.
func (f *Folder) Begin(ctx context.Context, always bool, clear func(alone bool) error) error {
	err := f.lookAround(ctx, always, clear)
	if err == nil {
		f.again = func() error { return f.clearLast(ctx, clear) }
	}
	return err
}

// lookAround registers this process and clears the leftovers of others.
func (f *Folder) lookAround(ctx context.Context, always bool, clear func(alone bool) error) (err error) {
	gate, err := f.closeGate(ctx)
	locks := !errors.Is(err, errors.ErrUnsupported)
	if err != nil && locks {
		return err
	}
	if gate != nil {
		defer func() { err = errors.Join(err, filelock.Remove(gate)) }()
	}
	if err := f.register(ctx, locks); err != nil {
		return err
	}
	return f.clearOthers(ctx, always, locks, clear)
}

// clearOthers clears the leftovers of others. The gate must be closed.
func (f *Folder) clearOthers(ctx context.Context, always, alone bool, clear func(alone bool) error) error {
	others, probes, err := f.others(ctx)
	if err != nil {
		return err
	}
	var ended []string
	for id, active := range others {
		if !active {
			ended = append(ended, f.writerFile(id))
		}
		alone = alone && !active
	}
	if !always && len(ended)+len(probes) == 0 {
		return nil
	}
	if err := clear(alone); err != nil || !alone {
		return err // the files of ended processes remain until a process is alone
	}
	return f.Remove(ctx, append(ended, probes...)...)
}

// clearLast clears the leftovers of others when this process has ended writing: the last of
// several processes to end is alone.
func (f *Folder) clearLast(ctx context.Context, clear func(alone bool) error) (err error) {
	others, _, err := f.others(ctx)
	if err != nil || len(others) == 0 || ctx.Err() != nil { // do not delay the exit after an interrupt
		return err
	}
	gate, err := lockFile(ctx, f.path(gateFile))
	if err != nil {
		return nil // the work of this run is done, and the next run clears, too
	}
	defer func() { err = errors.Join(err, filelock.Remove(gate)) }()
	return f.clearOthers(ctx, false, true, clear)
}

// closeGate locks the gate. If another process has removed the empty folder since Prepare, it
// is created again.
func (f *Folder) closeGate(ctx context.Context) (*os.File, error) {
	for try := 1; ; try++ {
		gate, err := lockFile(ctx, f.path(gateFile))
		if !errors.Is(err, fs.ErrNotExist) || !f.prepared || try == createTries {
			return gate, err
		}
		if err := os.MkdirAll(f.root, 0o777); err != nil && !isRace(err) {
			return nil, err
		}
	}
}

// register creates the file of this process, unless it exists.
func (f *Folder) register(ctx context.Context, locks bool) error {
	if f.writer != nil {
		return nil
	}
	var random [8]byte
	rand.Read(random[:]) // never fails
	f.writer = &writer{id: hex.EncodeToString(random[:])}
	if !locks {
		return nil
	}
	file, err := lockFile(ctx, f.path(f.writerFile(f.writer.id)))
	if err != nil {
		return err
	}
	f.writer.file = file
	if _, err := file.WriteString(strings.Join(machine(), "\n")); err != nil {
		return fmt.Errorf("write %s: %w", file.Name(), err)
	}
	return nil
}

// end withdraws the announcement of Begin.
func (f *Folder) end() error {
	w := f.writer
	f.writer = nil
	if w == nil || w.file == nil {
		return nil
	}
	return filelock.Remove(w.file)
}

func (f *Folder) writerFile(id string) string { return writerPrefix + id + writerSuffix }

// others returns the ids of the other processes that write here or were interrupted; the
// latter are not active. It also returns leftover probes.
func (f *Folder) others(ctx context.Context) (active map[string]bool, probes []string, err error) {
	entries, err := readDir(f.root)
	if err != nil && !isAbsent(err) {
		return nil, nil, err
	}
	active = make(map[string]bool)
	for _, e := range entries {
		name := e.Name()
		if isProbe(name) && e.Type().IsRegular() {
			probes = append(probes, name)
		}
		id := strings.TrimSuffix(strings.TrimPrefix(name, writerPrefix), writerSuffix)
		if f.writerFile(id) != name || !e.Type().IsRegular() || f.writer != nil && f.writer.id == id {
			continue
		}
		if active[id], err = f.isActive(ctx, id); err != nil {
			return nil, nil, err
		}
	}
	return active, probes, nil
}

// longestSilence is the longest time that a process on another machine may spend without
// writing. Locks on some network shares are visible only on one machine.
const longestSilence = time.Hour

// isActive reports whether a process may still be writing.
func (f *Folder) isActive(ctx context.Context, id string) (bool, error) {
	file := f.path(f.writerFile(id))
	if isLocked(file) {
		return true, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist), nil // the file may belong to another user
	}
	info, err := os.Stat(file)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist), nil
	}
	if len(text) == 0 || ofThisMachine(strings.Split(string(text), "\n")) { // empty: killed before it had written its machine
		return false, nil
	}
	latest := info.ModTime()
	err = f.walk(ctx, "", func(name string, e fs.DirEntry) error {
		if _, owner := originOf(name); owner != id {
			return nil
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(latest) {
			latest = info.ModTime()
		}
		return nil
	})
	return f.now().Sub(latest) < longestSilence, err
}

// now returns the time of the folder's file system, which may be a server's.
func (f *Folder) now() time.Time {
	if f.writer != nil && f.writer.file != nil {
		if info, err := f.writer.file.Stat(); err == nil {
			return info.ModTime() // it was written just now
		}
	}
	return time.Now()
}

// machine identifies this machine by its name and, because containers share a machine, by the
// boot of its system.
func machine() []string {
	name, err := os.Hostname()
	if err != nil || name == "localhost" {
		name = ""
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		boot = nil // not Linux
	}
	return []string{name, strings.TrimSpace(string(boot))}
}

func ofThisMachine(other []string) bool {
	for i, part := range machine() {
		if part != "" && i < len(other) && other[i] == part {
			return true
		}
	}
	return false
}

// ownerPattern is the end of the name of a temporary file, before tmpSuffix.
var ownerPattern = texts.Pattern(`^\.(.+)\.([0-9a-f]{16})$`)

// originOf returns the name under which a temporary file would be published, and the id of
// its process, if that is in the name.
func originOf(temporary string) (name, writer string) {
	folder, file := path.Split(temporary)
	file = strings.TrimSuffix(file, tmpSuffix)
	if parts := ownerPattern().FindStringSubmatch(file); parts != nil {
		return folder + parts[1], parts[2]
	}
	return folder + strings.TrimPrefix(file, "."), ""
}

func isProbe(name string) bool { return strings.HasPrefix(name, probePrefix) && isTemporary(name) }

// isLock reports whether a file is one by which processes detect each other.
func (f *Folder) isLock(name string) bool {
	return name == gateFile || strings.HasPrefix(name, writerPrefix) && strings.HasSuffix(name, writerSuffix)
}

// emptyFolders returns the folders without a file in or below them, innermost first.
func (f *Folder) emptyFolders(ctx context.Context) ([]Leftover, error) {
	var folders []Leftover
	used := map[string]bool{".": true}
	err := fs.WalkDir(tree(f.root), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && isAbsent(err):
			return nil
		case err != nil:
			return err
		case !e.IsDir():
			for folder := path.Dir(name); !used[folder]; folder = path.Dir(folder) {
				used[folder] = true
			}
			return nil
		}
		if info, err := e.Info(); err == nil { // else it is gone
			folders = append(folders, Leftover{Name: name + "/", ID: name + "/", Time: info.ModTime()})
		}
		return nil
	})
	slices.Reverse(folders)
	return slices.DeleteFunc(folders, func(l Leftover) bool { return used[strings.TrimSuffix(l.ID, "/")] }), err
}
