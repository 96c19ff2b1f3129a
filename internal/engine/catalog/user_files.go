package catalog

import (
	"os"
	"path/filepath"
)

// OpenUserFiles is [OpenFiles], which keeps what it finds in folders in the user's cache.
func OpenUserFiles(paths []string) (*Files, error) {
	folder, err := os.UserCacheDir()
	if err != nil { // no home, as in many containers: there is no next time
		return OpenFiles(paths, "")
	}
	return OpenFiles(paths, filepath.Join(folder, "etl2parquet"))
}
