// What the test of the extension stands on: code-server with an empty profile,
// its windows in headless Chromium, and the probes in their extension hosts.
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
const SETTINGS = {
  "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off",
  // Animations cost time where there is no graphics card.
  "workbench.reduceMotion": "on", "editor.cursorBlinking": "solid",
  // The rows of a terminal are elements of the page only without the graphics card.
  "terminal.integrated.gpuAcceleration": "off",
  "workbench.secondarySideBar.defaultVisibility": "hidden", "remote.autoForwardPorts": false,
};
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

// Returns the first of the programs that is there.
function inPath(...names) {
  return process.env.PATH.split(":").flatMap((folder) => names.map((name) => path.join(folder, name))).find(fs.existsSync);
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

// Each window has a probe, in its extension host; a reload starts another one.
class Probe {
  constructor(folder, window) {
    this.folder = folder;
    this.window = window;
    this.known = new Set();
    this.waiting = new Map();
    this.last = 0;
  }
  // Returns once a probe answers that has not been connected before.
  async connect() {
    const file = await until(
        () => fs.readdirSync(this.folder).find((name) => name.startsWith(`${this.window}.`) && !this.known.has(name)),
        `the probe of ${this.window} listens`);
    this.known.add(file);
    this.socket = net.connect(path.join(this.folder, file));
    this.socket.on("error", () => undefined);
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

// A window of the editor is a page of the browser with the probe in it.
class Window {
  constructor(page, url, probe) {
    this.page = page;
    this.url = url;
    this.probe = probe;
  }

  async open() {
    await this.page.goto(this.url);
    await this.ready();
  }

  async reload() {
    const loaded = this.page.waitForEvent("load");
    // Nobody is left to answer.
    this.probe.ask("run", {command: "workbench.action.reloadWindow"}).catch(() => undefined);
    await loaded;
    await this.ready();
  }

  async ready() {
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

  // Starts the servers that are known, until they have so many tools.
  tools(least = 1) {
    return until(async () => {
      const tools = await this.allow("tools");
      return tools.length >= least && tools;
    }, `${least} tools`);
  }

  call(tool, input) {
    return this.allow("call", {tool, input});
  }
}

class Workbench {
  // `machine` are settings of this machine alone, as the path of a program is.
  constructor(settings, machine = {}) {
    // The kernel limits the length of a socket's path, which lies below.
    this.root = fs.mkdtempSync(path.join(os.tmpdir(), "gtvsc-"));
    for (const name of ["home", "state", "extensions", "profile", "probes"]) {
      this[name] = this.folder(name);
    }
    for (const [name, values] of Object.entries({User: settings, Machine: machine})) {
      fs.mkdirSync(path.join(this.profile, name));
      fs.writeFileSync(path.join(this.profile, name, "settings.json"), JSON.stringify(values));
    }
    this.env = {
      HOME: this.home, SHELL: "/bin/bash", LANG: "C.UTF-8", PATH: "/usr/bin:/bin",
      GLASSTTY_STATE_DIR: this.state, GLASSTTY_PROBES: this.probes,
    };
  }

  folder(name) {
    const folder = path.join(this.root, name);
    fs.mkdirSync(folder, {mode: 0o700});
    return folder;
  }

  codeServer(...words) {
    return [CODE_SERVER, "--user-data-dir", this.profile, "--extensions-dir", this.extensions, ...words];
  }

  install(...files) {
    const words = files.flatMap((file) => ["--install-extension", path.resolve(file)]);
    execFileSync(process.execPath, this.codeServer(...words), {env: this.env, stdio: "pipe"});
  }

  async start(...words) {
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}/`;
    const log = fs.openSync(path.join(this.root, "code-server.log"), "w");
    this.server = spawn(process.execPath, this.codeServer(
        "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check",
        "--enable-proposed-api", "glasstty-test.probe", ...words),
    {env: this.env, stdio: ["ignore", log, log]});
    await until(() => fetch(this.url + "healthz").then(({ok}) => ok, () => false), "code-server answers");
    this.browser = await chromium.launch({
      executablePath: inPath("chromium", "chromium-browser"),
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]});
  }

  // Opens a folder, or a file with the folders of a workspace.
  async open(folder) {
    const page = await this.browser.newPage({viewport: VIEWPORT});
    page.setDefaultTimeout(PATIENCE_MS);
    const kind = folder.endsWith(".code-workspace") ? "workspace" : "folder";
    const window = new Window(page, `${this.url}?${kind}=${folder}`, new Probe(this.probes, path.basename(folder, ".code-workspace")));
    await window.open();
    return window;
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

module.exports = {SETTINGS, Workbench, check, filesWith, until};
