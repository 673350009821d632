# The .deb: no dependencies, no settings files, no scripts, no daemon.
make_deb() {
  local root documents file
  root=$(fresh "build-$arch/deb")
  cp -a "$stage" "$root/usr"
  documents=$root/usr/share/doc/glasstty
  # What Debian keeps elsewhere, in its own form.
  mv "$documents/CHANGELOG.md" "$documents/changelog"
  rm "$documents/LICENSE"
  cp packaging/debian/copyright "$documents"
  fill packaging/debian/changelog "$documents/changelog.Debian"
  for file in "$documents"/changelog* "$root"/usr/share/man/man1/*.1; do
    gzip -n9 "$file"
  done
  install -D -m 644 packaging/debian/lintian-overrides \
    "$root/usr/share/lintian/overrides/glasstty"
  mkdir "$root/DEBIAN"
  fill packaging/debian/control "$root/DEBIAN/control"
  printf 'Installed-Size: %s\n' "$(du -k --apparent-size -s "$root/usr" | cut -f1)" \
    >>"$root/DEBIAN/control"
  (cd "$root" && find usr -type f | sort | xargs md5sum >DEBIAN/md5sums)
  find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz -b "$root" \
    "dist/glasstty_${version/-dev/\~dev}-1_${deb_arch[$arch]}.deb" >/dev/null
}
