package remote

import (
	"net/url"
	"slices"
	"strings"
)

// secretParameters are the parameters of addresses that are signed or contain another key to a
// file. They differ each time and must not be shown.
var secretParameters = []string{
	"signature", "sig", "se", "sp", "sv", "st", "sr", "spr", "skoid", "sktid", "skt", "ske", "sks", "skv", "expires", "key-pair-id", "policy",
	"awsaccesskeyid", "googleaccessid", "token", "access_token", "key", "api_key", "apikey", "password", "secret",
}

// Name returns an address without its secrets, which identifies a file.
func Name(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		before, _, _ := strings.Cut(address, "?")
		return before
	}
	u.User, u.Fragment = nil, ""
	query := u.Query()
	for name := range query {
		lower := strings.ToLower(name)
		if strings.HasPrefix(lower, "x-amz-") || strings.HasPrefix(lower, "x-goog-") || slices.Contains(secretParameters, lower) {
			query.Del(name)
		}
	}
	u.RawQuery = query.Encode()
	return u.String()
}
