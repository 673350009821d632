// The page for one secret in a real browser, beside an agent whose client shows
// links.
//
//     node secret.cjs BUILD [FOLDER]
//
// A program asks for a secret, the agent asks its user, and the person opens the
// link and types it. FOLDER gets screenshots of the page.
"use strict";
const {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} = require("node:fs");
const {tmpdir} = require("node:os");
const path = require("node:path");
const {Agent, check, findBrowser} = require("./agent.cjs");
const {Person, run} = require("./person.cjs");

const [build, folder] = process.argv.slice(2);
const {puppeteer, chromium} = findBrowser();
const state = mkdtempSync(path.join(tmpdir(), "glasstty-secret-"));
const env = {...process.env, GLASSTTY_STATE_DIR: state, DISPLAY: ":0"};
const SECRET = "correct horse 4711";
const WIDTHS = [390, 1366];

// An agent whose client asks its user.
class Asking extends Agent {
  constructor(program) {
    super(program, env);
    this.heard = [];
    this.server.stdout.on("data", (piece) => this.heard.push(String(piece)));
  }
  start() {
    const capabilities = {elicitation: {form: {}, url: {}}};
    return this.request("initialize",
        {protocolVersion: "2025-11-25", capabilities, clientInfo: {name: "browser test", version: "1"}});
  }
  lines() {
    return this.heard.join("").split("\n").filter(Boolean).flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];  // still arriving
      }
    });
  }
  async heardOf(method) {
    for (;;) {
      const found = this.lines().findLast((one) => one.method === method);
      if (found) return found;
      await new Promise((more) => this.server.stdout.once("data", more));
    }
  }
  // Returns the link of the question, once the user has agreed to open it.
  async agree() {
    const question = await this.heardOf("elicitation/create");
    this.server.stdin.write(JSON.stringify({jsonrpc: "2.0", id: question.id, result: {action: "accept"}}) + "\n");
    return question.params.url;
  }
}

async function lookAt(page, name) {
  for (const width of WIDTHS) {
    await page.setViewport({width, height: 800});
    const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    check(fits, `${name}: nothing is cut off at ${width} pixels`);
    if (folder) await page.screenshot({path: path.join(folder, `${name}-${width}.png`)});
  }
}

async function act(agent, browser) {
  const PROMPT = "<img src=x onerror=document.title=1> Password for deploy: ";
  await agent.call("term_open", {name: "deploy", argv: ["bash", "-c",
    `read -sp '${PROMPT}' p; echo; echo got \${#p}; cat`]});
  await agent.call("term_wait", {session: "deploy", until: {state: "secret"}});
  const waiting = agent.call("term_wait",
      {session: "deploy", until: {person: "gone"}, ask: "the password of deploy", timeout_s: 45});
  const link = await agent.agree();
  const page = await browser.newPage();
  const person = new Person(page);
  await page.goto(link);
  check(await person.shows("#prompt", PROMPT.trim()), "the page shows the program's line");
  check(await page.title() === "A secret for a program", "which is text and nothing else");
  check(await person.shows("#program", "bash"), "and which program asks");
  check(await person.shows("#session", "deploy"), "in which session");
  check(!page.url().includes("#"), "the link's token does not stay in the address");
  await lookAt(page, "asks");

  const late = await browser.newPage();
  await late.goto(link);
  check(await new Person(late).shows("#notice", "no longer valid"), "the link is of no use to anybody else");
  await late.close();

  await page.bringToFront();
  await page.type("#text", SECRET);
  await page.keyboard.press("Enter");
  check(await person.shows("#notice", "The secret was typed."), "the page says that it was typed");
  check(await page.$eval("#text", (field) => field.value) === "", "and does not keep it");
  await lookAt(page, "typed");
  check((await waiting).includes("a person typed the secret"), "the agent is told");
  check((await agent.heardOf("notifications/elicitation/complete")).params.elicitationId, "and its client");
  const read = await agent.call("term_wait", {session: "deploy", until: {text: `got ${SECRET.length}`, on: "screen"}});
  check(!read.includes("reason=timeout"), "the program has it");
  check(person.errors.length === 0, `the page reports no errors ${person.errors}`);
  const held = readdirSync(state, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .filter((entry) => readFileSync(path.join(entry.parentPath ?? entry.path, entry.name)).includes(SECRET));
  check(held.length === 0, "the secret is in no file");
  check(!agent.heard.join("").includes(SECRET), "the secret is in nothing that the client was sent");
}

run("secret", async () => {
  if (folder) mkdirSync(folder, {recursive: true});
  const agent = new Asking(path.join(build, "src/cli/glasstty"));
  await agent.start();
  const browser = await puppeteer.launch({executablePath: chromium, args: ["--no-sandbox"]});
  try {
    await act(agent, browser);
  } finally {
    await browser.close();
    agent.server.stdin.end();
    await new Promise((ended) => agent.server.once("exit", ended));
    rmSync(state, {recursive: true, force: true});
  }
});
