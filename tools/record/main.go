// Record records traces on Windows with Microsoft's programs, and has these print what they see in
// them:
//
//	go run ./tools/record -o recorded
//
// It needs the rights of an administrator, and xperf on the path. For each session it writes
// NAME.etl, NAME.xml by tracerpt, and NAME.csv by xperf's dumper, which tools/oracle compares with
// what etl2parquet reads. -print only prints the command lines.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, execute); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

// session is a session that is recorded, while the machine does a little of everything.
type session struct {
	name        string
	start, stop []string // command lines; FILE is the trace, RAW a file beside it
	cancel      []string // ends the session after a failure
}

// sessions have each of the kinds of event that traces of the public lack: context switches and
// who readied threads, files, the registry, DPCs, interrupts, networks, and compact context switches.
// The names of flags are those of docs/recording.md.
var sessions = []session{
	{
		name: "kernel",
		start: words("xperf -on PROC_THREAD+LOADER+PROFILE+CSWITCH+DISPATCHER+DPC+INTERRUPT+FILENAME+FILE_IO+FILE_IO_INIT+DISK_IO+DISK_IO_INIT" +
			"+REGISTRY+NETWORKTRACE+HARD_FAULTS+VIRT_ALLOC -stackwalk Profile+CSwitch+ReadyThread -BufferSize 1024 -MinBuffers 64 -MaxBuffers 512 -f RAW"),
		stop:   words("xperf -d FILE"),
		cancel: words("xperf -stop"),
	},
	{
		name:   "compact",
		start:  words("xperf -on PROC_THREAD+LOADER+COMPACT_CSWITCH+DISPATCHER -BufferSize 1024 -MinBuffers 64 -f RAW"),
		stop:   words("xperf -d FILE"),
		cancel: words("xperf -stop"),
	},
	{
		name:   "profile",
		start:  words("wpr -start docs/etl2parquet.wprp!etl2parquet.verbose -filemode"),
		stop:   words("wpr -stop FILE"),
		cancel: words("wpr -cancel"),
	},
}

// oracles print what is in a trace.
var oracles = [][]string{
	words("tracerpt FILE -o XML -of XML -summary SUMMARY -y"),
	words("xperf -i FILE -o CSV -a dumper"),
}

func words(line string) []string { return strings.Fields(line) }

// runner runs a command line.
type runner func(args []string) error

func execute(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return nil
}

func run(args []string, out io.Writer, execute runner) error {
	flags := flag.NewFlagSet("record", flag.ContinueOnError)
	folder := flags.String("o", "recorded", "`folder` of the traces")
	isPrint := flags.Bool("print", false, "print the command lines")
	busy := flags.Duration("for", 5*time.Second, "`time` of each session")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *isPrint {
		*busy = 0
		execute = func(args []string) error { _, err := fmt.Fprintln(out, strings.Join(args, " ")); return err }
	} else if err := os.MkdirAll(*folder, 0o777); err != nil {
		return err
	}
	for _, s := range sessions {
		if err := s.record(*folder, *busy, execute); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// record records the session and asks the oracles about it.
func (s *session) record(folder string, busy time.Duration, execute runner) error {
	base := filepath.Join(folder, s.name)
	in := func(args []string) []string {
		names := strings.NewReplacer("FILE", base+".etl", "RAW", base+".raw.etl", "XML", base+".xml", "SUMMARY", base+".txt", "CSV", base+".csv")
		var list []string
		for i, arg := range args {
			switch arg {
			case "FILE", "RAW", "SUMMARY", "CSV":
				arg = names.Replace(arg)
			case "XML":
				if args[i-1] == "-o" { // elsewhere it is the format
					arg = names.Replace(arg)
				}
			}
			list = append(list, arg)
		}
		return list
	}
	if err := execute(in(s.start)); err != nil {
		return err
	}
	if err := work(busy); err != nil {
		return errors.Join(err, execute(s.cancel))
	}
	if err := execute(in(s.stop)); err != nil {
		return errors.Join(err, execute(s.cancel))
	}
	for _, oracle := range oracles {
		if err := execute(in(oracle)); err != nil {
			return err
		}
	}
	return nil
}
