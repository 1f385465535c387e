package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"bu/daemon/discover"
)

// cloudAPI is where browsers are rented; BROWSER_USE_API_URL names another place.
const cloudAPI = "https://api.browser-use.com/api/v3"

// rental is the cloud browser that ends with this daemon: BU_BROWSER_ID, rented with
// BROWSER_USE_API_KEY. It costs money until it is stopped, so every way out of the
// process leads through stop. A nil rental means that nothing is rented.
type rental struct {
	id, key, api string
	once         sync.Once
	err          error
}

func rentalOf(env func(string) string) *rental {
	r := &rental{id: env("BU_BROWSER_ID"), key: env("BROWSER_USE_API_KEY"), api: env("BROWSER_USE_API_URL")}
	if r.id == "" {
		return nil
	}
	if r.api == "" {
		r.api = cloudAPI
	}
	return r
}

// stopTries and stopTime bound how long a daemon that ends asks for the stop: its successor
// waits for it, see listen.
const (
	stopTries = 3
	stopTime  = 2 * time.Second // of one try
)

// stop ends the browser, once; every caller gets the outcome. Its error names the id,
// as somebody must stop that browser by hand.
func (r *rental) stop() error {
	if r == nil {
		return nil
	}
	r.once.Do(func() {
		err := errors.New("BROWSER_USE_API_KEY is not set")
		for try := 0; try < stopTries && r.key != ""; try++ {
			time.Sleep(time.Duration(try) * time.Second)
			if err = r.patch(); !passing(err) {
				break
			}
		}
		if err != nil {
			r.err = fmt.Errorf("cloud browser %s was not stopped and may cost money until it is: %w", r.id, err)
		}
	})
	return r.err
}

// end is stop at the end of the process: where it fails, the log and standard error say so.
func (r *rental) end() {
	if err := r.stop(); err != nil {
		log.Print(err)
		fmt.Fprintln(os.Stderr, "daemon:", err)
	}
}

func (r *rental) patch() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	address := strings.TrimSuffix(r.api, "/") + "/browsers/" + url.PathEscape(r.id)
	req, err := http.NewRequestWithContext(ctx, "PATCH", address, bytes.NewReader([]byte(`{"action":"stop"}`)))
	if err != nil {
		return discover.Bare(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Browser-Use-API-Key", r.key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return discover.Bare(err)
	}
	defer res.Body.Close()
	io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20))
	if res.StatusCode >= 300 {
		return discover.HTTPStatus(res.StatusCode)
	}
	return nil
}

// passing says whether the same request may succeed a moment later.
func passing(err error) bool {
	var status discover.HTTPStatus
	if errors.As(err, &status) {
		return status >= 500 || status == http.StatusTooManyRequests
	}
	return err != nil
}
