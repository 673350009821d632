// The extension in a real VS Code, as a person and an agent there use it.
//
//     node extension.cjs FOLDER [PICTURES]
//
// FOLDER has glasstty.vsix and probe.vsix. Each step leaves a picture in the
// folder PICTURES. `./dev vscode test` installs what this needs.
"use strict";
const {execFileSync} = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const {Workbench, check, filesWith, until} = require("./workbench.cjs");

const [folder, pictures] = process.argv.slice(2);
const SECRET = "correct horse 4711";
const SETTINGS = {
  "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off",
  // The rows of a terminal are elements of the page only without the graphics card.
  "terminal.integrated.gpuAcceleration": "off",
  "workbench.secondarySideBar.defaultVisibility": "hidden", "remote.autoForwardPorts": false,
};
const NOWHERE = "/nowhere/glasstty";

class Person {
  constructor(workbench) {
    this.workbench = workbench;
    this.page = workbench.page;
  }
  row(name) {
    return this.page.locator(".sidebar .monaco-list-row").filter({has: this.page.getByText(name, {exact: true})});
  }
  sees(name, text) {
    return this.row(name).filter({hasText: text}).waitFor().then(() => true, () => false);
  }
  // Badges of rows are no elements of their own.
  mark(name) {
    return this.row(name).locator(".monaco-icon-label").first().evaluate(
        (label) => getComputedStyle(label, "::after").content);
  }
  toast(text) {
    return this.page.locator(".notification-toast").filter({hasText: text});
  }
  terminal(text) {
    return this.page.locator(".xterm-rows").filter({hasText: text});
  }
  shows(locator) {
    return locator.first().waitFor().then(() => true, () => false);
  }
  async choose(name, item) {
    await this.row(name).click({button: "right"});
    // A menu ignores clicks that come right after it has opened.
    const entry = this.page.locator(".context-view .action-label").filter({hasText: item});
    await until(() => entry.click().then(() => entry.waitFor({state: "detached", timeout: 1000})).then(
        () => true, () => false), `the menu's ${item}`);
  }
  async picture(name) {
    if (!pictures) return;
    fs.mkdirSync(pictures, {recursive: true});
    await this.page.screenshot({path: path.join(pictures, `${name}.png`)});
  }
}

// Runs the program that came with the extension.
function glasstty(workbench, ...words) {
  return execFileSync(workbench.program, words, {env: workbench.env, encoding: "utf8"});
}

async function isTold(workbench, person) {
  check(await person.shows(person.toast(`names '${NOWHERE}', which is not a program`)), "a wrong path is reported");
  check(await person.shows(person.toast(NOWHERE).getByText("Open Settings")), "with the way to the setting");
  await person.page.getByRole("tab", {name: "glasstty"}).click();
  check(await person.shows(person.page.getByText("The glasstty program was not found")), "the view says so, too");
  await person.picture("1-missing");
  check((await workbench.probe.ask("servers")).length === 0, "and no server is offered");
}

async function isOffered(workbench, person) {
  await workbench.probe.ask("forget", {setting: "glasstty.path"});
  const [server] = await until(async () => {
    const servers = await workbench.probe.ask("servers");
    return servers.length > 0 && servers;
  }, "a server is offered");
  workbench.program = server.command;
  check(server.label === "glasstty" && server.command.startsWith(workbench.extensions),
        "the server in the extension is offered without configuration");
  check(await person.shows(person.page.getByText("There are no sessions")), "the view is there, without sessions");
  await person.toast(NOWHERE).getByRole("button", {name: /Clear|Close/}).first().click();
  const tools = await workbench.allow("tools");
  check(tools.length >= 9, `agents have its tools: ${tools.length}`);
  const reply = await workbench.call("term_run", {command: "pwd; echo in-$((40+2))"});
  check(reply.includes("in-42") && reply.includes(workbench.project), "they work, in the folder that is open");
  check(await person.sees("main", "agent"), "the view lists the session, and who uses it");
}

async function asksForSecret(workbench, person) {
  await workbench.call("term_open", {
    name: "login", command: "read -rs -p 'Password for db: ' x; echo; echo got ${#x}; cat"});
  check(await person.sees("login", "asks for a secret"), "a session that asks for a secret says so");
  const toast = person.toast("login asks for a secret: Password for db:");
  check(await person.shows(toast), "a notification asks for it, with the program's question");
  check(await until(() => person.mark("login").then((mark) => mark === '"!"'), "the badge"), "its row has a badge");
  const badge = person.page.locator(".activitybar .action-item").filter({has: person.page.getByLabel(/glasstty/)})
      .locator(".badge-content");
  check((await badge.innerText()) === "1", "and so has the view");
  await person.picture("2-secret");
  await toast.getByText("Type It...").click();
  const box = person.page.locator(".quick-input-widget input");
  await box.fill(SECRET);
  check((await box.getAttribute("type")) === "password", "what is typed into the box is masked");
  await person.picture("3-masked");
  await box.press("Enter");
  await until(() => glasstty(workbench, "tail", "login").includes(`got ${SECRET.length}`), "the program has the secret");
  check(await person.sees("login", "input"), "the program goes on with it");
  const held = filesWith(SECRET, workbench.state, workbench.profile, workbench.home);
  check(held.length === 0, `the secret is in no file ${held}`);
}

async function opensTerminal(workbench, person) {
  await workbench.call("term_run", {command: "echo seen-by-$((1+1))"});
  await person.row("main").click();
  check(await person.shows(person.terminal("seen-by-2")), "a click opens the session in a terminal");
  await person.picture("4-terminal");
  await person.choose("main", "Take Over");
  check(await person.sees("main", "you have the keyboard"), "the person takes over");
  const refused = await workbench.call("term_run", {session: "main", command: "echo torn"});
  check(refused.includes("a person has the keyboard"), "the agent's input is refused");
  await person.picture("5-taken");
  await person.choose("main", "Hand Back");
  check(await person.sees("main", "agent"), "the person hands back");
  const reply = await workbench.call("term_run", {session: "main", command: "echo and-on"});
  check(reply.includes("and-on"), "the agent goes on");
}

async function isAsked(workbench, person) {
  const waiting = workbench.call("term_wait", {
    session: "main", until: {person: "gone"}, ask: "look at the colours", timeout_s: 60});
  const toast = person.toast("The agent asks you in main: look at the colours");
  check(await person.shows(toast), "a notification says what an agent asks for");
  check(await person.sees("main", "asks: look at the colours"), "and so does the row");
  await person.picture("6-asked");
  await person.choose("main", "Take Over");
  check(await person.sees("main", "you have the keyboard"), "the person comes");
  await person.choose("main", "Hand Back");
  const told = await waiting;
  check(told.includes("handed back"), `the agent knows that the person has been there: ${told.split("\n")[0]}`);
}

async function lends(workbench, person) {
  const name = path.basename(workbench.project);
  await person.page.locator(".sidebar").getByRole("button", {name: "New Session to Lend"}).click();
  check(await person.sees(name, "you have the keyboard"), "a session of the person's own opens, named like the folder");
  await person.page.keyboard.type("x=lent-$((40+3)); echo $x\n");
  check(await person.shows(person.terminal("lent-43")), "the person works in it");
  await person.picture("7-lent");
  await person.choose(name, "Hand Back");
  check(await person.sees(name, "agent"), "and hands it over");
  const reply = await workbench.call("term_run", {session: name, command: "echo it is $x"});
  check(reply.includes("it is lent-43"), "the agent works on in it");
}

async function ends(workbench, person) {
  await person.choose("login", "End Session");
  await person.page.locator(".monaco-dialog-box .monaco-button").filter({hasText: "End It"}).click();
  await person.row("login").waitFor({state: "detached"});
  check(!glasstty(workbench, "ls").includes("login"), "a session is ended from its menu");
}

async function main() {
  const workbench = new Workbench(SETTINGS, {"glasstty.path": NOWHERE});
  workbench.install(path.join(folder, "glasstty.vsix"));
  workbench.install(path.join(folder, "probe.vsix"));
  const started = Date.now();
  let person;
  try {
    await workbench.start();
    person = new Person(workbench);
    for (const step of [isTold, isOffered, asksForSecret, opensTerminal, isAsked, lends, ends]) {
      await step(workbench, person);
    }
  } catch (error) {
    await person?.picture("failed");
    throw error;
  } finally {
    await workbench.stop();
    if (workbench.program) glasstty(workbench, "serve", "--stop");
  }
  workbench.remove();
  console.log(`all of it in ${Math.round((Date.now() - started) / 1000)} s`);
}

main().then(() => process.exit(0), (error) => {
  console.error(`vscode: ${error.stack}`);
  process.exit(1);
});
