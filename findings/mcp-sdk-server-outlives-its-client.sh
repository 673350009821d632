#!/usr/bin/env bash
# Expected: an MCP server over stdio ends when its client is gone. The protocol's way to say goodbye is to close the
# server's standard input, so the SDK's transport must hear of that and call onclose, where a server ends what it has
# started.
# What happens: StdioServerTransport of @modelcontextprotocol/sdk 1.32.2 listens for data and errors on its standard
# input and not for the end. onclose is never called. A server that holds nothing ends all the same, because Node has
# nothing left to do; one that holds a terminal, a timer or a socket lives on without a client, and so does the shell
# in its terminal. @modelcontextprotocol/server 2.4.0, the successor under another name, does call onclose.
# Why it matters: just the servers that drive programs through terminals hold something. Each client that was killed
# or crashed leaves one of them behind, with its shells, and nobody is told. With 1.x a server must listen for the end
# of process.stdin itself.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error @modelcontextprotocol/sdk@1.32.2 \
  @modelcontextprotocol/server@2.4.0 @lydell/node-pty@1.1.0 >"$dir/npm.log" 2>&1 || { cat "$dir/npm.log"; exit 1; }
echo "@modelcontextprotocol/sdk 1.32.2, @modelcontextprotocol/server 2.4.0, node $(node --version)"

cat >"$dir/one.mjs" <<'JS'
import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import {serve} from './serve.mjs';
await serve(new McpServer({name: 'one', version: '1'}), new StdioServerTransport());
JS
cat >"$dir/two.mjs" <<'JS'
import {McpServer} from '@modelcontextprotocol/server';
import {StdioServerTransport} from '@modelcontextprotocol/server/stdio';
import {serve} from './serve.mjs';
await serve(new McpServer({name: 'two', version: '2'}), new StdioServerTransport());
JS
# The server has a shell in a terminal, which it ends in onclose. To be finite, the trial ends a second after the end of
# the input, which is ample: the event comes in the same turn of the loop.
cat >"$dir/serve.mjs" <<'JS'
import fs from 'node:fs';
import pty from '@lydell/node-pty';

export async function serve(server, transport) {
  const shell = pty.spawn('sh', [], {});
  let told = false;
  server.server.onclose = () => { told = true; shell.kill(); };
  let shellEnded = false;
  shell.onExit(() => { shellEnded = true; });
  await server.connect(transport);
  process.stdin.on('end', () => setTimeout(() => {
    fs.writeSync(2, `onclose called: ${told}, shell ended: ${shellEnded}\n`);
    process.exit(0);
  }, 1000));
}
JS
failed=0
while read -r name expected; do
  got=$(echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | timeout 30 node "$dir/$name.mjs" 2>&1 >/dev/null || true)
  echo "$name: $got"
  [ "$got" = "$expected" ] || { echo "different: expected $expected"; failed=1; }
done <<'TABLE'
one onclose called: false, shell ended: false
two onclose called: true, shell ended: true
TABLE
exit $failed
