package export

// ids gives processes and threads numbers of Linux: their own, unless it is taken by another one, as
// when an id is used again, or of another machine, or too large.
type ids struct {
	processes, threads map[int32]int64
	taken              map[int64]bool
	more               int64 // ids that were given instead
}

// largestID is the largest number of a process that Linux has.
const largestID = 1 << 22

// fit returns an id that no process or thread has taken, or one far from all.
func (i *ids) fit(id int64) int64 {
	if id < 0 || id > largestID {
		return 1<<30 - 1
	}
	return id
}

// take returns the id if nothing has taken it, else a free one.
func (i *ids) take(id int64) int64 {
	if i.taken == nil {
		i.processes, i.threads, i.taken = make(map[int32]int64), make(map[int32]int64), make(map[int64]bool)
	}
	if id < 0 || id > largestID || i.taken[id] {
		i.more++
		return 1<<30 + i.more
	}
	i.taken[id] = true
	return id
}

// process returns the id of a process. The idle process is 0 on every machine.
func (i *ids) process(p *profile, number int32) int64 {
	process := &p.processes.list[number]
	if process.id == 0 {
		return 0
	}
	id, ok := i.processes[number]
	if !ok {
		id = i.take(process.id)
		i.processes[number] = id
	}
	return id
}

// thread returns the id of a thread.
func (i *ids) thread(p *profile, number int32) int64 {
	thread := &p.threads.list[number]
	if thread.id == 0 {
		return 0
	}
	id, ok := i.threads[number]
	if !ok {
		id = i.take(thread.id)
		i.threads[number] = id
	}
	return id
}
