package plan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Shard is a part of a plan: number Index, from 0, of Of.
type Shard struct{ Index, Of int }

// ParseShard reads a shard such as 0/4.
func ParseShard(text string) (Shard, error) {
	first, second, _ := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(first)
	of, err2 := strconv.Atoi(second)
	if err1 != nil || err2 != nil || of < 1 {
		return Shard{}, errors.New("it must be like 0/4, the first of four")
	}
	if index < 0 || index >= of {
		return Shard{}, fmt.Errorf("shards count from 0, here to %d", of-1)
	}
	return Shard{index, of}, nil
}
