#!/bin/sh
# Installs glasstty @VERSION@ for Linux: downloads its archive, checks the hash,
# unpacks it into $PREFIX (~/.local; for root /usr/local).
#   sh install.sh               install, or replace an earlier version
#   sh install.sh --uninstall   take away all that was installed
# GLASSTTY_FROM names another place to download from.
set -eu

version=@VERSION@
from=${GLASSTTY_FROM:-https://github.com/glasstty/glasstty/releases/download/v$version}
if [ "$(id -u)" = 0 ]; then prefix=${PREFIX:-/usr/local}; else prefix=${PREFIX:-$HOME/.local}; fi
# What was installed, and which folders were made for it.
record=$prefix/share/glasstty/installed

die() {
  echo "install.sh: $*" >&2
  exit 1
}

uninstall() {
  [ -f "$record" ] || die "nothing was installed in $prefix by this script"
  list=$(cat "$record")
  echo "$list" | sed -n 's/^file //p' | while read -r name; do rm -f "$prefix/$name"; done
  rm "$record"
  # Deepest first; a folder that others use by now stays.
  echo "$list" | sed -n 's/^folder //p' | sort -r | while read -r name; do
    rmdir "$prefix/$name" 2>/dev/null || true
  done
}

download() {
  if command -v curl >/dev/null; then
    curl -fsSL -o "$2" "$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$1"
  else
    die "needs curl or wget"
  fi || die "could not download $1"
}

# make_folders NAME: NAME below the prefix, each new folder noted.
make_folders() {
  [ -d "$prefix/$1" ] && return 0
  case $1 in */*) make_folders "${1%/*}" ;; esac
  mkdir "$prefix/$1"
  echo "folder $1" >>"$work/installed"
}

install_file() {
  case $1 in */*) make_folders "${1%/*}" ;; esac
  # By another name first: a program that runs cannot be written to.
  cp "$work/$name/$1" "$prefix/$1.new"
  mv -f "$prefix/$1.new" "$prefix/$1"
  echo "file $1" >>"$work/installed"
}

install() {
  [ "$(uname -s)" = Linux ] || die "glasstty runs on Linux only"
  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) die "no glasstty for $(uname -m)" ;;
  esac
  name=glasstty-$version-linux-$arch
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  download "$from/$name.tar.gz" "$work/$name.tar.gz"
  download "$from/SHA256SUMS" "$work/SHA256SUMS"
  grep " $name.tar.gz\$" "$work/SHA256SUMS" >"$work/sum" || die "SHA256SUMS does not name $name.tar.gz"
  (cd "$work" && sha256sum -c sum >/dev/null 2>&1) || die "$name.tar.gz has not the hash that SHA256SUMS names"
  gzip -dc "$work/$name.tar.gz" | tar -xf - -C "$work"

  mkdir -p "$prefix"
  # An earlier version may have had other files.
  [ ! -f "$record" ] || uninstall
  (cd "$work/$name" && find . -type f | sed 's|^\./||' | sort) >"$work/files"
  while read -r file; do install_file "$file"; done <"$work/files"
  make_folders share/glasstty
  mv "$work/installed" "$record"

  "$prefix/bin/glasstty" doctor || true
  case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) echo "$prefix/bin is not in PATH: call $prefix/bin/glasstty, or add it." ;;
  esac
}

case ${1:-} in
  '') install ;;
  --uninstall) uninstall ;;
  *) die "usage: sh install.sh [--uninstall]" ;;
esac
