// Tests that the page shows the calls of the agent, as a list beside the screen
// and as marks of the time line, and nothing of what it typed.
//
//     node calls.cjs BUILD
"use strict";
const {readdirSync, readFileSync, writeFileSync} = require("node:fs");
const path = require("node:path");
const {check} = require("./agent.cjs");
const {inWorld, run} = require("./person.cjs");

const [build] = process.argv.slice(2);
const SECRETS = {
  typed: "hunter2typed", notation: "hunter2notation", wrongKey: "hunter2key", step: "hunter2step", paste: "hunter2paste",
  inline: "hunter2inline", variable: "hunter2variable", file: "hunter2file", answer: "hunter2answer", environment: "hunter2env",
  content: "hunter2content", keys: "<lt><Space><lt><lt>",
};

const texts = (person) => person.page.$$eval("#call-list li", (all) => all.map((one) => one.textContent));

async function listsCalls(agent, person) {
  await agent.call("term_open", {name: "shell", argv: ["bash", "--norc"], env: {PS1: "$ "}, rows: 20});
  await agent.call("term_run", {session: "shell", command: "echo one; sleep 0.5"});
  await agent.call("term_run", {session: "shell", command: "sleep 0.3; clear; echo two; false"});
  await agent.call("term_send", {session: "shell", input: ["echo three<Enter>"], until: {text: "three"}});
  await agent.call("term_send", {session: "shell", input: ["x"], until: {no_such: 1}});
  await person.choose("shell");
  await person.click("#show-commands");
  await person.click("#tab-calls");
  check(await person.comes(() => document.querySelectorAll("#call-list li").length === 5), "the calls of an agent are listed");
  const lines = await texts(person);
  check(/open .*argv: \["bash","--norc"\]/.test(lines[0]), `with tool and arguments: ${lines[0]}`);
  check(/run echo one; sleep 0.5.*\[shell\]/.test(lines[1]), `and the first line of the reply: ${lines[1]}`);
  check(/send …<Enter>/.test(lines[3]), `what was typed is left out, except for keys: ${lines[3]}`);
  check(/refused/.test(lines[4]), `a call that was refused is marked: ${lines[4]}`);
  check(await person.page.$$eval("#strip .call", (all) => all.length) === 5, "each is a mark of the time line");
  const names = await person.page.$$eval("#call-list .go", (all) => all.map((one) => one.ariaLabel));
  check(names.every((name) => name.length > 5), "and has a name for screen readers");
}

async function jumps(person) {
  await person.page.evaluate(() => document.querySelectorAll("#call-list .go")[1].click());
  check(await person.page.$eval("body", (body) => body.classList.contains("past")), "a click on a call leads to its moment");
  check(await person.seesRow("one") && !/^two$/m.test(await person.rows()), "at which its reply was given");
  await person.click("#live");
  await person.page.reload();
  check(await person.comes(() => document.querySelectorAll("#call-list li").length === 5 && document.getElementById("pane-calls").checkVisibility()),
        "the list stays open when the page is loaded again");
}

// Each way to type something, and each way to fail while typing it.
async function hidesSecrets(agent, person, state) {
  const file = path.join(state, "secret-file");
  writeFileSync(file, SECRETS.file + "\n");
  await agent.call("term_open", {name: "vault", argv: ["bash", "--norc"], env: {PS1: "$ ", TOKEN: SECRETS.environment}});
  const ask = "read -sp 'Password: ' p; echo";
  const into = async (input) => {
    await agent.call("term_send", {session: "vault", input: [`${ask}<Enter>`], until: {state: "secret"}});
    await agent.call("term_send", {session: "vault", input, until: {state: "prompt"}});
  };
  await into(`${SECRETS.typed}\n`);
  await into([`${SECRETS.notation}<Enter>`]);
  await into([{text: SECRETS.step}, "<Enter>"]);
  await into([`${SECRETS.keys}<Enter>`]);
  await into([{paste: SECRETS.paste}, "<Enter>"]);
  await into([{secret: SECRETS.inline}]);
  await into([{secret_env: "VAULT_SECRET"}]);
  await into([{secret_file: file}]);
  await agent.call("term_run", {session: "vault", command: ask, answers: [{when: {text: "Password"}, input: [`${SECRETS.answer}<Enter>`]}]});
  await agent.call("term_run", {session: "vault", command: ask, input: [{secret: SECRETS.inline}]});
  await agent.call("term_send", {session: "vault", input: [`<${SECRETS.wrongKey}>`]});
  await agent.call("term_send", {session: "vault", input: [{secret: SECRETS.inline, forse: true}]});
  await agent.call("term_send", {session: "vault", input: SECRETS.typed, until: {state: "no such"}, timeout_s: "x"});
  await agent.call("term_write_file", {session: "vault", path: path.join(state, "out"), content: SECRETS.content});
  await person.choose("vault");
  check(await person.comes(() => document.querySelectorAll("#call-list li").length > 12), "the calls with secrets are listed");
  const shown = await person.page.evaluate(() => ["log", "strip"].map((id) => {
    const copy = document.getElementById(id);
    return copy.textContent + [...copy.querySelectorAll("*")].map((one) => `${one.title} ${one.ariaLabel}`).join(" ");
  }).join(" "));
  const isKept = (name) => readdirSync(state, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile() && /^calls/.test(entry.name))
      .some((entry) => readFileSync(path.join(entry.parentPath ?? entry.path, entry.name)).includes(SECRETS[name]));
  for (const name of Object.keys(SECRETS)) {
    check(!shown.includes(SECRETS[name]) && !isKept(name), `a secret (${name}) is neither shown nor kept`);
  }
}

run("calls", () => {
  process.env.VAULT_SECRET = SECRETS.variable;
  return inWorld(build, "calls", async ({agent, person, state}) => {
    await listsCalls(agent, person);
    await jumps(person);
    await hidesSecrets(agent, person, state);
  });
});
