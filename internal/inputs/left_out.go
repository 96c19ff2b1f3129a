package inputs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// LeftOut lists the files in folders that are not read, because they are no traces.
type LeftOut []LeftOutFile

// LeftOutFile is a file that is not read.
type LeftOutFile struct {
	File string `json:"file"` // as the file system has it
	Kind string `json:"kind"` // what it is
}

// maxLeftOut is the number of files that a message names.
const maxLeftOut = 3

func (l *LeftOut) add(name, kind string) { *l = append(*l, LeftOutFile{name, kind}) }

// String lists the first files on one line, "" without files.
func (l LeftOut) String() string {
	if len(l) == 0 {
		return ""
	}
	files := "files"
	if len(l) == 1 {
		files = "file"
	}
	var first []string
	for _, f := range l[:min(len(l), maxLeftOut)] {
		first = append(first, fmt.Sprintf("%s (%s)", f.File, f.Kind))
	}
	text := fmt.Sprintf("%d %s left out: %s", len(l), files, strings.Join(first, ", "))
	if more := len(l) - len(first); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// place is how a file in a folder is treated, by its name.
type place int

const (
	other   place = iota // an input if it begins like a trace; on servers, which are not read for it, none
	input                // a trace or an archive
	doubted              // an input if it begins like a trace or an archive; else left out
)

// recordings end the names of recordings of events that are not traces, except for .blg, which can
// be one.
var recordings = []string{".blg", ".evtx", ".evt", ".nettrace", ".etlx", ".pml"}

// unfinished end the names of files that a program is still downloading or copying.
var unfinished = []string{".part", ".partial", ".filepart", ".crdownload", ".download", ".tmp"}

// placeInFolder returns how a file of this name in a folder is treated.
func placeInFolder(name string) place {
	if archive.TraceName(name) || IsArchiveName(name) {
		return input
	}
	name = strings.ToLower(name)
	if strings.Contains(name, ".etl") { // .etl.merged, .etl.old, .etl~
		return doubted
	}
	for _, ending := range recordings {
		if strings.HasSuffix(name, ending) {
			return doubted
		}
	}
	return other
}

// kindInFolder returns "" if a file in a folder is to be read by its first bytes, or else what it is.
func kindInFolder(name string, as place, head []byte) string {
	name = strings.ToLower(name)
	if slices.ContainsFunc(unfinished, func(ending string) bool { return strings.HasSuffix(name, ending) }) {
		return "unfinished, by its name"
	}
	switch {
	case archive.IsArchive(head) && as == other:
		return "an archive of another name"
	case archive.IsArchive(head) || beginsLikeTrace(head) && len(head) > 0:
		return ""
	}
	var foreign *foreignKindError
	switch err := foreignError(name, head); {
	case len(head) == 0:
		return "empty"
	case len(bytes.Trim(head, "\x00")) == 0:
		return "a file that begins with zeros"
	case errors.As(err, &foreign):
		return foreign.kind.name
	}
	return "not a trace"
}

// headOf returns the first bytes of a file, as many as an archive's entry has in its head.
func (in *List) headOf(path string) ([]byte, error) {
	file, err := in.from.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, archive.HeadSize))
}

// addFolder adds the traces and archives in a folder and below.
func (in *List) addFolder(folder string) {
	found, others := 0, len(in.LeftOut)
	tree := reach.Tree{Files: in.from, Folder: folder} // unlike filepath.WalkDir, follows a link if folder is one
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		path := filepath.Join(folder, filepath.FromSlash(name))
		switch {
		case err != nil:
			found++
			in.failure(path, err)
		case entry.IsDir():
		case placeInFolder(entry.Name()) != input && entry.Type()&fs.ModeSymlink != 0: // it may lead out of the folder
			in.LeftOut.add(path, "a link")
		case in.addInFolder(path, placeInFolder(entry.Name())):
			found++
		}
		return nil
	})
	if err == nil && found == 0 {
		err = errors.New("no trace and no archive in this folder")
		if rest := in.LeftOut[others:].String(); dataset.IsFolder(folder) {
			err = errors.New("a dataset, and no trace: use describe, query or check")
		} else if rest != "" {
			err = fmt.Errorf("%w: %s", err, rest)
		}
		in.LeftOut = in.LeftOut[:others] // the error names them
	}
	if err != nil {
		in.failure(folder, err)
	}
}

// addInFolder adds a file in a folder if it is an input, and returns whether it is one.
func (in *List) addInFolder(path string, as place) bool {
	info, err := in.from.Stat(path)
	switch {
	case err != nil && as == input:
		in.failure(path, err)
		return true
	case err != nil:
		in.LeftOut.add(path, err.Error())
		return false
	case info.IsDir(): // links to folders are not followed
		return false
	case !info.Mode().IsRegular(): // opening it could wait for another program
		in.LeftOut.add(path, specialKind(info.Mode()))
		return false
	case as == input:
		in.addFile(path, info, true)
		return true
	}
	head, err := in.headOf(path)
	kind := ""
	if err != nil {
		kind = WithoutPath(path, err).Error()
	} else {
		kind = kindInFolder(path, as, head)
	}
	if kind != "" {
		in.LeftOut.add(path, kind)
		return false
	}
	in.addFile(path, info, true)
	return true
}

// beginsLikeTrace reports whether a file with these first bytes begins like a trace.
func beginsLikeTrace(head []byte) bool {
	f, err := decode.NewFile(strings.NewReader(string(head)), int64(len(head)))
	return err == nil && f.Header().BufferSize > 0
}
