# Sourced by dev: makes what people install, in dist/. README.md is the map.

# shellcheck source=/dev/null
for part in packaging/formats/*.sh packaging/pair.sh packaging/third_party.sh; do . "$part"; done

# The one version number stands in meson.build.
meson_version() { sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build; }

# What is not built from the clean tag of its version is marked, and sorts
# before the release in every package manager.
package_version() {
  local version
  version=$(meson_version)
  if is_release "$version"; then echo "$version"; else echo "$version-dev"; fi
}

is_release() {
  [ -z "$(git status --porcelain)" ] &&
    [ -n "$(git tag --points-at HEAD --list "v$1")" ]
}

# fill TEMPLATE OUT: @VERSION@ and the like by the variables of the build.
fill() {
  sed -e "s|@VERSION@|$version|g" -e "s|@ARCH@|$arch|g" \
    -e "s|@DEB_ARCH@|${deb_arch[${arch:-any}]:-}|g" \
    -e "s|@DEB_VERSION@|${version/-dev/\~dev}-1|g" \
    -e "s|@DATE@|$(date -u -R -d "@$SOURCE_DATE_EPOCH")|g" "$1" >"$2"
}

# tar_gz OUT FOLDER NAME: FOLDER/NAME, the same bytes whenever and by whomever
# it is called.
tar_gz() {
  tar --format=ustar --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$SOURCE_DATE_EPOCH" -C "$2" -cf - "$3" | gzip -n9 >"$1"
}

# fresh FOLDER: empty, and its name printed.
fresh() {
  rm -rf "$1"
  mkdir -p "$1"
  echo "$1"
}

package() {
  local arches=("$@") arch version stage
  local -A machine=([x64]=x86_64 [arm64]=aarch64)
  local -A deb_arch=([x64]=amd64 [arm64]=arm64)
  git rev-parse HEAD >/dev/null 2>&1 ||
    die "packages are made from a git checkout: they carry its commit"
  export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
  umask 022
  version=$(package_version)
  # A cache can hide what makes two builds differ.
  [ "$version" != "$(meson_version)" ] || export CCACHE_DISABLE=1

  fresh dist >/dev/null
  mkdir dist/npm
  for arch in "${arches[@]}"; do build_pair "$arch"; done
  exchange_holders "${arches[@]}"
  for arch in "${arches[@]}"; do
    stage=build-$arch/stage/usr
    say "packing $arch"
    make_archive
    make_deb
    make_npm_platform
    make_mcpb
    make_vsix "$stage" "dist/glasstty-$version-linux-$arch.vsix"
  done
  arch=
  make_npm_main "${arches[@]}"
  make_server_json
  fill packaging/install.sh dist/install.sh
  fill packaging/oci/Dockerfile dist/Dockerfile
  (cd dist && find . -type f ! -name 'SHA256SUMS*' -printf '%P\n' | sort | xargs sha256sum >SHA256SUMS.new)
  mv dist/SHA256SUMS.new dist/SHA256SUMS
  (cd dist && find . -type f -printf '%10s  %P\n' | sort -k2)
  next_steps "${arches[@]}"
}

# Publishing needs people's accounts: it is printed, never done.
next_steps() {
  if [ "${version%-dev}" != "$version" ]; then
    say "not a release: that needs the tag v$(meson_version) on a clean tree"
    return
  fi
  local arch
  printf '\nTo publish (docs/releasing.md):\n'
  printf '  git push origin v%s\n' "$version"
  printf '  gh release create v%s --verify-tag --title v%s --notes-file NOTES \\\n    $(find dist -maxdepth 1 -type f)\n' \
    "$version" "$version"
  for arch in "$@"; do
    printf '  npm publish --access public dist/npm/glasstty-linux-%s-%s.tgz\n' "$arch" "$version"
  done
  printf '  npm publish --access public dist/npm/glasstty-%s.tgz\n' "$version"
  printf '  (cd dist && mcp-publisher login github && mcp-publisher publish)\n'
  printf '  npx @vscode/vsce publish --packagePath dist/*.vsix\n'
}
