// The page in a real browser, beside an agent.
//
//     node browser.cjs BUILD CHROMIUM [SCREENSHOT]
//
// Starts the server of BUILD, speaks MCP to it as an agent does, opens the page
// in headless Chromium, and does what a person does. Any error that the page or
// its content policy reports is a failure.
"use strict";
const {spawn} = require("node:child_process");
const {mkdtempSync, rmSync, readdirSync, readFileSync} = require("node:fs");
const {tmpdir} = require("node:os");
const path = require("node:path");
const readline = require("node:readline");
const puppeteer = require("puppeteer-core");
const {Agent, check} = require("./agent.cjs");

const [build, chromium, screenshot] = process.argv.slice(2);
const state = mkdtempSync(path.join(tmpdir(), "glasstty-browser-"));
const env = {...process.env, GLASSTTY_STATE_DIR: state, GLASSTTY_MAX_SESSIONS: "128"};
const program = path.join(build, "src/cli/glasstty");
const SECRET = "correct horse 4711";

function startPage() {
  const server = spawn(program, ["view"], {env, stdio: ["ignore", "pipe", "inherit"]});
  const lines = readline.createInterface({input: server.stdout});
  return new Promise((ready) => lines.once("line", (link) => ready({server, link})));
}

class Person {
  constructor(page) {
    this.page = page;
    this.errors = [];
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (line) => line.type() === "error" && this.errors.push(line.text()));
  }
  rows() {
    return this.page.$eval("#rows", (rows) => [...rows.children].map((row) => row.textContent).join("\n").trimEnd());
  }
  sees(text) {
    return this.page.waitForFunction(
        (wanted) => [...document.getElementById("rows").children].some((row) => row.textContent.includes(wanted)),
        {timeout: 15000}, text).then(() => true, () => false);
  }
  seesRow(text) {
    return this.page.waitForFunction(
        (wanted) => [...document.getElementById("rows").children].some((row) => row.textContent.trimEnd() === wanted),
        {timeout: 15000}, text).then(() => true, () => false);
  }
  async click(selector) {
    await this.page.waitForSelector(selector, {visible: true});
    await this.page.click(selector);
  }
  shows(selector, text) {
    return this.page.waitForFunction(
        (where, wanted) => document.querySelector(where)?.textContent.includes(wanted),
        {timeout: 15000}, selector, text).then(() => true, () => false);
  }
  async choose(name) {
    await this.page.waitForFunction(
        (wanted) => [...document.querySelectorAll("nav .name")].some((one) => one.textContent === wanted), {}, name);
    await this.page.evaluate((wanted) => {
      [...document.querySelectorAll("nav button")].find((one) => one.querySelector(".name").textContent === wanted).click();
    }, name);
    return this.shows("#name", name);
  }
  async chord(...keys) {
    for (const key of keys) await this.page.keyboard.down(key);
    for (const key of keys.reverse()) await this.page.keyboard.up(key);
  }
}

async function takeOver(agent, person) {
  check(await person.choose("main"), "a session is chosen from the list");
  check(await person.sees("from the agent"), "the page shows what the agent's terminal shows");
  await person.click("#take");
  check(await person.shows("#who", "you have the keyboard"), "the person has the keyboard");
  await person.page.keyboard.type("echo 'by hand <Tab> \u00e4x");
  await person.page.keyboard.press("Backspace");
  await person.page.keyboard.type("\u00fc'");
  await person.page.keyboard.press("Enter");
  check(await person.sees("$ echo 'by hand <Tab> \u00e4\u00fc'"), "what the person types is shown");
  check(await person.seesRow("by hand <Tab> \u00e4\u00fc"), "and is run");
  const refused = await agent.call("term_send", {session: "main", input: "echo torn\n"});
  check(/person/.test(refused), "the agent is told that a person has the keyboard");
  await person.page.keyboard.type("sleep 1000");
  await person.page.keyboard.press("Enter");
  await person.chord("Control", "c");
  check(await person.sees("^C"), "a chord reaches the program");
  await person.chord("Control", "Shift", "H");
  check(await person.shows("#bar", "Take over"), "the keyboard is handed back");
  const after = await agent.call("term_run", {session: "main", command: "echo and on"});
  check(/and on/.test(after) && !/torn/.test(await person.rows()), "the agent goes on, and nothing of it was torn");
}

async function typeSecret(person) {
  check(await person.choose("pass"), "the session that asks for a secret is listed");
  await person.page.waitForSelector("#secret.open");
  await person.page.type("#secret-text", SECRET);
  await person.page.keyboard.press("Enter");
  check(await person.sees(`got ${SECRET.length}`), "the secret reaches the program");
  const held = readdirSync(state, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .filter((entry) => readFileSync(path.join(entry.parentPath ?? entry.path, entry.name)).includes(SECRET));
  check(held.length === 0, "the secret is in no file");
}

async function lookBack(agent, person) {
  await person.choose("past");
  await agent.call("term_send", {session: "past", input: "\n"});
  check(await person.sees("second"), "the live screen is shown");
  const moment = (value) => person.page.$eval("#moment", (slider, share) => {
    slider.value = share === 1 ? slider.max : slider.max - 0.001;
    slider.dispatchEvent(new Event("input"));
  }, value);
  await person.click("#live");
  await person.page.waitForFunction(() => Number(document.getElementById("moment").max) > 0.2);
  await moment(0);
  check(await person.sees("first"), "an earlier moment is shown");
  await person.click("#live");
  check(await person.sees("second"), "and the present again");
  await person.page.type("#find", "SECOND");
  await person.page.keyboard.press("Enter");
  check(await person.shows("#found", "second"), "lines are found");
}

// As the links of the page do it, in the page.
async function keep(person) {
  await person.choose("main");
  await person.sees("from the agent");
  for (const [link, begins] of [["#picture", "\u0089PNG"], ["#recording", '{"version":2']]) {
    const [href, first] = await person.page.$eval(link, async (one) => {
      one.addEventListener("click", (event) => event.preventDefault());
      one.click();
      const bytes = new Uint8Array(await (await fetch(one.href)).arrayBuffer());
      return [one.getAttribute("href"), String.fromCharCode(...bytes.slice(0, 20))];
    });
    check(first.startsWith(begins), `${href.split("?")[0]} is a file to keep`);
  }
}

// Milliseconds from a key to the changed page: the middle one of thirty.
async function keyToScreen(person) {
  await person.choose("main");
  await person.click("#take");
  await person.shows("#who", "you have the keyboard");
  const times = [];
  for (let i = 0; i < 30; ++i) {
    const before = await person.rows();
    const began = performance.now();
    await person.page.keyboard.press("x");
    await person.page.waitForFunction(
        (old) => [...document.getElementById("rows").children].map((row) => row.textContent).join("\n").trimEnd() !== old,
        {polling: "mutation"}, before);
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  console.log(`key to screen: ${times[15].toFixed(1)} ms, at most ${times[29].toFixed(1)}`);
}

// A hundred sessions that print now and then: the list shows all of them and
// does not hold up the page.
async function longList(agent, person) {
  await Promise.all([...Array(100).keys()].map((i) => agent.call(
      "term_open", {name: `busy-${i}`, argv: ["sh", "-c", "while sleep 0.3; do date +%N; done"], until: {lines: 1}})));
  const all = await person.page.waitForFunction(
      () => [...document.querySelectorAll("nav .name")].filter((one) => one.textContent.startsWith("busy-")).length === 100,
      {timeout: 15000}).then(() => true, () => false);
  check(all, "a hundred sessions are listed");
  check(await person.choose("busy-99"), "the last of them can be chosen");
  const gaps = await person.page.evaluate(() => new Promise((done) => {
    const times = [];
    const frame = (now) => {
      times.push(now);
      if (now - times[0] < 3000) return requestAnimationFrame(frame);
      done(times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b));
    };
    requestAnimationFrame(frame);
  }));
  console.log(`between two frames with a hundred sessions: ${gaps[gaps.length >> 1].toFixed(1)} ms, at most ${gaps.at(-1).toFixed(1)}`);
  await keyToScreen(person);
}

async function main() {
  const agent = new Agent(program, env);
  await agent.start();
  await agent.call("term_open", {name: "main", argv: ["bash", "--norc"], env: {PS1: "$ "}});
  await agent.call("term_run", {session: "main", command: "echo from the agent"});
  await agent.call("term_open", {name: "pass", argv: ["bash", "-c", "read -sp 'Password: ' p; echo; echo got ${#p}; cat"]});
  await agent.call("term_open", {name: "past", argv: ["sh", "-c", "echo first; read x; sleep 0.2; clear; echo second; cat"]});
  const {server, link} = await startPage();
  const browser = await puppeteer.launch({executablePath: chromium, args: ["--no-sandbox"]});
  try {
    const page = await browser.newPage();
    await page.setViewport({width: 1280, height: 860});
    const person = new Person(page);
    await page.goto(link);
    check(await person.shows("#list", "main"), "the link lets the browser in");
    check(!page.url().includes("#"), "its token does not stay in the address");
    await takeOver(agent, person);
    await typeSecret(person);
    await lookBack(agent, person);
    await keep(person);
    await keyToScreen(person);
    if (screenshot) await page.screenshot({path: screenshot});
    await longList(agent, person);
    check(person.errors.length === 0, `the page reports no errors ${person.errors}`);
  } finally {
    await browser.close();
    server.kill();
    agent.server.stdin.end();
    await new Promise((ended) => agent.server.once("exit", ended));
    rmSync(state, {recursive: true, force: true});
  }
}

main().then(() => process.exit(0), (error) => {
  console.error(`browser: ${error.message}`);
  process.exit(1);
});
