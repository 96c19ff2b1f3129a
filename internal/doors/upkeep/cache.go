package upkeep

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/answers/cache"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// CacheOptions say how a cache is listed.
type CacheOptions struct {
	JSON  bool // an object for each piece, one a line
	Width int  // of a page
	Style texts.Style
}

// keptJSON is a piece of a cache as JSON.
type keptJSON struct {
	Inputs []string  `json:"inputs"`
	Tables []string  `json:"tables"` // by their names in SQL
	Index  bool      `json:"index"`  // it is the index of a trace, and no tables
	Bytes  int64     `json:"bytes"`
	Used   time.Time `json:"used"`
	Tool   string    `json:"tool"`
	Folder string    `json:"folder"`
}

// ListCache lists the tables that a cache keeps, those used last first.
func ListCache(c *cache.Cache, w io.Writer, o CacheOptions) error {
	list, err := c.List()
	if err != nil {
		return err
	}
	if o.JSON {
		lines := json.NewEncoder(w)
		lines.SetEscapeHTML(false)
		for _, k := range list {
			if err := lines.Encode(keptJSON{k.Names, tablesOf(&k), k.Index, k.Bytes, k.Used.UTC(), k.Tool, k.Folder}); err != nil {
				return err
			}
		}
		return nil
	}
	g := texts.Grid{Right: []bool{false, true, true}, Head: true, Style: o.Style}
	g.Add("used", "size", "tables", "inputs")
	var total int64
	for _, k := range list {
		total += k.Bytes
		tables := texts.Grouped(int64(len(k.Tables)))
		if k.Index {
			tables = "index"
		}
		g.Add(k.Used.UTC().Format(time.DateTime), texts.RoundSize(k.Bytes), tables, texts.Printable(inputsOf(&k)))
	}
	if len(list) > 0 {
		g.Print(w, o.Width)
	}
	limit, err := c.Limit(total)
	if err == nil {
		_, err = fmt.Fprintf(w, "%s kept in %s; %s may be\n", texts.RoundSize(total), texts.Printable(c.Root()), texts.RoundSize(limit))
	}
	return err
}

// inputsOf names the inputs of a piece.
func inputsOf(k *cache.Kept) string {
	switch len(k.Names) {
	case 0:
		return ""
	case 1:
		return k.Names[0]
	}
	return fmt.Sprintf("%s and %d more", filepath.Clean(k.Names[0]), len(k.Names)-1)
}

func tablesOf(k *cache.Kept) []string {
	list := []string{}
	for _, name := range k.Tables {
		list = append(list, strings.ToLower(schema.ViewName(name)))
	}
	return list
}

// ClearCache removes what a cache keeps.
func ClearCache(c *cache.Cache, w io.Writer) error {
	before, err := c.List()
	if err != nil {
		return err
	}
	remaining, err := c.Clear()
	if err != nil {
		return err
	}
	var total int64
	for _, k := range before {
		total += k.Bytes
	}
	text := "removed " + texts.RoundSize(max(total-remaining, 0))
	if remaining > 0 {
		text += "; " + texts.RoundSize(remaining) + " in use by running commands are left"
	}
	_, err = fmt.Fprintln(w, text)
	return err
}
