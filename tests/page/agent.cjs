// An agent over MCP on a server's stdin and stdout, and a check that ends a
// script.
"use strict";
const {spawn} = require("node:child_process");
const readline = require("node:readline");

function check(good, what) {
  if (!good) throw new Error(what);
  console.log(`ok: ${what}`);
}

class Agent {
  constructor(program, env) {
    this.server = spawn(program, ["mcp"], {env, stdio: ["pipe", "pipe", "inherit"]});
    this.waiting = new Map();
    this.last = 0;
    readline.createInterface({input: this.server.stdout}).on("line", (line) => {
      const message = JSON.parse(line);
      this.waiting.get(message.id)?.(message.result);
    });
  }
  request(method, params) {
    const id = ++this.last;
    this.server.stdin.write(JSON.stringify({jsonrpc: "2.0", id, method, params}) + "\n");
    return new Promise((answered) => this.waiting.set(id, answered));
  }
  start(capabilities = {}) {
    const clientInfo = {name: "browser test", version: "1"};
    return this.request("initialize", {protocolVersion: "2025-06-18", capabilities, clientInfo});
  }
  async call(name, args) {
    const result = await this.request("tools/call", {name, arguments: args});
    return result.content.map((part) => part.text ?? "").join("\n");
  }
}

module.exports = {Agent, check};
