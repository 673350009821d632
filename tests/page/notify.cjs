// Notifications of the browser: only for those who have asked for them, only
// while they look elsewhere, and only of what is new.
//
//     node notify.cjs BUILD
"use strict";
const {check} = require("./agent.cjs");
const {inWorld, run} = require("./person.cjs");

const [build] = process.argv.slice(2);

// Stands for the browser's own notifications, which nobody sees here.
function standIn() {
  window.told = [];
  window.asked = 0;
  window.focused = true;
  document.hasFocus = () => window.focused;
  window.Notification = class {
    static permission = localStorage.getItem("granted") ? "granted" : "default";
    static async requestPermission() {
      ++window.asked;
      localStorage.setItem("granted", "1");
      return window.Notification.permission = "granted";
    }
    constructor(title, {body, tag}) {
      window.told.push({title: title.endsWith("question") ? `${title}: ${body}` : title, tag, open: () => this.onclick()});
    }
    close() {}
  };
}

const told = (person) => person.page.evaluate(() => window.told.map((one) => one.title));
const comes = (person, title) => person.comes((wanted) => window.told.some((one) => one.title === wanted), title);
const look = (person, here) => person.page.evaluate((value) => window.focused = value, here);
// The page has heard of what came before.
async function heard(agent, person, name) {
  await agent.call("term_open", {name, argv: ["cat"]});
  await person.comes((wanted) => [...document.querySelectorAll("nav .name")].some((one) => one.textContent === wanted), name);
}

run("notify", () => inWorld(build, "notify", async ({agent, person}) => {
  await person.page.evaluateOnNewDocument(standIn);
  await person.page.reload();
  const ask = (name) => agent.call("term_open", {name, argv: ["bash", "-c", "read -sp 'Password: ' p; exec cat"]});
  await agent.call("term_open", {name: "first", argv: ["bash", "--norc"], env: {PS1: "$ "}});
  await person.choose("first");
  await look(person, false);
  await ask("early");
  await heard(agent, person, "before");
  check((await told(person)).length === 0 && await person.page.evaluate(() => window.asked) === 0, "nobody is asked or told anything unless they want it");
  await look(person, true);
  await person.click("#notify");
  check(await person.comes(() => window.asked === 1 && document.getElementById("notify").getAttribute("aria-pressed") === "true"),
        "the button asks the browser for permission");
  await ask("seen");
  await heard(agent, person, "between");
  check((await told(person)).length === 0, "who looks at the page is not told");
  await look(person, false);
  await ask("pass");
  check(await comes(person, "pass asks for a secret"), "who looks elsewhere is told of a secret");
  await agent.call("term_open", {name: "copy", argv: ["bash", "-c", "read -p 'Overwrite a? [y/N] ' x; read -p 'Overwrite b? [y/N] ' x; exec cat"]});
  check(await comes(person, "copy asks a question: Overwrite a? [y/N]"), "of a question of a program");
  await agent.call("term_send", {session: "copy", input: "y\n"});
  check(await comes(person, "copy asks a question: Overwrite b? [y/N]"), "and of its next one");
  await agent.call("term_open", {name: "broken", argv: ["sh", "-c", "sleep 1.5; exit 3"]});
  check(await comes(person, "broken has failed"), "of a program that has failed");
  agent.call("term_wait", {session: "first", until: {person: "gone"}, ask: "log in, please", timeout_s: 100});
  check(await comes(person, "first asks you something"), "and of a question of the agent");
  check(!(await told(person)).some((title) => title.startsWith("early") || title.startsWith("seen")), "but not of what was so before");
  await person.page.evaluate(() => window.told.find((one) => one.title.startsWith("pass")).open());
  check(await person.shows("#name", "pass"), "a click on it leads to the session");
  await person.page.reload();
  check(await person.page.$eval("#notify", (button) => button.getAttribute("aria-pressed")) === "true", "the choice is kept");
  await person.click("#notify");
  await look(person, false);
  const before = (await told(person)).length;
  await ask("late");
  await heard(agent, person, "after");
  check((await told(person)).length === before, "and can be taken back");
}));
