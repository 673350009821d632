#!/usr/bin/env bash
# Expected: an MCP client starts a server with its own environment, as every program does that starts another one;
# perhaps without secrets.
# What happens: StdioClientTransport of @modelcontextprotocol/sdk hands down six variables: HOME, LOGNAME, PATH,
# SHELL, TERM and USER. LANG and LC_ALL are not among them, so that all that the server starts runs in the C locale.
# The same ls in the same directory, in a terminal, shows café as 'caf'$'\303\251' to the model and as café to the
# person beside it, and tools count columns by bytes. SSH_AUTH_SOCK, XDG_RUNTIME_DIR, TMPDIR and proxies are missing,
# too. Seen with 1.32.2; servers started by a shell script around them look healthy.
# Why it matters: a server that opens terminals cannot take its own environment for the user's. It has to choose a
# UTF-8 locale itself (C.UTF-8 is always there on Debian), and say so, or the client's configuration has to name the
# variables.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --no-audit --no-fund --loglevel=error @modelcontextprotocol/sdk@1.32.2 \
  @lydell/node-pty@1.1.0 >"$dir/npm.log" 2>&1 || { cat "$dir/npm.log"; exit 1; }
echo "@modelcontextprotocol/sdk 1.32.2, node $(node --version), $(ls --version | head -1)"

cat >"$dir/ls.mjs" <<'JS'
// Returns what ls shows in a terminal that has the environment of this process.
import pty from '@lydell/node-pty';
export const list = (folder) => new Promise((done) => {
  let shown = '';
  const ls = pty.spawn('ls', [folder], {env: {...process.env}});
  ls.onData((text) => { shown += text; });
  ls.onExit(() => done(shown.trim()));
});
JS
cat >"$dir/server.mjs" <<'JS'
import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import {list} from './ls.mjs';
const server = new McpServer({name: 'terminal', version: '1'});
server.registerTool('look', {}, async () => ({content: [
  {type: 'text', text: await list(import.meta.dirname + '/files')},
  {type: 'text', text: Object.keys(process.env).sort().join(' ')},
]}));
await server.connect(new StdioServerTransport());
JS
cat >"$dir/client.mjs" <<'JS'
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {list} from './ls.mjs';
const client = new Client({name: 'client', version: '1'});
const server = {command: process.execPath, args: [import.meta.dirname + '/server.mjs']};
await client.connect(new StdioClientTransport(server));
const [shown, names] = (await client.callTool({name: 'look', arguments: {}})).content.map((part) => part.text);
await client.close();
const own = await list(import.meta.dirname + '/files');
console.log(`ls in a terminal of the client: ${own}\nls in a terminal of the server: ${shown}`);
console.log(`variables of the server: ${names}`);
const right = own === 'café' && shown === "'caf'$'\\303\\251'" && names === 'HOME LOGNAME PATH SHELL TERM USER';
process.exit(right ? 0 : 1);
JS
mkdir "$dir/files"
touch "$dir/files/café"
env -i PATH="$PATH" HOME="$dir" USER=me LOGNAME=me SHELL=/bin/sh TERM=xterm LANG=C.UTF-8 SSH_AUTH_SOCK=/none \
  TMPDIR=/tmp timeout 60 node "$dir/client.mjs" || { echo "different: the locale reaches the server"; exit 1; }
