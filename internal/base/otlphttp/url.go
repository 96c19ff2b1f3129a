package otlphttp

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// logsPath is the path of logs below the address of a collector.
const logsPath = "/v1/logs"

// LogsURL returns the URL for logs of a collector: its address with /v1/logs, unless that is there
// already.
func LogsURL(address string) (string, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return "", errors.New("it is not a URL") // the error of Parse has the address, and so its password
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "", errors.New("it is not a URL of http or https, such as http://localhost:4318")
	}
	if path := strings.TrimRight(u.Path, "/"); !strings.HasSuffix(path, logsPath) {
		u.Path, u.RawPath = path+logsPath, ""
	}
	u.Fragment = ""
	return u.String(), nil
}

// AddHeader adds a header written as NAME=VALUE. Errors do not have the value.
func AddHeader(to http.Header, text string) error {
	name, value, ok := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !ok:
		return errors.New("write NAME=VALUE")
	case !isToken(name):
		return fmt.Errorf("%q is not the name of a header", name)
	case strings.ContainsFunc(value, isControl):
		return fmt.Errorf("the value of %s has characters that headers cannot have", name)
	}
	to.Add(name, value)
	return nil
}

// AddHeaders adds the headers in the form of the variable OTEL_EXPORTER_OTLP_HEADERS: NAME=VALUE, with
// commas between, and values encoded as in URLs.
func AddHeaders(to http.Header, list string) error {
	for text := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(text) == "" {
			continue
		}
		name, value, ok := strings.Cut(text, "=")
		decoded, err := url.PathUnescape(value)
		if !ok || err != nil {
			return errors.New("it is not a list of NAME=VALUE, with values encoded as in URLs")
		}
		if err := AddHeader(to, name+"="+decoded); err != nil {
			return err
		}
	}
	return nil
}

// isToken reports whether a text can be the name of a header: a token of RFC 9110.
func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		isWord := r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		return !isWord && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
