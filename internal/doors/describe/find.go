package describe

import (
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// find returns the tables of a list that a name or pattern matches: by the names of the table or, if
// there are none, by the name of its event without the provider, by the id of its event, alone or
// after the provider, or by its provider. ids returns the ids of the events of a table, if they are
// known.
func find[T any](name string, list []T, table func(T) string, ids func(T) []uint32) []T {
	id, ofProvider, isID := eventID(name)
	for _, matches := range []func(T) bool{
		func(t T) bool { return schema.MatchTable(name, table(t)) },
		func(t T) bool {
			_, event, isEvent := eventOf(table(t))
			return isEvent && matchesPart(name, event)
		},
		func(t T) bool {
			provider, _, isEvent := eventOf(table(t))
			return isEvent && isID && slices.Contains(ids(t), id) && (ofProvider == "" || matchesPart(ofProvider, provider))
		},
		func(t T) bool {
			provider, _, isEvent := eventOf(table(t))
			return isEvent && matchesPart(name, provider)
		},
		func(t T) bool { // provider/event with a slash in the event's name, which folders lack
			provider, event, isEvent := eventOf(table(t))
			of, rest, ok := strings.Cut(name, "/")
			return isEvent && ok && matchesPart(of, provider) && matchesPart(rest, event)
		},
	} {
		if found := slices.DeleteFunc(slices.Clone(list), func(t T) bool { return !matches(t) }); len(found) > 0 {
			return found
		}
	}
	return nil
}

// matchesPart reports whether a name or pattern matches the name of a provider or event, as it is or
// as folders have it.
func matchesPart(name, part string) bool {
	return schema.Match(name, part) || strings.EqualFold(schema.FolderName(name), part)
}

// eventOf returns the provider and the event of a table with the payloads of an event, as folders have
// them.
func eventOf(table string) (provider, event string, ok bool) {
	name, ok := strings.CutPrefix(table, schema.EventsFolder)
	provider, event, _ = strings.Cut(name, "/")
	return provider, event, ok
}

// eventID reads a name that is an id, or a provider and an id.
func eventID(name string) (id uint32, provider string, ok bool) {
	at := strings.LastIndex(name, "/")
	n, err := strconv.ParseUint(name[at+1:], 10, 32)
	return uint32(n), name[:max(at, 0)], err == nil
}

// spellings returns the names by which a table may be meant, for suggestions.
func spellings(table string) []string {
	names := schema.TableNames(table)
	if _, event, ok := eventOf(table); ok {
		names = append(names, event)
	}
	return names
}
