# The .mcpb bundle, a zip made without its users' times and groups.
make_mcpb() {
  local root
  root=$(fresh "build-$arch/mcpb")
  cp -a "$stage" "$root/server"
  fill packaging/mcpb/manifest.json "$root/manifest.json"
  cp LICENSE "$root"
  find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  (cd "$root" && find . -type f -printf '%P\n' | sort |
    zip -X -9 -q -@ "$OLDPWD/dist/glasstty-$version-linux-$arch.mcpb")
}

make_server_json() {
  python3 packaging/mcpb/server_json.py packaging/mcpb/server.json "$version" \
    dist/glasstty-"$version"-linux-*.mcpb >dist/server.json
}
