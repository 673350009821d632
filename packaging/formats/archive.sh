# The tar.gz: bin, libexec and share, to be unpacked anywhere.
make_archive() {
  local name=glasstty-$version-linux-$arch work
  work=$(fresh "build-$arch/archive")
  cp -a "$stage" "$work/$name"
  tar_gz "dist/$name.tar.gz" "$work" "$name"
}
