// The official TypeScript SDK as a client of the server, over stdio or HTTP:
//
//   node sdk_client.mjs legacy|auto|modern SERVER_CMD [ARGS...]
//   TOKEN=... node sdk_client.mjs legacy|auto|modern URL
//
// legacy: `initialize`, 2025-11-25. auto: server/discover on a throw-away
// process first. modern: 2026-07-28 or fail. Connects, lists, calls every tool,
// reads, completes, subscribes to a screen, cancels a wait, and leaves. Lies
// beside node_modules when it runs. Exit status 0: all as it should be.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport }
  from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [mode, command, ...args] = process.argv.slice(2);
const negotiation = {
  legacy: undefined,
  auto: { mode: 'auto' },
  modern: { mode: { pin: '2026-07-28' } },
}[mode];
const options = { capabilities: { elicitation: {} } };
if (negotiation) options.versionNegotiation = negotiation;
const client = new Client({ name: 'sdk_client', version: '1' }, options);
client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }));

const updates = [];
let onUpdate = () => {};
client.setNotificationHandler('notifications/resources/updated', (message) => {
  updates.push(message.params.uri);
  onUpdate();
});
// The next update that has not been taken.
const update = () => new Promise((resolve, reject) => {
  const late = setTimeout(() => reject(new Error('no update came')), 10_000);
  onUpdate = () => {
    if (updates.length === 0) return;
    clearTimeout(late);
    resolve(updates.shift());
  };
  onUpdate();
});

const overHttp = /^http:/.test(command);
const headers = { Authorization: `Bearer ${process.env.TOKEN}` };
await client.connect(overHttp
  ? new StreamableHTTPClientTransport(new URL(command),
                                      { requestInit: { headers } })
  : new StdioClientTransport({ command, args, stderr: 'inherit' }));
const version = client.getNegotiatedProtocolVersion();
assert.equal(version, mode === 'legacy' ? '2025-11-25' : '2026-07-28');
assert.equal(client.getServerVersion()?.name, 'glasstty');
assert.ok(client.getInstructions().length <= 2048);

// ---- lists

const { tools } = await client.listTools();
for (const tool of tools) {
  assert.equal(tool.outputSchema, undefined, `${tool.name} outputSchema`);
  assert.ok(tool.title, `${tool.name} has no title`);
}
const { resources } = await client.listResources();
assert.deepEqual(resources.map((r) => r.uri), ['term://sessions']);
const { resourceTemplates } = await client.listResourceTemplates();
assert.equal(resourceTemplates.length, 4);
const { prompts } = await client.listPrompts();
assert.equal(prompts.length, 2);

// ---- every tool

const text = (result) => {
  assert.equal(result.structuredContent, undefined, 'structured unasked');
  return result.content.map((block) => block.text ?? '').join('\n');
};
const call = async (name, given = {}, settings = undefined) =>
  client.callTool({ name, arguments: given }, settings);

// In an order that makes sense. A tool that is not here is called without
// arguments, which must be answered whatever it thinks of that.
const calls = [
  ['term_open', { name: 'main', argv: ['bash', '--norc', '--noprofile'],
                  env: { PS1: '$ ' } }, /\$/],
  ['term_run', { session: 'main', command: 'echo one two' }, /one two/],
  ['term_send', { session: 'main', input: 'echo three', enter: true },
   /three/],
  ['term_wait', { session: 'main', until: { state: 'prompt' } }, /prompt/],
  ['term_read', { session: 'main', mode: 'snapshot' }, /one two/],
  ['term_search', { session: 'main', regex: 'thr.e' }, /three/],
  ['term_list', {}, /\[main\]/],
];
for (const [name, given, expected] of calls) {
  if (!tools.some((tool) => tool.name === name)) continue;
  const result = await call(name, given);
  assert.ok(!result.isError, `${name}: ${text(result)}`);
  assert.match(text(result), expected, name);
}
for (const { name } of tools) {
  if (calls.some((row) => row[0] === name) || name === 'term_close') continue;
  assert.ok(text(await call(name)).length > 0, name);
}
// A misuse is a result that the model can read.
assert.ok((await call('term_read', { session: 'none' })).isError);
await assert.rejects(call('term_none'));

// ---- resources, prompts, completion

const read = async (uri) =>
  (await client.readResource({ uri })).contents[0].text;
assert.match(await read('term://sessions'), /^\[main\] /);
assert.match(await read('term://main/screen'), /one two/);
assert.match(await read('term://main/history'), /three/);
await assert.rejects(read('term://none/screen'));
const prompt = await client.getPrompt(
  { name: 'drive_tui', arguments: { program: 'htop' } });
assert.match(prompt.messages[0].content.text, /htop/);
const { completion } = await client.complete({
  ref: { type: 'ref/resource', uri: 'term://{session}/screen' },
  argument: { name: 'session', value: 'm' },
});
assert.deepEqual(completion.values, ['main']);

// ---- a subscription to a screen

const screen = 'term://main/screen';
const subscription = mode === 'legacy'
  ? (await client.subscribeResource({ uri: screen }), null)
  : await client.listen({ resourceSubscriptions: [screen] });
if (subscription) {
  assert.deepEqual(subscription.honoredFilter.resourceSubscriptions, [screen]);
}
await call('term_send', { session: 'main', input: 'echo four', enter: true });
assert.equal(await update(), screen);
if (subscription) {
  await subscription.close();
} else {
  await client.unsubscribeResource({ uri: screen });
}

// ---- a wait that is cancelled

const abort = new AbortController();
const wait = call('term_wait',
  { session: 'main', until: { text: 'never' }, timeout_s: 40 },
  { signal: abort.signal });
await call('term_list');
abort.abort('enough');
await assert.rejects(wait);
// The program goes on, and so does the server.
assert.match(text(await call('term_run', { session: 'main',
                                           command: 'echo five' })), /five/);
const closed = await call('term_close', { session: 'main' });
assert.ok(!closed.isError, text(closed));

const start = Date.now();
await client.close();
const took = Date.now() - start;
assert.ok(took < 1000, `closing took ${took} ms`);
console.log(`${mode}: ${version}, ${tools.length} tools called, ` +
            `closed in ${took} ms`);
