// Package temporary makes files and folders that disappear with their process, even if it is killed.
//
// Only their process can read the files of a [Pool]. Most systems can remove the name of an open file, so
// it is removed at once; on others [SweepFiles] of the next run removes the file. A [Folder] is removed by
// the next process that makes one.
package temporary
