package answers

// inheritOpenFiles does nothing: Windows limits open files by memory only.
func inheritOpenFiles() {}

// openFilesLimit returns 0: there is no limit.
func openFilesLimit() uint64 { return 0 }
