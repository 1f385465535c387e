package discover

import (
	"path/filepath"
	"slices"
	"strings"
)

// profile is a folder in which a browser keeps DevToolsActivePort while its DevTools
// server runs (its "user data directory"). It need not exist. Root is where the
// system keeps such folders.
type profile struct{ Kind, Dir, Root string }

// profiles lists where the browsers of one system keep their profiles. It looks at
// nothing but its arguments, so all three systems are tested on one.
//
// Sources: chromium's docs/user_data_dir.md for Chrome and Chromium; the others
// are seen installations, but for Arc, Dia and Comet on Linux, which have no build
// there yet.
func profiles(goos, home string, env func(string) string) []profile {
	switch goos {
	case "darwin":
		return under(filepath.Join(home, "Library", "Application Support"), darwin)
	case "windows":
		return windowsProfiles(home, env("LOCALAPPDATA"), env("APPDATA"))
	}
	return linuxProfiles(home, env)
}

// Rows are "Kind: path, path", the commonest first; paths are below a root.
var darwin = []string{
	"Chrome: Google/Chrome, Google/Chrome Beta, Google/Chrome Dev, Google/Chrome Canary, Google/Chrome for Testing",
	"Chromium: Chromium",
	"Edge: Microsoft Edge, Microsoft Edge Beta, Microsoft Edge Dev, Microsoft Edge Canary",
	"Brave: BraveSoftware/Brave-Browser, BraveSoftware/Brave-Browser-Beta, BraveSoftware/Brave-Browser-Nightly",
	"Arc: Arc/User Data",
	"Dia: Dia/User Data",
	"Comet: Comet, Perplexity/Comet/User Data",
	"Vivaldi: Vivaldi, Vivaldi Snapshot",
	"Opera: com.operasoftware.Opera, com.operasoftware.OperaGX, com.operasoftware.OperaNext, com.operasoftware.OperaDeveloper",
	"Helium: net.imput.helium",
}

var linux = []string{
	"Chrome: google-chrome, google-chrome-beta, google-chrome-unstable, google-chrome-canary, google-chrome-for-testing",
	"Chromium: chromium",
	"Edge: microsoft-edge, microsoft-edge-beta, microsoft-edge-dev, microsoft-edge-canary",
	"Brave: BraveSoftware/Brave-Browser, BraveSoftware/Brave-Browser-Beta, BraveSoftware/Brave-Browser-Nightly",
	"Arc: Arc/User Data, arc",
	"Dia: Dia/User Data, dia",
	"Comet: Perplexity/Comet, comet",
	"Vivaldi: vivaldi, vivaldi-snapshot",
	"Opera: opera, opera-beta, opera-developer",
	"Helium: net.imput.helium",
}

// flatpak is below ~/.var/app, snap below ~/snap.
var flatpak = []string{
	"Chrome: com.google.Chrome/config/google-chrome, com.google.ChromeDev/config/google-chrome-unstable",
	"Chromium: org.chromium.Chromium/config/chromium, io.github.ungoogled_software.ungoogled_chromium/config/chromium",
	"Edge: com.microsoft.Edge/config/microsoft-edge, com.microsoft.EdgeDev/config/microsoft-edge-dev",
	"Brave: com.brave.Browser/config/BraveSoftware/Brave-Browser",
	"Vivaldi: com.vivaldi.Vivaldi/config/vivaldi",
	"Opera: com.opera.Opera/config/opera",
	"Helium: net.imput.helium/config/net.imput.helium",
}

var snap = []string{
	"Chromium: chromium/common/chromium, chromium/current/.config/chromium",
	"Brave: brave/current/.config/BraveSoftware/Brave-Browser",
	"Vivaldi: vivaldi/current/.config/vivaldi",
	"Opera: opera/current/.config/opera, opera/common/.config/opera",
}

var windowsLocal = []string{
	"Chrome: Google/Chrome/User Data, Google/Chrome Beta/User Data, Google/Chrome Dev/User Data, Google/Chrome SxS/User Data, Google/Chrome for Testing/User Data",
	"Chromium: Chromium/User Data",
	"Edge: Microsoft/Edge/User Data, Microsoft/Edge Beta/User Data, Microsoft/Edge Dev/User Data, Microsoft/Edge SxS/User Data",
	"Brave: BraveSoftware/Brave-Browser/User Data, BraveSoftware/Brave-Browser-Beta/User Data, BraveSoftware/Brave-Browser-Nightly/User Data",
	"Arc: Packages/TheBrowserCompany.Arc_ttt1ap7aakyb4/LocalCache/Local/Arc/User Data",
	"Dia: Dia/User Data",
	"Comet: Perplexity/Comet/User Data",
	"Vivaldi: Vivaldi/User Data",
	"Helium: imput/Helium/User Data",
}

var windowsRoaming = []string{
	"Opera: Opera Software/Opera Stable, Opera Software/Opera GX Stable, Opera Software/Opera Next, Opera Software/Opera Developer",
}

func linuxProfiles(home string, env func(string) string) []profile {
	var ps []profile
	if dir := env("CHROME_USER_DATA_DIR"); dir != "" {
		ps = append(ps, profile{"Chrome", dir, dir})
	}
	// Chromium obeys these too; but perhaps it was started where they were not set.
	configs := []string{env("CHROME_CONFIG_HOME"), env("XDG_CONFIG_HOME"), filepath.Join(home, ".config")}
	for i, dir := range configs {
		if filepath.IsAbs(dir) && !slices.Contains(configs[:i], dir) {
			ps = append(ps, under(dir, linux)...)
		}
	}
	ps = append(ps, under(filepath.Join(home, ".var", "app"), flatpak)...)
	return append(ps, under(filepath.Join(home, "snap"), snap)...)
}

func windowsProfiles(home, local, roaming string) []profile {
	if local == "" {
		local = filepath.Join(home, "AppData", "Local")
	}
	if roaming == "" {
		roaming = filepath.Join(home, "AppData", "Roaming")
	}
	return append(under(local, windowsLocal), under(roaming, windowsRoaming)...)
}

func under(root string, rows []string) (ps []profile) {
	for _, row := range rows {
		kind, dirs, _ := strings.Cut(row, ": ")
		for _, dir := range strings.Split(dirs, ", ") {
			ps = append(ps, profile{kind, filepath.Join(root, filepath.FromSlash(dir)), root})
		}
	}
	return ps
}
