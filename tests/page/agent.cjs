// What the scripts share: an agent over MCP on a server's stdin and stdout, a
// check that ends a script, and the browser.
"use strict";
const {spawn} = require("node:child_process");
const {existsSync} = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");

// As `meson test` takes it.
const SKIPPED = 77;

function check(good, what) {
  if (!good) throw new Error(what);
  console.log(`ok: ${what}`);
}

class Agent {
  constructor(program, env) {
    this.server = spawn(program, ["mcp", "--alone"], {env, stdio: ["pipe", "pipe", "inherit"]});
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

// The driver and the browser for it. Without them the test counts as skipped.
function findBrowser() {
  const folders = process.env.PATH.split(path.delimiter);
  const chromium = folders.flatMap((folder) => ["chromium", "chromium-browser"].map((name) => path.join(folder, name)))
      .find(existsSync);
  try {
    if (chromium) return {puppeteer: require("puppeteer-core"), chromium};
  } catch {
    // Not installed.
  }
  console.log("there is no Chromium or no puppeteer-core; `./dev test page` installs both");
  process.exit(SKIPPED);
}

module.exports = {Agent, check, findBrowser};
