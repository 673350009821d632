# The npm packages: `glasstty`, whose program finds the pair of its processor,
# and one package a processor. Made by tar and not by npm, whose archives have
# the same form.
make_npm_platform() {
  local work
  work=$(fresh "build-$arch/npm")
  cp -a "$stage" "$work/package"
  cp LICENSE packaging/npm/README.md "$work/package"
  fill packaging/npm/platform.json "$work/package/package.json"
  tar_gz "dist/npm/glasstty-linux-$arch-$version.tgz" "$work" package
}

# make_npm_main ARCH...: exact versions of the packages that are made with it.
make_npm_main() {
  local work each dependencies=
  work=$(fresh "build-$1/npm-main")
  mkdir -p "$work/package/bin"
  for each in "$@"; do
    dependencies+="${dependencies:+, }\"@glasstty/linux-$each\": \"$version\""
  done
  cp LICENSE packaging/npm/README.md "$work/package"
  install -m 755 packaging/npm/glasstty.js "$work/package/bin/glasstty.js"
  fill packaging/npm/main.json "$work/package/package.json"
  sed -i "s|@DEPENDENCIES@|$dependencies|" "$work/package/package.json"
  tar_gz "dist/npm/glasstty-$version.tgz" "$work" package
}
