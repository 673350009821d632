# The static pair of one processor, with all that is installed beside it.

# build_pair ARCH: leaves build-ARCH/stage/usr as `meson install` makes it:
# bin, libexec, share. Every package takes whatever is there.
build_pair() {
  local stage
  # Not in groups: those name the whole path of each file, and two builds would
  # differ by their folders.
  local dir=build-$1 options=(-Dtests=false -Dgroups=false -Dpicture=enabled --prefix=/usr)
  # A release is built from nothing.
  [ "$version" != "$(meson_version)" ] || rm -rf "$dir"
  case $1 in
    x64) configure "$dir" --native-file packaging/static.ini "${options[@]}" ;;
    arm64)
      make_sysroot "$dir/sysroot"
      sed "s|SYSROOT|$PWD/$dir/sysroot|g" packaging/arm64.ini >"$dir/arm64.ini"
      configure "$dir" --cross-file packaging/static.ini \
        --cross-file "$dir/arm64.ini" "${options[@]}"
      ;;
  esac
  compile "$dir"
  stage=$(fresh "$dir/stage")/usr
  DESTDIR=$PWD/$dir/stage meson install -C "$dir" --no-rebuild --quiet
  local documents=$stage/share/doc/glasstty
  mkdir -p "$documents"
  cp LICENSE README.md CHANGELOG.md "$documents"
  third_party >"$documents/THIRD_PARTY.md"
  chmod -R u=rwX,go=rX "$stage"
}

# exchange_holders ARCH...: each pair gets the holders of the others beside its
# own, for sessions on machines of those processors.
exchange_holders() {
  local mine other
  for mine in "$@"; do
    for other in "$@"; do
      [ "$mine" != "$other" ] || continue
      cp -p "build-$other/stage/usr/libexec/glasstty-holder" \
        "build-$mine/stage/usr/libexec/glasstty-holder-${machine[$other]}"
    done
  done
}

# Debian's development packages of the other processor in a folder, in the very
# versions that are installed for this one.
make_sysroot() {
  [ -d "$1" ] && return 0
  say "fetching arm64 libraries into $1/"
  local package version part
  part=$(fresh "$1.part")
  if ! dpkg --print-foreign-architectures | grep -qx arm64; then
    as_root dpkg --add-architecture arm64
    as_root apt-get update -q >/dev/null
  fi
  for package in libabsl-dev libevent-dev libre2-dev libvterm-dev \
    libfreetype-dev libfontconfig-dev libpng-dev libgif-dev zlib1g-dev libexpat1-dev \
    libbrotli-dev uuid-dev; do
    version=$(dpkg-query -W -f '${Version}' "$package")
    (cd "$part" && apt-get download -q "$package:arm64=$version" >/dev/null 2>&1) ||
      die "no $package $version for arm64: upgrade this system first"
  done
  (cd "$part" && apt-get download -q nlohmann-json3-dev >/dev/null 2>&1)
  for package in "$part"/*.deb; do
    dpkg -x "$package" "$part"
    rm "$package"
  done
  mv "$part" "$1"
}
