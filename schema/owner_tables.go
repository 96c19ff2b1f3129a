package schema

// life returns the columns that say when something was there. began and ended
// name the times of the events that say so.
func life(began, ended string) []Column {
	return []Column{
		{Name: began + "_time", Type: Timestamp, Nullable: true, Doc: "When it began, UTC. NULL if the trace does not say."},
		{Name: began + "_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "The same instant in ns since 1970-01-01 UTC."},
		{Name: ended + "_time", Type: Timestamp, Nullable: true, Doc: "When it ended, UTC. NULL if the trace does not say."},
		{Name: ended + "_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "The same instant in ns since 1970-01-01 UTC."},
		{Name: "valid_from_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "First instant, in ns since 1970-01-01 UTC, at which the id means this. NULL if it has no other meaning before."},
		{Name: "valid_to_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Last such instant. NULL if it has no other meaning after."},
		{Name: "known_from", Type: String, List: true, Doc: "Events that tell of it: start, end, rundown_start (there when recording began), rundown_end (there when it ended)."},
	}
}

// Processes has the processes the trace tells of.
var Processes = table("processes", "One row per process that the trace tells of, by id and time. An id that was used again has several.", []string{"process_id"}, []Column{
	{Name: "process_id", Type: Int64, Encoding: Rising, Doc: "Id of the process."},
	{Name: "parent_process_id", Type: Int64, Nullable: true, Doc: "Id of the process that created it; that id may have been used again since. NULL if not known."},
	{Name: "unique_process_key", Type: Uint64, Nullable: true, Encoding: Varied, Doc: "Address of the process object in the kernel. NULL if not known."},
	{Name: "process_name", Type: String, Nullable: true, Doc: "Image name, without a path; the kernel cuts it at 15 characters. NULL if not known."},
	{Name: "image_path", Type: String, Nullable: true, Doc: "Path of the image, with a drive letter where the trace tells it. NULL if not known."},
	{Name: "command_line", Type: String, Nullable: true, Encoding: Varied, Doc: "Command line. NULL if not known."},
	{Name: "package_full_name", Type: String, Nullable: true, Doc: "Full name of the app package. NULL if there is none."},
	{Name: "application_id", Type: String, Nullable: true, Doc: "Application id within the package. NULL if there is none."},
	{Name: "user_sid", Type: String, Nullable: true, Doc: "SID of the user. NULL if not known."},
	{Name: "session_id", Type: Int64, Nullable: true, Doc: "Terminal session. NULL if not known."},
	{Name: "exit_code", Type: Int64, Nullable: true, Doc: "Exit code, often an NTSTATUS. NULL if the trace does not tell of the end."},
	{Name: "is_32_bit", Type: Boolean, Nullable: true, Doc: "Whether it is a 32-bit process on a 64-bit system (Wow64). NULL if not known."},
}, life("start", "end"))

// Threads has the threads the trace tells of.
var Threads = table("threads", "One row per thread that the trace tells of, by id and time. An id that was used again has several.", []string{"thread_id"}, []Column{
	{Name: "thread_id", Type: Int64, Encoding: Rising, Doc: "Id of the thread."},
	{Name: "process_id", Type: Int64, Doc: "Process it belongs to."},
	{Name: "process_name", Type: String, Nullable: true, Doc: "Image name of that process. NULL if not known."},
	{Name: "thread_name", Type: String, Nullable: true, Doc: "Name it was given last. NULL if it has none that the trace tells."},
	{Name: "start_address", Type: Uint64, Nullable: true, Encoding: Varied, Doc: "Win32StartAddr: the function it was created to run. NULL if not known."},
	{Name: "base_priority", Type: Int32, Nullable: true, Doc: "Base priority, 0 to 31. NULL if not known."},
}, life("start", "end"))

// Images has the images the trace tells of.
var Images = table("images", "One row per image in a process, by process, base and time. Process 0 has those of the kernel.", []string{"process_id", "image_base"}, []Column{
	{Name: "process_id", Type: Int64, Encoding: Rising, Doc: "Process that has it; 0 for the kernel."},
	{Name: "process_name", Type: String, Nullable: true, Doc: "Image name of that process. NULL if not known."},
	{Name: "image_base", Type: Uint64, Encoding: Varied, Doc: "Address of its first byte."},
	{Name: "image_size", Type: Uint64, Encoding: Varied, Doc: "Bytes it takes in memory."},
	{Name: "image_name", Type: String, Nullable: true, Doc: "Last part of its path: the module. NULL if not known."},
	{Name: "image_path", Type: String, Nullable: true, Doc: "Its path, with a drive letter where the trace tells it. NULL if not known."},
	{Name: "checksum", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Checksum in its header. NULL if it is 0 or not known."},
	{Name: "time_date_stamp", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Time stamp in its header: seconds since 1970, or a hash. NULL if it is 0 or not known."},
	{Name: "pdb_name", Type: String, Nullable: true, Doc: "Name or path of its symbol file (ImageID/DbgID_RSDS). NULL if the trace does not say."},
	{Name: "pdb_guid", Type: String, Nullable: true, Doc: "GUID of that symbol file. NULL if the trace does not say."},
	{Name: "pdb_age", Type: Int64, Nullable: true, Doc: "Age of that symbol file. NULL if the trace does not say."},
	{Name: "file_version", Type: String, Nullable: true, Doc: "Version in its resources (ImageID/FileVersion). NULL if the trace does not say."},
	{Name: "product_name", Type: String, Nullable: true, Doc: "Product in its resources. NULL if the trace does not say."},
	{Name: "company_name", Type: String, Nullable: true, Doc: "Company in its resources. NULL if the trace does not say."},
}, life("load", "unload"))

// Files has the names of file objects.
var Files = table("files", "One row per file object or file key with a name, by address and time. An address that was used again has several.", []string{"file_object"}, []Column{
	{Name: "file_object", Type: Uint64, Encoding: Varied, Doc: "Address of the file object or, of disk and memory events, the file key."},
	{Name: "file_name", Type: String, Encoding: Varied, Doc: "Path, with a drive letter where the trace tells it."},
	{Name: "first_seen_ns", Type: Int64, Encoding: Varied, Doc: "Time of the first event that names it, ns since 1970-01-01 UTC."},
	{Name: "last_seen_ns", Type: Int64, Encoding: Varied, Doc: "Time of the last event that names it, ns since 1970-01-01 UTC."},
}, life("open", "close"))
