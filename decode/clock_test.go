package decode_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
)

// clockCase is a clock with the fields of the trace header.
type clockCase struct {
	clockType decode.ClockType
	base      decode.Ticks
	start     int64 // FILETIME
	freq      int64
	mhz       uint32
}

func (c clockCase) clock() decode.Clock {
	return decode.NewClock(c.clockType, c.base, c.start, c.freq, c.mhz)
}

const (
	epoch = 116444736000000000 // 1970 as a FILETIME
	y2024 = 133590384000000000 // 2024-05-01T12:00:00Z
)

func TestClock(t *testing.T) {
	const y2024ns = 1714564800000000000
	qpc := func(freq int64) clockCase { return clockCase{decode.ClockQPC, 1000, y2024, freq, 2400} }
	for _, tt := range []struct {
		name  string
		clock clockCase
		ticks decode.Ticks
		want  int64
	}{
		{"qpc start", qpc(10_000_000), 1000, y2024ns},
		{"qpc 10 MHz", qpc(10_000_000), 1001, y2024ns + 100},
		{"qpc 10 MHz before the start", qpc(10_000_000), 999, y2024ns - 100},
		{"qpc 1 Hz", qpc(1), 1003, y2024ns + 3e9},
		{"qpc 3 Hz", qpc(3), 1001, y2024ns + 333333333},
		{"qpc 3 Hz before the start rounds down", qpc(3), 999, y2024ns - 333333334},
		{"qpc ACPI", qpc(3_579_545), 1000 + 3_579_545, y2024ns + 1e9},
		{"qpc ACPI tick", qpc(3_579_545), 1001, y2024ns + 279},
		{"qpc fast", qpc(math.MaxInt64), 1000 + math.MaxInt64/1000_000_000 + 1, y2024ns + 1},
		{"qpc fast, less than a ns", qpc(math.MaxInt64), 1000 + math.MaxInt64/1000_000_000, y2024ns},
		{"qpc frequency 0", qpc(0), 1001, y2024ns + 100},
		{"qpc frequency negative", qpc(-5), 1001, y2024ns + 100},
		{"qpc last", qpc(3), math.MaxInt64, math.MaxInt64},
		{"qpc first", qpc(3), math.MinInt64, math.MinInt64},
		{"qpc 1731", clockCase{decode.ClockQPC, 0, epoch, 1, 0}, -8e9, -8e18},
		{"qpc without a start", clockCase{decode.ClockQPC, 1000, 0, 1, 0}, 5, 5e9},
		{"qpc 1690", qpc(1), 1000 - 10_500_000_000, y2024ns - 8e18 - 25e17},
		{"no header: tick 0 is 1970", clockCase{0, 1000, 0, 0, 0}, 0, 0},
		{"no header: 10 MHz", clockCase{0, 1000, 0, 0, 0}, 1001, 100_100},
		{"no header: FILETIME", clockCase{0, y2024, 0, 0, 0}, y2024 + 1, y2024ns + 100},
		{"system epoch", clockCase{decode.ClockSystemTime, 5, y2024, 3, 5}, epoch, 0},
		{"system", clockCase{decode.ClockSystemTime, 5, y2024, 3, 5}, y2024 + 1, y2024ns + 100},
		{"system last", clockCase{decode.ClockSystemTime, 5, y2024, 3, 5}, math.MaxInt64, math.MaxInt64},
		{"system 0", clockCase{decode.ClockSystemTime, 5, y2024, 3, 5}, 0, math.MinInt64},
		{"cycles", clockCase{decode.ClockCPUCycle, 1000, y2024, 3, 2400}, 1000 + 2400, y2024ns + 1000},
		{"cycles, less than a ns", clockCase{decode.ClockCPUCycle, 1000, y2024, 3, 2400}, 1002, y2024ns},
		{"cycles without speed", clockCase{decode.ClockCPUCycle, 1000, y2024, 10_000_000, 0}, 1001, y2024ns + 100},
		{"cycles without speed and frequency", clockCase{decode.ClockCPUCycle, 1000, y2024, 0, 0}, epoch + 1, 100},
		{"unknown", clockCase{77, 1000, y2024, 10_000_000, 0}, 1001, y2024ns + 100},
		{"unknown without frequency", clockCase{77, 1000, y2024, 0, 9}, epoch + 1, 100},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.clock.clock()
			if got := c.UnixNano(tt.ticks); got != tt.want {
				t.Errorf("UnixNano(%d) = %d, want %d", tt.ticks, got, tt.want)
			}
		})
	}
}

// exactUnixNano computes [decode.Clock.UnixNano] as documented, in exact
// numbers: StartTime + scale * (ticks - ticks of the header event).
func (c clockCase) exactUnixNano(ticks decode.Ticks) int64 {
	start, num, den := filetimeNano(c.start), int64(1e9), c.freq
	switch {
	case c.clockType == decode.ClockSystemTime:
		return saturate(filetimeNano(ticks))
	case c.clockType == decode.ClockCPUCycle:
		num, den = 1000, int64(c.mhz)
	}
	base := c.base
	if !start.IsInt64() || start.Int64() < -1<<62 { // the moment is not known
		base, start = 0, new(big.Int)
	}
	ns := new(big.Int).Sub(big.NewInt(ticks), big.NewInt(base))
	ns.Mul(ns, big.NewInt(num))
	ns.Div(ns, big.NewInt(den)) // den > 0: rounds down
	return saturate(ns.Add(ns, start))
}

func filetimeNano(t int64) *big.Int {
	ns := new(big.Int).Sub(big.NewInt(t), big.NewInt(epoch))
	return ns.Mul(ns, big.NewInt(100))
}

func saturate(n *big.Int) int64 {
	switch {
	case n.IsInt64():
		return n.Int64()
	case n.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// extremes returns the numbers at which computations overflow, and their neighbours.
func extremes() []int64 {
	var list []int64
	for _, n := range []int64{0, math.MinInt64, math.MaxInt64, epoch, y2024, 1 << 32, -1 << 32, 1 << 62, -1 << 62, 1e9, 1e18} {
		for d := int64(-2); d <= 2; d++ {
			list = append(list, n+d) // wraps around to other extremes
		}
	}
	return list
}

// TestClockProperties compares clocks with exact arithmetic and checks that
// they are monotone and Ticks is their exact inverse.
func TestClockProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func() int64 {
		if list := extremes(); random.IntN(3) == 0 {
			return list[random.IntN(len(list))]
		}
		return int64(random.Uint64()) >> random.IntN(64)
	}
	frequencies := []int64{1, 2, 3, 7, 100, 1000, 10_000_000, 2_929_687, 3_579_545, 1e9, 1e9 + 1, math.MaxInt64, math.MaxInt64 - 1, 1 << 62}
	var clocks []clockCase
	for _, freq := range frequencies {
		for _, start := range []int64{y2024, 0, epoch, math.MinInt64, math.MaxInt64, number()} {
			for _, base := range []int64{0, 1, math.MinInt64, math.MaxInt64, number(), number()} {
				clocks = append(clocks,
					clockCase{decode.ClockQPC, base, start, freq, 0},
					clockCase{decode.ClockCPUCycle, base, start, 1, uint32(max(1, freq)) | 1},
				)
			}
		}
	}
	clocks = append(clocks, clockCase{clockType: decode.ClockSystemTime})
	for _, cc := range clocks {
		c := cc.clock()
		ticks := append(extremes(), cc.base-1, cc.base, cc.base+1)
		for range 60 {
			ticks = append(ticks, number(), cc.base+number()>>20)
		}
		for _, tick := range ticks {
			ns := c.UnixNano(tick)
			if want := cc.exactUnixNano(tick); ns != want {
				t.Fatalf("%+v: UnixNano(%d) = %d, want %d", cc, tick, ns, want)
			}
			if tick < math.MaxInt64 && c.UnixNano(tick+1) < ns {
				t.Fatalf("%+v: time goes back after %d", cc, tick)
			}
			for _, ns := range []int64{ns, ns + 1, ns - 1, number()} {
				got := c.Ticks(ns)
				if c.UnixNano(got) < ns && got != math.MaxInt64 || got > math.MinInt64 && c.UnixNano(got-1) >= ns {
					t.Fatalf("%+v: Ticks(%d) = %d, at %d; the tick before is at %d", cc, ns, got, c.UnixNano(got), c.UnixNano(got-1))
				}
			}
		}
	}
}

func TestFiletime(t *testing.T) {
	for _, tt := range []struct {
		filetime int64
		want     string
	}{
		{0, "1677-09-21 00:12:43.145224192 +0000 UTC false"},
		{epoch, "1970-01-01 00:00:00 +0000 UTC true"},
		{y2024 + 1234567, "2024-05-01 12:00:00.1234567 +0000 UTC true"},
		{math.MaxInt64, "2262-04-11 23:47:16.854775807 +0000 UTC false"},
		{math.MinInt64, "1677-09-21 00:12:43.145224192 +0000 UTC false"},
	} {
		ns, ok := decode.FiletimeTime(tt.filetime)
		if got := fmt.Sprint(time.Unix(0, ns).UTC(), ok); got != tt.want {
			t.Errorf("FiletimeTime(%d) = %s, want %s", tt.filetime, got, tt.want)
		}
	}
}
