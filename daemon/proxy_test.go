package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bu/daemon/testchrome"
)

// A browser that says where it is and is right, behind a server that only says so.
func TestOwnAddressIsSecondChoice(t *testing.T) {
	noHome(t)
	c := browser(t)
	port := devtools(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/json/version" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `{"Browser":"Chrome/156","webSocketDebuggerUrl":%q}`, c.WS)
	})
	p := daemonOf(t, newName(t), "BU_CDP_URL=http://127.0.0.1:"+port)
	if v := p.js("6*7"); v != 42.0 {
		t.Errorf("got %v; log: %s", v, p.log())
	}
}

// nginx stands before a real Chromium as a TLS reverse proxy that wants a token. It
// serves the browser at / and, the prefix taken away, below /b/.
func nginx(t *testing.T, c *testchrome.Chrome, token string) (port, ca string) {
	t.Helper()
	path, err := exec.LookPath("nginx")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("nginx is missing: apt-get install nginx-light")
		}
		t.Skip("nginx is missing: apt-get install nginx-light")
	}
	dir := t.TempDir()
	ca = certificate(t, dir)
	port = deadPort(t)
	proxy := `proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade; proxy_read_timeout 1h;`
	conf := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log %[1]s/errors;
events {}
http {
	access_log off;
	client_body_temp_path %[1]s/1; proxy_temp_path %[1]s/2; fastcgi_temp_path %[1]s/3; uwsgi_temp_path %[1]s/4; scgi_temp_path %[1]s/5;
	server {
		listen 127.0.0.1:%[2]s ssl; listen [::1]:%[2]s ssl;
		ssl_certificate %[1]s/cert; ssl_certificate_key %[1]s/key;
		set $known 0;
		if ($arg_token = %[3]s) { set $known 1; }
		if ($http_x_token = %[3]s) { set $known 1; }
		if ($known = 0) { return 401; }
		location / { proxy_pass http://%[4]s; %[5]s }
		location /idle/ { proxy_pass http://%[4]s/; %[6]s }
		location /b/ { proxy_pass http://%[4]s/; %[5]s }
	}
}`, dir, port, token, c.Address, proxy, strings.Replace(proxy, "1h", "4s", 1))
	if err := os.WriteFile(filepath.Join(dir, "conf"), []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-p", dir, "-e", filepath.Join(dir, "errors"), "-c", filepath.Join(dir, "conf"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	until(t, "nginx serves", func() bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return port, ca
}

// certificate makes one that signs itself, so that it is its own authority.
func certificate(t *testing.T, dir string) (file string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}}
	cert, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert": {Type: "CERTIFICATE", Bytes: cert}, "key": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "cert")
}

// wss and https through a TLS reverse proxy, by addresses of every kind.
func TestTLSProxy(t *testing.T) {
	c := browser(t)
	port, ca := nginx(t, c, "s3same")
	path := c.WS[strings.Index(c.WS, "/devtools"):]
	for _, x := range []struct{ env, trust, says string }{
		{"BU_CDP_WS=wss://127.0.0.1:" + port + path + "?token=s3same", ca, ""},
		{"BU_CDP_URL=https://127.0.0.1:" + port + "?token=s3same", ca, ""},
		{"BU_CDP_URL=https://localhost:" + port + "/b/?token=s3same", ca, ""},
		{"BU_CDP_URL=https://[::1]:" + port + "/?token=s3same", ca, ""},
		{"BU_CDP_WS=wss://127.0.0.1:" + port + path + "?token=wrong", ca, "401 Unauthorized"},
		{"BU_CDP_URL=https://127.0.0.1:" + port + "/?token=wrong", ca, "401 Unauthorized"},
		{"BU_CDP_WS=wss://127.0.0.1:" + port + path + "?token=s3same", "/dev/null", "SSL_CERT_FILE"},
		{"BU_CDP_URL=https://127.0.0.1:" + port + "/?token=s3same", "/dev/null", "SSL_CERT_FILE"},
	} {
		alone(t)
		name := newName(t)
		r := runs(t, name, `js("5")`, nil, x.env, "SSL_CERT_FILE="+x.trust, "SSL_CERT_DIR=/nonexistent")
		if x.says != "" {
			if r.code != 3 || !strings.Contains(r.errs, x.says) || strings.Contains(r.errs, "s3same") {
				t.Errorf("%s: exit %d: %s", x.env, r.code, r.errs)
			}
			continue
		}
		if r.code != 0 || r.out != "5" {
			t.Errorf("%s: exit %d, %q: %s", x.env, r.code, r.out, r.errs)
			continue
		}
		at, _ := (&proc{t: t, name: name}).meta("status")["browser"].(M)["address"].(string)
		if _, p, _ := net.SplitHostPort(at); p != port {
			t.Errorf("%s: attached to %s, past the proxy", x.env, at)
		}
	}
}

// Field case 81: an idle limit on the way, and a token that only a header may carry.
func TestProxyHeadersAndIdle(t *testing.T) {
	c := browser(t)
	port, ca := nginx(t, c, "s3same")
	trust := []string{"SSL_CERT_FILE=" + ca, "SSL_CERT_DIR=/nonexistent"}
	path := c.WS[strings.Index(c.WS, "/devtools"):]
	for _, address := range []string{"BU_CDP_URL=https://127.0.0.1:" + port + "/idle/", "BU_CDP_WS=wss://127.0.0.1:" + port + "/idle" + path} {
		p := daemonOf(t, newName(t), append(trust, address, `BU_CDP_HEADERS={"X-Token": "s3same"}`)...)
		p.js("globalThis.kept = 1")
		time.Sleep(6 * time.Second) // longer than the proxy lets a connection be silent
		if v := p.peek("kept"); v != 1.0 {
			t.Errorf("%s: after a while of silence: %v; %s", address, v, p.log())
		}
		if strings.Contains(p.log(), "s3same") {
			t.Errorf("the log has the token: %s", p.log())
		}
	}
	b := launch(t, newName(t), append(trust, "BU_CDP_WS=wss://127.0.0.1:"+port+path, "BU_CDP_HEADERS=X-Token: s3same")...)
	b.wait()
	if log := b.log(); !strings.Contains(log, "BU_CDP_HEADERS") || strings.Contains(log, "s3same") {
		t.Errorf("%s", log)
	}
}
