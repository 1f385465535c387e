module bu

go 1.26.0

require (
	github.com/gorilla/websocket v1.5.3
	github.com/traefik/yaegi v0.16.1
	golang.org/x/net v0.63.0
)

require golang.org/x/text v0.44.0 // indirect
