# The notices of all that is linked into the programs, as Debian ships them.

third_party_packages=(
  libabsl-dev libre2-dev libevent-dev libvterm-dev nlohmann-json3-dev
  unicode-data libfreetype-dev libfontconfig-dev libpng-dev libgif-dev
  zlib1g-dev
  libexpat1-dev libbrotli-dev uuid-dev fonts-dejavu-core libc6-dev
  libstdc++-12-dev
)

third_party() {
  local package
  cat packaging/THIRD_PARTY.md
  printf '\n## Versions\n\nThis pair was built with these Debian packages:\n\n'
  dpkg-query -W -f '- `${Package}` ${Version}\n' "${third_party_packages[@]}"
  for package in "${third_party_packages[@]}"; do
    printf '\n## %s\n\n```\n' "$package"
    cat "/usr/share/doc/$package/copyright"
    printf '```\n'
  done
  for package in Apache-2.0 LGPL-2.1 GPL-3; do
    printf '\n## %s\n\n```\n' "$package"
    cat "/usr/share/common-licenses/$package"
    printf '```\n'
  done
}
