package catalog

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/wpp"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/schema"
)

// AddTMF reads the TMF files at the paths, and PDBs, which have the same messages. A path is a
// file, or a folder, which is searched for *.tmf and *.pdb at any depth. A path that does not
// exist, a named file that has no messages, and a folder without such files are errors. Errors
// lists the files in folders that cannot be used, except for PDBs without messages. AddTMF must be
// called before the files are used.
func (s *Files) AddTMF(paths []string) error { return s.addTMFs(paths, nil) }

func (s *Files) addTMFs(paths []string, from *reach.Files) error {
	list, err := listFiles(paths, TMFDescription, isTMFName, from)
	if err != nil {
		return err
	}
	s.errs = append(s.errs, list.errs...)
	if s.messages == nil {
		s.messages = make(map[wpp.Key]fileMessage)
	}
	for _, f := range list.files {
		s.files = append(s.files, f)
		if err := s.addTMF(f); err != nil {
			if f.named {
				return fmt.Errorf("%s: %w", f.path, err)
			}
			if errors.Is(err, errNoMessages) {
				continue
			}
			s.errs = append(s.errs, fmt.Errorf("%s: %w", f.path, err))
		}
	}
	return nil
}

func isTMFName(path string) bool {
	return strings.EqualFold(filepath.Ext(path), ".tmf") || isPDBName(path)
}

func (s *Files) addTMF(f *schemaFile) error {
	data, damage, err := readTMF(f.path, f.from)
	if err != nil {
		return err
	}
	t, err := wpp.ParseTMF(data)
	if err != nil {
		return err
	}
	f.fingerprint = fingerprintOf(data)
	s.addMessages(f, t.Messages)
	for _, err := range t.Errors {
		damage.List = append(damage.List, err)
	}
	s.wrong(f.path, damage.List, damage.More+t.Faults-len(t.Errors))
	return nil
}

// readTMF reads a TMF file, or makes one from a PDB. damage lists the damaged parts of a PDB.
func readTMF(path string, from *reach.Files) (data []byte, damage FileErrors, err error) {
	if isPDBName(path) {
		return readPDB(path, from)
	}
	data, err = readManifest(path, from)
	return data, damage, err
}

// addMessages adds the messages of a file, except those that an earlier file has.
func (s *Files) addMessages(f *schemaFile, messages []*wpp.Message) {
	for _, m := range messages {
		s.addMessage(m.Key(), fileMessage{schemaOfMessage(m), f})
	}
}

// addMessage adds a message unless an earlier file has it.
func (s *Files) addMessage(key wpp.Key, m fileMessage) {
	had := s.messages[key]
	switch {
	case had.schema == nil:
		s.messages[key] = m
	case had.file != m.file && (!sameFields(had.schema.Fields, m.schema.Fields) || !slices.Equal(had.schema.Message, m.schema.Message)):
		s.conflict(had.file, m.file, fmt.Sprintf("message %d of %s", key.Number, key.GUID))
	}
}

// FilesOfMessages returns files that describe these WPP messages and nothing else.
func FilesOfMessages(messages []*wpp.Message) *Files {
	s := &Files{messages: make(map[wpp.Key]fileMessage)}
	s.addMessages(new(schemaFile), messages)
	return s
}

// schemaOfMessage returns the schema of a message, with all that its file contains.
func schemaOfMessage(m *wpp.Message) *schema.Schema {
	own := m.Schema
	own.Function, own.SourceFile, own.SourceLine = m.Function, m.File, m.Line
	if m.Flags != "" {
		own.Keywords = []string{m.Flags}
	}
	return &own
}

// fileMessage is a WPP message that a file describes.
type fileMessage struct {
	schema *schema.Schema
	file   *schemaFile
}

// message returns the schema of a WPP message and its file; the schema is nil if no file
// has the message.
func (s *Files) message(id schema.GUID, number uint16) fileMessage {
	return s.messages[wpp.Key{GUID: id, Number: number}]
}
