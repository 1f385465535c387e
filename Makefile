# The two commands of the README are `make demo` and `make test`.

STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: build test check demo bench generate

build:
	go build -o bin/ ./daemon ./run

# One package at a time: each drives a browser. It wants Chromium, Xvfb, xdotool and nginx, which .ci/install brings to a Debian machine.
test: check
	go test -race -p 1 -timeout 25m ./...

check:
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }
	go vet ./...
	GOOS=darwin go vet ./...
	GOOS=windows go vet ./...
	$(STATICCHECK) ./...

demo: build
	@.ci/install chromium
	@go run ./run/demo

bench: build
	@go run ./run/bench

generate:
	go generate ./...
