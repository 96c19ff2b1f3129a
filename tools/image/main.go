// Image makes the container image of etl2parquet, for amd64 and arm64, from programs that are built
// already:
//
//	image -version 0.1.0 -o etl2parquet_image.tar amd64=PROGRAM arm64=PROGRAM
//
// The file is an OCI image layout in a tar, which "docker load", podman and skopeo read. With -push
// it is also pushed to a registry, with the credentials that "docker login" keeps. The same programs
// give the same bytes: there is no time in the image but that of the commit.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// options are the facts about a release that an image states.
type options struct {
	version, commit string
	date            time.Time
	documents       string // folder of LICENSE and THIRD_PARTY_NOTICES
}

func run(args []string) error {
	flags := flag.NewFlagSet("image", flag.ContinueOnError)
	var o options
	flags.StringVar(&o.version, "version", "", "`version` of the program")
	flags.StringVar(&o.commit, "commit", "", "its `commit`")
	flags.StringVar(&o.documents, "documents", ".", "`folder` of the licences")
	date := flags.String("date", "", "`time` of the commit, as RFC 3339")
	out := flags.String("o", "", "write the image to this `file`")
	push := flags.String("push", "", "push it with these `names`, separated by commas: ghcr.io/etl2parquet/etl2parquet:0.1.0")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.version == "" || flags.NArg() == 0 {
		return errors.New("give -version and a program for each architecture: amd64=PATH")
	}
	if *date != "" {
		var err error
		if o.date, err = time.Parse(time.RFC3339, *date); err != nil {
			return err
		}
	}
	programs, err := readPrograms(flags.Args())
	if err != nil {
		return err
	}
	index, err := o.index(programs)
	if err != nil {
		return err
	}
	if *out != "" {
		if err := writeArchive(*out, index, o.version); err != nil {
			return err
		}
	}
	if *push == "" {
		return nil
	}
	return pushAs(index, strings.Split(*push, ","))
}

// program is a program for Linux.
type program struct {
	architecture string
	bytes        []byte
}

// readPrograms reads programs from words such as amd64=PATH.
func readPrograms(words []string) ([]program, error) {
	var list []program
	for _, word := range words {
		architecture, path, ok := strings.Cut(word, "=")
		if !ok || architecture == "" {
			return nil, fmt.Errorf("%q: write ARCHITECTURE=PATH", word)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		list = append(list, program{architecture, text})
	}
	return list, nil
}

// pushAs pushes the images to a registry, and prints the names with the digest.
func pushAs(index v1.ImageIndex, names []string) error {
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	for _, text := range names {
		ref, err := name.ParseReference(text)
		if err != nil {
			return err
		}
		if err := remote.WriteIndex(ref, index, remote.WithAuthFromKeychain(authn.DefaultKeychain)); err != nil {
			return err
		}
		fmt.Printf("%s@%s\n", ref, digest)
	}
	return nil
}
