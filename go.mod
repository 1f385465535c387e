module bu

go 1.26

require (
	github.com/gorilla/websocket v1.5.3
	github.com/traefik/yaegi v0.16.1
)
