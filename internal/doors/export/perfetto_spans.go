package export

// trackKey is a group of tracks: the spans of a category in a process, or a counter of it.
type trackKey struct {
	process  int32
	category category
	counter  string
}

// track is a group of tracks with one name. Spans that overlap are on different ones.
type track struct {
	lanes []lane
}

// lane is a track on which spans do not overlap.
type lane struct {
	uuid int64
	end  int64 // of its last span
}

// Types of track events: protos/perfetto/trace/track_event/track_event.proto.
const eventBegin, eventEnd, eventInstant, eventCounter = 1, 2, 3, 4

// counterTrack, instead of a category, is for counters.
const counterTrack = -1

// uuid returns the id of a new track.
func (f *perfettoFile) uuid() int64 {
	const first = 1 << 32 // small numbers would be tracks that the viewer makes
	f.uuids++
	return first + f.uuids
}

// lane returns a track that is free since a time.
func (f *perfettoFile) lane(key trackKey, from int64, describe func(track *message)) *lane {
	tracks := f.tracks[key]
	if tracks == nil {
		tracks = new(track)
		f.tracks[key] = tracks
	}
	for i := range tracks.lanes {
		if tracks.lanes[i].end <= from {
			return &tracks.lanes[i]
		}
	}
	l := lane{uuid: f.uuid()}
	d := new(message).int(1, l.uuid).int(5, f.processTrack(key.process))
	describe(d)
	f.add(sequenceSpans, -1, packetTrack, d)
	tracks.lanes = append(tracks.lanes, l)
	return &tracks.lanes[len(tracks.lanes)-1]
}

// processTrack returns the id of the track of a process, which it describes the first time.
func (f *perfettoFile) processTrack(number int32) int64 {
	uuid, ok := f.processTracks[number]
	if !ok {
		uuid = f.uuid()
		f.processTracks[number] = uuid
		process := new(message).int(1, f.ids.process(f.profile, number)).text(6, validText(f.processes.list[number].short()))
		f.add(sequenceSpans, -1, packetTrack, new(message).int(1, uuid).message(3, process))
	}
	return uuid
}

// span writes a span on a track of its process and category.
func (f *perfettoFile) span(s *span) error {
	f.written++
	key := trackKey{process: f.threads.list[s.thread].process, category: s.category}
	l := f.lane(key, s.from, func(d *message) { d.text(2, categories[s.category]) })
	l.end = s.to
	kind := int64(eventBegin)
	if s.from == s.to {
		kind = eventInstant
	}
	b := f.body.reset().int(9, kind).int(11, l.uuid).text(22, categories[s.category]).text(23, validText(s.name))
	if id := f.threads.list[s.thread].id; id >= 0 {
		b.message(4, new(message).text(10, "thread_id").int(4, id))
	}
	for _, a := range s.args {
		b.message(4, new(message).text(10, a.name).text(6, validText(a.value)))
	}
	f.add(sequenceSpans, s.from, packetTrackEvent, b)
	if kind == eventBegin {
		f.add(sequenceSpans, s.to, packetTrackEvent, f.body.reset().int(9, eventEnd).int(11, l.uuid))
	}
	return nil
}

// counter writes a value of a counter of a process.
func (f *perfettoFile) counter(c *counter) error {
	f.written++
	key := trackKey{f.threads.list[c.thread].process, counterTrack, c.name}
	l := f.lane(key, c.time, func(d *message) { d.text(2, c.name).message(8, new(message).text(6, c.unit)) })
	f.add(sequenceSpans, c.time, packetTrackEvent, f.body.reset().int(9, eventCounter).int(11, l.uuid).double(44, c.value))
	return nil
}
