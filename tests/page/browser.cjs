// The page in a real browser, beside an agent.
//
//     node browser.cjs BUILD
//
// Starts the server of BUILD, speaks MCP to it as an agent does, opens the page
// in headless Chromium, and does what a person does. Any error that the page or
// its content policy reports is a failure.
"use strict";
const {mkdtempSync, rmSync, readdirSync, readFileSync} = require("node:fs");
const {tmpdir} = require("node:os");
const path = require("node:path");
const {Agent, check, findBrowser} = require("./agent.cjs");
const {Person, startPage} = require("./person.cjs");

const [build] = process.argv.slice(2);
const {puppeteer, chromium} = findBrowser();
const state = mkdtempSync(path.join(tmpdir(), "glasstty-browser-"));
const env = {...process.env, GLASSTTY_STATE_DIR: state, GLASSTTY_MAX_SESSIONS: "128"};
const program = path.join(build, "src/cli/glasstty");
const SECRET = "correct horse 4711";

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
  await agent.call("term_wait", {session: "main", until: {state: "prompt"}});
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
  await person.click("#live");
  check(await person.looksBackTo("first"), "an earlier moment is shown");
  await person.click("#live");
  check(await person.sees("second"), "and the present again");
  await person.page.type("#find", "SECOND");
  await person.page.keyboard.press("Enter");
  check(await person.shows("#found", "second"), "lines are found");
}

async function keep(person) {
  await person.choose("main");
  await person.sees("from the agent");
  const files = mkdtempSync(path.join(state, "kept-"));
  const client = await person.page.createCDPSession();
  await client.send("Browser.setDownloadBehavior", {behavior: "allow", downloadPath: files, eventsEnabled: true});
  for (const [button, name, begins] of [["#picture", "main.png", "\u0089PNG"], ["#recording", "main.cast", '{"version":2'],
                                        ["#text", "main.txt", "$ "]]) {
    const done = new Promise((kept) => client.on("Browser.downloadProgress", (event) => event.state === "completed" && kept()));
    await person.click(button);
    await done;
    check(readFileSync(path.join(files, name), "latin1").startsWith(begins), `${name} is a file to keep`);
  }
}

async function main() {
  const agent = new Agent(program, env);
  await agent.start();
  await agent.call("term_open", {name: "main", argv: ["bash", "--norc"], env: {PS1: "$ "}});
  await agent.call("term_run", {session: "main", command: "echo from the agent"});
  await agent.call("term_open", {name: "pass", argv: ["bash", "-c", "read -sp 'Password: ' p; echo; echo got ${#p}; cat"]});
  await agent.call("term_open", {name: "past", argv: ["sh", "-c", "echo first; read x; sleep 0.2; clear; echo second; cat"]});
  const {server, link} = await startPage(program, env);
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
