#!/bin/bash
# run.sh BUILD_DIR WORK_DIR: the conformance suite, the Inspector and the SDK
# against what was built. WORK_DIR holds node_modules (see package.json) and
# takes the logs. Called by ./dev conformance. Exit status 0: all passed.
set -euo pipefail
source_dir=$(dirname "$(readlink -f "$0")")
build=$(readlink -f "$1")
work=$(readlink -f "$2")
glasstty=$build/src/cli/glasstty

export PATH=$work/node_modules/.bin:$PATH
# Isolates the user's files: SDK clients pass HOME on to the server.
export HOME=$work/home MCP_CATALOG_PATH=$work/catalog.json
unset XDG_STATE_HOME
mkdir -p "$HOME"
cp "$source_dir/sdk_client.mjs" "$work/"

pids=()
# Clients over stdio share the server that the first of them starts.
stop_all() {
  "$glasstty" serve --stop >/dev/null 2>&1 || true
  env -u GLASSTTY_STATE_DIR "$glasstty" serve --stop >/dev/null 2>&1 || true
  kill "${pids[@]}" 2>/dev/null || true
}
trap stop_all EXIT
passed=0 failed=0

# check NAME COMMAND...: prints one line of result, and the whole log on failure.
check() {
  local name=$1 log=$work/$1.log
  shift
  if timeout 300 "$@" >"$log" 2>&1; then
    printf 'ok      %s\n' "$name"
    passed=$((passed + 1))
    sed -nE '/^(Total|Not scored)|tools called/s/^/        /p' "$log"
  else
    printf 'FAILED  %s (%s)\n' "$name" "$log"
    tail -n 60 "$log"
    failed=$((failed + 1))
  fi
}

# serve_http BASE: starts glasstty-http for the shared server of BASE; its URL is in $url.
serve_http() {
  exec 3< <(exec "$build/src/gateway/bridge/glasstty-http" "$1" "$glasstty" 0 --open)
  pids+=($!)
  read -r -t 20 url <&3
}

# ---- The suite, over HTTP, against the fixture server

rm -rf "$work/fixture" && mkdir -m 700 "$work/fixture"
exec 4< <(exec "$build/tests/conformance/conformance_server" "$work/fixture")
pids+=($!)
read -r -t 20 <&4
serve_http "$work/fixture"
for revision in 2025-11-25 2026-07-28; do
  # Failures outside of the revision's requirements do not count (exit status).
  check "suite-$revision" conformance server --url "$url" \
    --requirements "$revision" -o "$work/suite-$revision"
done

# No revision requires the extension of tasks, so its failures count only here, where it is forced.
for scenario in lifecycle capability-negotiation wire-fields request-state-removal mrtr-input \
  request-headers dispatch-and-envelope required-task-error mrtr-composition; do
  check "suite-tasks-$scenario" conformance server --url "$url" --scenario "tasks-$scenario" \
    --spec-version 2026-07-28 --force -o "$work/suite-tasks"
done

# ---- The Inspector's command line, over stdio, against the real server

inspect() {
  inspector --cli -q --protocol-era "$@" --format json -- "$glasstty" mcp --alone
}
export -f inspect
export glasstty
for era in legacy modern; do
  # Exit status 6 means that some client cannot accept a schema.
  check "inspector-$era-tools" bash -c "inspect $era --method tools/list --strict"
  check "inspector-$era-call" bash -c "inspect $era --method tools/call \
    --tool-name term_run --tool-args-json '{\"argv\":[\"echo\",\"hi\"]}'"
  check "inspector-$era-resources" bash -c "inspect $era --method resources/list"
  check "inspector-$era-templates" \
    bash -c "inspect $era --method resources/templates/list"
  check "inspector-$era-read" \
    bash -c "inspect $era --method resources/read --uri term://sessions"
  check "inspector-$era-prompts" bash -c "inspect $era --method prompts/list"
  check "inspector-$era-prompt" bash -c "inspect $era --method prompts/get \
    --prompt-name watch_job --prompt-args job=make"
done

# ---- The TypeScript SDK, over stdio, against the real server

for mode in legacy auto modern; do
  check "sdk-$mode" node "$work/sdk_client.mjs" "$mode" "$glasstty" mcp --alone
done

# ---- The same over HTTP and over the relay, against the shared server

export GLASSTTY_STATE_DIR=$work/shared
rm -rf "$GLASSTTY_STATE_DIR"
url=$("$glasstty" serve --http=0 --background | head -n 1)
TOKEN=$(cat "$GLASSTTY_STATE_DIR/serve/http-token")
export TOKEN
for mode in legacy auto modern; do
  check "sdk-http-$mode" node "$work/sdk_client.mjs" "$mode" "$url"
  check "sdk-relay-$mode" node "$work/sdk_client.mjs" "$mode" "$glasstty" mcp
done
for era in legacy modern; do
  check "inspector-http-$era" inspector --cli -q --protocol-era "$era" \
    --transport http --server-url "$url" \
    --header "Authorization: Bearer $TOKEN" --format json \
    --method tools/call --tool-name term_run --tool-args-json '{"command":"echo hi"}'
done

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
