// What the test of the extension stands on: code-server with an empty profile,
// its page in headless Chromium, and the probe in its extension host.
"use strict";
const {execFileSync, spawn} = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const readline = require("node:readline");
const {chromium} = require("playwright-core");

const CODE_SERVER = require.resolve("code-server/out/node/entry.js");
const PATIENCE_MS = 60_000, LOOK_EVERY_MS = 100;
// Wide enough for the view beside a terminal.
const VIEWPORT = {width: 1280, height: 800};

function check(good, what) {
  if (!good) throw new Error(what);
  console.log(`ok: ${what}`);
}

// Waits for a condition outside the browser; returns its value.
async function until(condition, what) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
    await new Promise((next) => setTimeout(next, LOOK_EVERY_MS));
  }
}

function freePort() {
  return new Promise((found) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const {port} = server.address();
      server.close(() => found(port));
    });
  });
}

// Returns the files below the folders that contain the text.
function filesWith(text, ...folders) {
  return folders.flatMap((folder) => fs.readdirSync(folder, {recursive: true, withFileTypes: true}))
      .filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => fs.readFileSync(file).includes(text));
}

// The probe's end of a line is an answer to one of ours.
class Probe {
  constructor(file) {
    this.file = file;
    this.waiting = new Map();
    this.last = 0;
  }
  async connect() {
    await until(() => fs.existsSync(this.file), "the probe listens");
    this.socket = net.connect(this.file);
    readline.createInterface({input: this.socket}).on("line", (line) => {
      const {id, result, error} = JSON.parse(line);
      const [answered, failed] = this.waiting.get(id);
      if (error) failed(new Error(error));
      else answered(result);
    });
  }
  ask(act, rest = {}) {
    const id = ++this.last;
    this.socket.write(JSON.stringify({id, act, ...rest}) + "\n");
    return new Promise((...ends) => this.waiting.set(id, ends));
  }
}

class Workbench {
  // `machine` are settings of this machine alone, as the path of a program is.
  constructor(settings, machine) {
    // The kernel limits the length of a socket's path, which lies below.
    this.root = fs.mkdtempSync(path.join(os.tmpdir(), "gtvsc-"));
    for (const name of ["home", "state", "project", "extensions", "profile"]) {
      this[name] = path.join(this.root, name);
      fs.mkdirSync(this[name], {mode: 0o700});
    }
    for (const [name, values] of Object.entries({User: settings, Machine: machine})) {
      fs.mkdirSync(path.join(this.profile, name));
      fs.writeFileSync(path.join(this.profile, name, "settings.json"), JSON.stringify(values));
    }
    this.env = {
      HOME: this.home, SHELL: "/bin/bash", LANG: "C.UTF-8", PATH: "/usr/bin:/bin",
      GLASSTTY_STATE_DIR: this.state, GLASSTTY_PROBE: path.join(this.root, "probe.sock"),
    };
    this.probe = new Probe(this.env.GLASSTTY_PROBE);
  }

  codeServer(...words) {
    return [CODE_SERVER, "--user-data-dir", this.profile, "--extensions-dir", this.extensions, ...words];
  }

  install(file) {
    execFileSync(process.execPath, this.codeServer("--install-extension", path.resolve(file)), {env: this.env, stdio: "pipe"});
  }

  async start() {
    const port = await freePort(), url = `http://127.0.0.1:${port}/`;
    const log = fs.openSync(path.join(this.root, "code-server.log"), "w");
    this.server = spawn(process.execPath, this.codeServer(
        "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check",
        "--disable-workspace-trust", "--enable-proposed-api", "glasstty-test.probe", this.project),
    {env: this.env, stdio: ["ignore", log, log]});
    await until(() => fetch(url + "healthz").then(({ok}) => ok, () => false), "code-server answers");
    this.browser = await chromium.launch({
      executablePath: ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(fs.existsSync),
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]});
    this.page = await this.browser.newPage({viewport: VIEWPORT});
    this.page.setDefaultTimeout(PATIENCE_MS);
    await this.page.goto(`${url}?folder=${this.project}`);
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor();
    await this.probe.connect();
  }

  // Asks the probe for what an agent does, and allows it as a person would.
  async allow(act, rest) {
    let answer;
    const asked = this.probe.ask(act, rest).then((result) => answer = {result}, (error) => answer = {error});
    const yes = this.page.locator(".monaco-dialog-box .monaco-button").filter({hasText: /^(Yes|Allow|Trust)$/}).first();
    while (!answer) {
      await Promise.race([asked, yes.click({timeout: PATIENCE_MS}).catch(() => undefined)]);
    }
    if (answer.error) throw answer.error;
    return answer.result;
  }

  call(tool, input) {
    return this.allow("call", {tool, input});
  }

  async stop() {
    await this.browser?.close();
    if (!this.server) return;
    const ended = new Promise((end) => this.server.once("exit", end));
    this.server.kill();
    await ended;
  }

  remove() {
    fs.rmSync(this.root, {recursive: true, force: true});
  }
}

module.exports = {Workbench, check, filesWith, until};
