# The two commands of the README are `make demo` and `make test`.

STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: build test check fuzz soak demo bench bench-peers miniwob recording.png generate dist install uninstall

# helpers/my*.go are the model's own, and no part of what is built or tested.
ifneq ($(wildcard helpers/my*.go),)
$(shell mkdir -p bin; { printf '{"Replace":{'; sep=; for f in helpers/my*.go; do printf '%s"%s/%s":""' "$$sep" "$(CURDIR)" "$$f"; sep=,; done; printf '}}'; } > bin/overlay.json)
export GOFLAGS := $(GOFLAGS) -overlay=$(CURDIR)/bin/overlay.json
endif

# A run lives for milliseconds. Without cgo: libc is one of them. Written again in one
# piece: the linker writes through a mapping, so the page cache holds its file in pages of
# 4 KB, and until they leave it each run takes half as many page faults again.
build:
	go run ./run/gen
	CGO_ENABLED=0 go build -o bin/ ./daemon ./run
	CGO_ENABLED=0 go build -o bin/bu-mcp ./run/mcp
	@for f in bin/daemon bin/run; do dd if=$$f of=$$f.new bs=67108864 2>/dev/null && chmod +x $$f.new && mv $$f.new $$f; done

# One package at a time: each drives a browser. It wants Chromium, Xvfb, xdotool, nginx and npm (for editors to try), which .ci/install brings to a Debian machine.
test: check
	go test -race -p 1 -timeout 25m ./...
	BU_TEST_HELPERS=interpreted go test -timeout 25m ./helpers

check:
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	go vet ./...
	GOOS=darwin go vet ./...
	GOOS=windows go vet ./...
	$(STATICCHECK) ./...

# What comes from outside: the file that Chrome writes, Chrome's messages, callers' lines.
fuzz:
	go test -run '^$$' -fuzz FuzzPort -fuzztime 10s ./daemon/discover
	go test -run '^$$' -fuzz FuzzParse -fuzztime 10s ./daemon/cdp
	go test -run '^$$' -fuzz FuzzReadLine -fuzztime 10s ./daemon/wire

# 10,000 clicks in eight labels while the daemon, runs and pages are killed; a short round is in the tests.
soak:
	BU_SOAK=10000 go test -count=1 -timeout 60m -v -run TestUnderLoad ./daemon

demo: build
	@.ci/install chromium
	@go run ./run/demo

# Beside the least that the same could cost here; a short round is in the tests.
bench: build
	@go run ./run/bench

# Beside agent-browser, which npm gets into a temporary folder; writes README.md's table and run/bench/peers.svg. No test runs it.
bench-peers: build
	@go run ./run/bench peers

# MiniWoB++: each solved task over ten seeds; MINIWOB names the folder of its pages. Where it is set, the tests play some.
miniwob: build
	@go run ./run/miniwob

# README's picture of a recording, taken of a real one.
recording.png:
	BU_RECORDING_PNG=$(CURDIR)/run/record/recording.png go test -count=1 -run TestRecordingPicture ./helpers

generate:
	go generate ./...

# For people without Go: archives for Linux, macOS and Windows in dist/.
dist:
	@go run ./run/gen
	@go run ./run/dist

# This machine's archive, unpacked and installed by the script in it.
install:
	@go run ./run/gen
	@set -e; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	archive=$$(go run ./run/dist "$$(go env GOHOSTOS)/$$(go env GOHOSTARCH)"); \
	tar -xzf "$$archive" -C "$$tmp"; PREFIX="$(PREFIX)" sh "$$tmp/bu/install.sh"

uninstall:
	@PREFIX="$(PREFIX)" sh run/dist/install.sh uninstall
