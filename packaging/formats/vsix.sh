# The extension for VS Code, with the pair of one processor in it.

# make_vsix PAIR OUT: of the folder PAIR, bin, libexec and share are packed.
make_vsix() {
  local work tools=build-vscode/tools
  need_npm packaging/vscode/tools "$tools" --ignore-scripts
  # Below the tools, where the compiler looks for its types.
  work=$(fresh "$tools/pack")
  mkdir "$work/extension"
  cp -a packaging/vscode/{src,media,README.md,tsconfig.json} LICENSE CHANGELOG.md "$work/extension"
  fill packaging/vscode/package.json "$work/extension/package.json"
  node "$tools/node_modules/typescript/bin/tsc" -p "$work/extension" ||
    die "the extension for VS Code does not compile"
  rm -r "$work"/extension/{src,tsconfig.json}
  cp -a "$1"/* "$work/extension"
  python3 packaging/vscode/vsixmanifest.py "$work" "linux-$arch"
  zip_folder "$work" "$2"
}

# zip_folder FOLDER OUT: the same bytes whenever and by whomever it is called.
zip_folder() {
  local out=$PWD/$2
  rm -f "$out"
  find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  (cd "$1" && find . -type f -printf '%P\n' | sort | zip -X -9 -q -@ "$out")
}
