#!/bin/bash
# Builds the packages of the last commit in two folders of different name and
# depth, without a compiler cache, and compares every file.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
# Differing files are left for inspection.
trap '[ $? != 0 ] || rm -rf "$work"' EXIT
export CCACHE_DISABLE=1
folders=("$work/one" "$work/some/where/else")
for folder in "${folders[@]}"; do
  git clone -q . "$folder"
  (cd "$folder" && ./dev package x64 >"$work/log" 2>&1) || {
    tail -20 "$work/log"
    exit 1
  }
done
cd "${folders[0]}/dist"
diff -rq . "${folders[1]}/dist"
echo "the same in both: $(find . -type f | wc -l) files"
