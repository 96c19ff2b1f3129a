// Package etltest writes ETW traces for tests: any buffer, every event
// header in 32 and 64 bits, each clock, plain and compressed, valid or with
// chosen damage. It shares no code with the reader, so that neither can hide a
// mistake in the other.
//
// [Parse] turns a short text into a file. [Trace], [Buffer], [Event] and
// [Stream] do the same from Go, for traces too large for a text: build a
// Trace, fill one of its Streams, call Flush, then Bytes.
//
// # Text form
//
// A statement per line: a word, then settings key=value in any order, all of
// which have defaults. Blanks separate settings, except inside double quotes
// (Go's notation) and round brackets. # begins a comment, \ at the end
// continues the line. A trace needs no more than
//
//	system64 hook=0x0524 ver=4 t=+1ms payload=u32:8,u32:4
//
// Statements, in the order that a file has them:
//
//	trace ...           the file; must be the first statement if there is one
//	logfile ...         spoils fields of TRACE_LOGFILE_HEADER
//	headerevent ...     pid, tid and so on of the trace header event; kind= replaces system64
//	header ...          the header buffer; events that follow go after the trace header event
//	buffer ...          a data buffer; events that follow go into it
//	stream              events that follow are sorted by time and fill buffers of the processor
//	                    that their cpu= names; the next buffer, stream or bytes ends it
//	bytes payload=...   bytes between buffers
//	repeat N ... {      the statements up to a line with } alone, N times; on one line: repeat N { statement }
//	endmarker           eight bytes 0xFF where an event could be
//	an event            see below; before any buffer it begins one
//
// # Numbers, times, text
//
// Numbers are Go literals joined by + - * / % and brackets. They must fit the
// field, as signed or unsigned.
//
// A time is an offset from the trace's start (+100us, -1s, +1ms+3*15us),
// a date (2024-05-01T12:00:00.5Z), or raw ticks of the trace's clock.
//
// repeat has from= (first value of the variable, 0), as= (its name, i), t= and
// dt=: round n, from 0, adds t plus n times dt to the time offsets in it.
// $i or ${i} is the variable's value, anywhere in a line; $$ is a dollar.
//
// # trace
//
//	ptr=64|32 clock=qpc|system|cycles freq=10000000 mhz=2400
//	start=2024-05-01T12:00:00Z startticks=(100 s after boot) boot= end=(last event) unfinalised
//	buffersize=4096 headersize= processors=(as used) mode=sequential|circular|... or a number
//	maxsize=0 startbuffers=1 eventslost=0 bufferslost=0 timerres=156250
//	name= file= (session and file name) os=10.0 version=1.5 build=19045 logger=0
//	bias=-60 standard="name"@M10.5.0/3 standardbias=0 daylight="name"@2024-03-31T02:00:00 daylightbias=-60
//	compressed=none|lznt1|xpress|huffman (implies the modes relog and compressed and version=2.0)
//	seq=1 (first sequence number) wrap=N (circular: the newest N buffers overwrote the oldest places)
//	slack=bytes[:fill] truncate=bytes (off the end) noheader
//	rtbackup (a file of a real-time session; patch= of the header statement spoils its header)
//	old (a file of Windows 2000, XP or Server 2003: os=5.0, 5.1, 5.2; 5.1 without os=)
//
// The modes are none, sequential, circular, append, newfile, preallocate,
// realtime, buffering, private, kbytes, globalsequence, localsequence, relog,
// privateinproc, systemlogger, compressed, independent and noperprocessor.
// In a time zone, M10.5.0/3 means the last (5th) Sunday (0) of October,
// 3 o'clock. Buffers have the Windows 7 form before os=6.2, and processor
// numbers of 16 bits from os=6.3 on. With mode relog the time stamps of
// buffers are FILETIMEs.
//
// logfile spoils buffersize, versiondetail, providerversion,
// numberofprocessors, endtime, timerresolution, maximumfilesize, logfilemode,
// bufferswritten, startbuffers, pointersize, eventslost, cpuspeedinmhz,
// loggernamepointer, logfilenamepointer, bias, standardbias, daylightbias,
// boottime, perffreq, starttime, clocktype, bufferslost.
//
// # buffer and header
//
//	cpu=0 logger= seq=(the next; restarts where logger changes) t=(last event) flags=0 type=0 state=3
//	size=(the trace's) slack=0xff (fill) compressed= plain stream=(the compressed bytes) patch=offset:hex
//
// Both can also spoil buffersize, savedoffset, currentoffset, referencecount,
// timestamp, sequencenumber, clockfrequency, processorindex, alignment,
// loggerid, bufferstate, offset, bufferflag, buffertype, starttime,
// startperfclock. With old these are referencecount, savedoffset, currentoffset,
// usesperfclock, timestamp, processorindex, alignment, loggerid, bufferstate,
// offset, and eventslost (Windows 2000, XP) or bufferflag and buffertype (2003).
//
// # Events
//
// All take t= (default: the time of the event before), dt= (since that
// event), payload=, patch=offset:hex, pad=hex (instead of zeros up to the
// next multiple of 8), and in a stream cpu=. Every header field can be
// spoiled: size, marker, headertype, and the others by Microsoft's name in
// lower case.
//
//	system32 system64           hook= ver= pid= tid= kernel= user= cputime= pebs= pmc=1,2
//	compact32 compact64         hook= ver= pid= tid= pebs= pmc=
//	perfinfo32 perfinfo64       hook= ver= pebs= pmc=
//	full32 full64               guid= type= level= ver= pid= tid= kernel= user= cputime=
//	instance32 instance64       the same and instance= parent= parentguid=
//	oldinstance32 oldinstance64 the same without guid= and parentguid=; reghandle= parentreghandle=
//	event32 event64             provider= id= ver= chan= level= op= task= kw= flags= property= activity=
//	                            pid= tid= kernel= user= cputime= and the extended items below
//	message                     number= seq= guid= component= perft= pid= tid= ptr=32|64|none; flags=
//	                            replaces the option flags, which follow from the other keys
//	timed error wnode raw       bytes= (or payload=) after the header; wnode also guid=; raw has no header
//
// Extended items lie in the order of their keys:
//
//	related=guid sid=S-1-5-18 session=1 instanceinfo=payload stack32=match:addr,addr stack64=match:addr,addr
//	pebs=9 pmc=1,2 psmkey=payload eventkey=1 startkey=1 control=guid qpcdelta=-5 container=payload
//	stackkey32=match:key stackkey64=match:key
//	schema=Event#tag(A:u32/hex,B:str16,C:u8[],D:u16[4],E:struct(F:guid,G:sid)[]#tag,H:bin{0102})
//	traits=Provider(group:guid,decode:guid)
//	rawext=type:hex:itemsize:datasize:linkage (the last three can be missing)
//
// Fields of a schema have the types null, str16, str8, i8 to u64, f32, f64,
// bool32, bin, guid, ptr, filetime, systemtime, sid, hex32, hex64, cstr16,
// cstr8, cbin and struct, or a number; [] is an array with a count in the
// payload, [n] one without, {hex} a custom one; after / comes the out type by
// name or number, and after # a tag.
//
// # Payloads
//
// A payload is a list of type:value with commas between; bare hex is a type
// too. type*n:value writes the value n times, and numbers can be joined by |.
//
//	u8 u16 u32 u64 i8 i16 i32 i64 ptr (as wide as the event's) f32 f64
//	hex:00ff zero:count guid: sid: wbemsid: (TOKEN_USER and SID; or none)
//	str8: str16: (NUL-terminated) chars8: chars16: (bare) cstr8: cstr16: bin:hex (after a u16 of bytes)
//	ticks: (a time) filetime: systemtime: (a date, or an offset from the start) port:443 ip:10.0.0.1
//	eventinfo:(provider:guid,id:1,fields:(N:u32=Map,A:u16[N],B:bin{N},C:u32/17,S:struct(D:str16)[2])) (TRACE_EVENT_INFO)
//	mapinfo:(provider:guid,name:Map,flags:1,0:off,1:on) (EVENT_MAP_INFO after its provider)
//
// The keys of an eventinfo are provider, class (of a classic event), id, ver, chan, level, op, task, kw, fields, the names
// pname, lname, cname, kname (repeatable), tname, oname and name, the message msg, and to spoil count and top. Of its
// fields [] holds a count and {} a length, or the name of the field that says it, / the number of an out-type, and
// @first+members spoils the place of a structure's fields.
package etltest
