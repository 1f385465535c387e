#!/bin/sh
# Installs the unpacked archive that this file lies in, or takes that back:
#
#   ./install.sh              into $PREFIX (by default ~/.local): share/bu and the command bin/bu
#   ./install.sh uninstall    what install made; what you made or changed there stays
#
# share/bu/.installed lists what is ours, with its sum: nothing else is overwritten or removed.
set -eu

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

[ -n "${PREFIX:-}" ] || PREFIX=${HOME:?no HOME: set PREFIX to the folder to install into}/.local
case $PREFIX in /*) ;; *) PREFIX=$PWD/$PREFIX ;; esac
share=$PREFIX/share bin=$PREFIX/bin
tree=$share/bu command=$bin/bu
target=../share/bu/bin/run
list=.installed       # of files: sum, size, name
links=.installed-links # of links to the tree, and of folders that were made for them

# ours: the command is a link to our tree's run, as made here.
ours() { [ -L "$command" ] && [ "$(readlink "$command")" = "$target" ]; }

# sums lists the files of a folder as $list does.
sums() { (cd "$1" && find . -type f ! -name "$list" ! -name "$links" -exec cksum {} +); }

# changed: the file named $2 of tree $1 is not as installed: new, or edited since.
changed() { ! grep -qxF "$(cd "$1" && cksum "$2")" "$1/$list"; }

# writable: the folder can be made, or things made in it.
writable() {
  at=$1
  while [ ! -e "$at" ] && [ ! -L "$at" ]; do at=$(dirname "$at"); done
  [ -d "$at" ] || fail "$at is not a folder; nothing was done"
  [ -w "$at" ] && [ -x "$at" ] || fail "no permission to write into $at; nothing was done. Set PREFIX to a folder of yours"
}

# make makes a folder and those above it, and notes which were not there.
make() {
  if [ -d "$1" ]; then return; fi
  make "$(dirname "$1")"
  mkdir "$1"
  made="$made$1
"
}

# older takes over from the version that is there what is not its own, into the new one:
# files that were added stay where they were, edited ones are kept aside.
older() {
  kept=kept/$(date +%Y%m%d-%H%M%S)
  (cd "$tree" && find . -type f ! -name "$list" ! -name "$links") >"$new/.files"
  while IFS= read -r file; do
    changed "$tree" "$file" || continue
    to=$file
    if [ -e "$new/$file" ]; then
      cmp -s "$tree/$file" "$new/$file" && continue
      to=./$kept/${file#./}
      say "you had changed $file: your text is in $tree/${to#./}"
    fi
    mkdir -p "$(dirname "$new/$to")"
    cp -p "$tree/$file" "$new/$to"
  done <"$new/.files"
  rm "$new/.files"
}

# undo is for an install that did not come to its end.
undo() {
  if [ -n "$moved" ] && [ -d "$old" ]; then rm -rf "$tree"; mv "$old" "$tree"; fi
  if [ -n "$fresh" ]; then rm -rf "$tree"; fi
  rm -rf "$new"
  printf '%s' "$made" | sort -r | while IFS= read -r folder; do rmdir "$folder" 2>/dev/null || :; done
}

install() {
  from=$(cd "$(dirname "$0")" && pwd -P)
  [ -x "$from/bin/run" ] && [ -x "$from/bin/daemon" ] && [ -d "$from/helpers" ] || fail "bin/run, bin/daemon or helpers/ is missing beside $0: unpack an archive, or run make install in a checkout"
  if [ -e "$tree" ] || [ -L "$tree" ]; then
    [ ! -L "$tree" ] && [ -f "$tree/$list" ] || fail "$tree exists and was not installed by this script; nothing was done. Move it away, or set PREFIX"
    [ "$from" != "$(cd "$tree" && pwd -P)" ] || fail "this is the installed copy; run the install.sh of the archive that should replace it"
  fi
  if [ -e "$command" ] || [ -L "$command" ]; then
    ours || fail "$command exists and was not installed by this script; nothing was done. Move it away, or set PREFIX"
  fi
  writable "$share"; writable "$bin"
  [ ! -d "$tree" ] || writable "$tree"

  new=$share/.bu-new.$$ old=$share/.bu-old.$$ made='' moved='' fresh=''
  trap 'undo; fail "not installed; everything is as it was before"' EXIT
  trap 'exit 1' HUP INT TERM
  make "$share"; make "$bin"
  mkdir "$new"
  sums "$from" >"$new/.from"
  while read -r _ _ file; do
    mkdir -p "$(dirname "$new/$file")"
    cp -p "$from/$file" "$new/$file"
  done <"$new/.from"
  mv "$new/.from" "$new/$list"
  printf '%s' "$made" | sed 's/^/folder /' >"$new/$links"
  if [ -d "$tree" ]; then
    cat "$tree/$links" >>"$new/$links" 2>/dev/null || :
    older
    moved=yes; mv "$tree" "$old"
  else
    fresh=yes
  fi
  mv "$new" "$tree"
  ours || ln -s "$target" "$command"
  trap - EXIT HUP INT TERM
  rm -rf "$old"
  say "installed: $command, which is a link into $tree"
  skills
  first=$(command -v bu 2>/dev/null || :)
  case $first in
    "$command") ;;
    '') say "put $bin on your PATH" ;;
    *) say "note: bu on your PATH is $first; put $bin before it" ;;
  esac
  say "for an MCP client: $tree/bin/bu-mcp"
}

# skills links the tree where the agents that are here look for skills.
skills() {
  for agent in .claude .codex .agents; do
    [ -n "${HOME:-}" ] && [ -d "$HOME/$agent" ] || continue
    link=$HOME/$agent/skills/bu
    if [ -L "$link" ] && [ "$(readlink "$link")" = "$tree" ]; then continue; fi
    if [ -e "$link" ] || [ -L "$link" ]; then say "left alone: $link exists and was not made by this script"; continue; fi
    if [ ! -d "$HOME/$agent/skills" ]; then
      mkdir "$HOME/$agent/skills" 2>/dev/null || { say "not linked: no permission to write into $HOME/$agent"; continue; }
      say "folder $HOME/$agent/skills" >>"$tree/$links"
    fi
    if ln -s "$tree" "$link" 2>/dev/null; then
      say "link $link" >>"$tree/$links"
      say "a skill for $agent: $link"
    else
      say "not linked: no permission to write into $HOME/$agent/skills"
    fi
  done
}

uninstall() {
  [ ! -L "$tree" ] && [ -f "$tree/$list" ] || fail "bu is not installed in $PREFIX; nothing was done"
  writable "$tree"; writable "$share"; writable "$bin"
  if ours; then rm "$command"; elif [ -e "$command" ] || [ -L "$command" ]; then say "left alone: $command was not made by this script"; fi
  folders=
  if [ -f "$tree/$links" ]; then
    while read -r kind path; do
      case $kind in
        link) if [ -L "$path" ] && [ "$(readlink "$path")" = "$tree" ]; then rm "$path" || :; fi ;;
        folder) folders="$folders$path
" ;;
      esac
    done <"$tree/$links"
  fi
  # Names first: this very file is among them, and the list goes last.
  names=$(while read -r _ _ file; do say "$file"; done <"$tree/$list")
  printf '%s\n' "$names" | while IFS= read -r file; do
    if [ ! -f "$tree/$file" ]; then :
    elif changed "$tree" "$file"; then say "kept, because you changed it: $tree/${file#./}"
    else rm "$tree/$file"; fi
  done
  rm -f "$tree/$list" "$tree/$links"
  find "$tree" -depth -type d -exec rmdir {} \; 2>/dev/null || :
  printf '%s' "$folders" | sort -r | while IFS= read -r folder; do rmdir "$folder" 2>/dev/null || :; done
  [ ! -d "$tree" ] || say "kept, because it is yours: $(find "$tree" -type f | tr '\n' ' ')"
  say "uninstalled from $PREFIX"
}

case ${1:-install} in
  install) install ;;
  uninstall) uninstall ;;
  *) fail "write install or uninstall; PREFIX names the folder" ;;
esac
exit
