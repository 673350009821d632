// Each scene of the page in four widths and both themes: nothing is cut off,
// covered, nameless or hard to read. With FOLDER, also as pictures, for people
// to look at.
//
//     node pictures.cjs BUILD [FOLDER [SCENE...]]
"use strict";
const {mkdirSync} = require("node:fs");
const path = require("node:path");
const {check} = require("./agent.cjs");
const {faultsOf} = require("./facts.cjs");
const {inWorld, run} = require("./person.cjs");

const [build, folder, ...wanted] = process.argv.slice(2);
const SIZES = [[1440, 900], [1366, 768], [1024, 768], [390, 780]];
const SHELL = {argv: ["bash", "--norc"], env: {PS1: "\\[\\e[32m\\]\\w\\[\\e[m\\] $ "}, cwd: "/usr/share"};

// No call outlasts its client's patience, so it is made again.
async function keepAsking(agent) {
  for (;;) await agent.call("term_wait", {session: "ask", until: {person: "gone"}, ask: "log in to the registry, please", timeout_s: 30});
}

async function openSessions(agent, person) {
  const open = (name, args) => agent.call("term_open", {name, ...args});
  await open("main", {...SHELL, watch: {colours: {regex: "^a red"}}});
  for (const command of ["ls --color=always /usr", "grep --color=always -rn root /etc/passwd", "false", "sleep 1; seq 1 60",
                         "printf 'a \\e[31mred\\e[m, a \\e[34mblue\\e[m and a \\e[97mwhite\\e[m word\\n'"]) {
    await agent.call("term_run", {session: "main", command});
  }
  await open("build", SHELL);
  await agent.call("term_send", {session: "build", input: "for i in $(seq 1 400); do echo \"[$i/400] compiling part $i\"; sleep 1; done\n"});
  await open("deploy", {argv: ["bash", "-c", "echo 'Connecting to db ...'; read -sp 'Passphrase of the key: ' p; exec cat"]});
  await open("ask", SHELL);
  keepAsking(agent);
  await open("editor", {argv: ["vim", "--clean", "-n", "/etc/services"]});
  await open("monitor", {argv: ["htop"]});
  await open("failed", {argv: ["sh", "-c", "echo 'error: no such table'; exit 3"], until: {state: "exited"}});
  await open("question", {argv: ["bash", "-c", "read -p 'Overwrite the file? [y/N] ' x; exec cat"]});
  for (const name of ["logs", "web", "db", "notes"]) {
    await open(name, SHELL);
    await agent.call("term_run", {session: name, command: `ls -l --color=always /etc | head -${20 + name.length}`});
  }
  await open("old", {argv: ["sh", "-c", "echo done"], until: {state: "exited"}});
  await agent.call("term_close", {session: "old"});
  await agent.call("term_read", {session: "main"});
  await agent.call("term_send", {session: "main", input: ["history<Enter>"]});
  await agent.call("term_send", {session: "main", input: "\n", until: {nonsense: true}});
  await person.choose("main");
  await person.take();
  await person.page.keyboard.type("ls /usr/local");
  await person.page.keyboard.press("Enter");
  await person.sees("sbin");
  await person.click("#give");
}

const press = (person, id, on) => person.page.evaluate((which, wanted) => {
  const button = document.getElementById(which);
  if (button && (button.getAttribute("aria-pressed") === "true") !== wanted) button.click();
}, id, on);

// Each shows its scene; `back` undoes what would disturb the others.
const SCENES = {
  overview: {show: async (person) => {
    await press(person, "overview", true);
    await person.comes(() => [...document.querySelectorAll("#grid canvas")].filter((one) => one.width > 300).length > 3);
  }, back: (person) => press(person, "overview", false)},
  session: {show: async (person) => {
    await person.choose("main");
    await person.sees("blue");
  }},
  past: {
    show: async (person) => {
      await person.choose("main");
      await person.page.$eval("#moment", (slider) => {
        slider.value = 0.8;
        slider.dispatchEvent(new Event("input"));
      });
    },
    back: (person) => person.page.evaluate(() => document.getElementById("live").click()),
  },
  commands: {
    show: async (person) => {
      await person.choose("main");
      await press(person, "show-commands", true);
      await person.click("#tab-commands");
    },
    back: (person) => press(person, "show-commands", false),
  },
  calls: {
    show: async (person) => {
      await person.choose("main");
      await press(person, "show-commands", true);
      await person.click("#tab-calls");
      await person.comes(() => document.querySelectorAll("#call-list li").length > 5);
    },
    back: (person) => press(person, "show-commands", false),
  },
  film: {
    // A phone has no room for files.
    least: 700,
    show: async (person) => {
      await person.choose("main");
      await person.page.evaluate(() => document.getElementById("movie").click());
    },
    back: (person) => person.page.evaluate(() => document.getElementById("film-no").click()),
  },
  trace: {
    show: async (person) => {
      await person.choose("main");
      check(await person.comes(() => [".by-person", ".person", ".call", ".event"].every((kind) => document.querySelector(`#strip ${kind}`))),
            "the time line shows a person beside the agent, and an event");
      const box = await person.page.$eval("#strip", (strip) => {
        const {left, top, width, height} = strip.getBoundingClientRect();
        return {left, top, width, height};
      });
      await person.page.mouse.move(box.left + box.width / 3, box.top + box.height / 2);
    },
    back: (person) => person.page.mouse.move(1, 1),
  },
  secret: {show: (person) => person.choose("deploy")},
  ask: {show: async (person) => {
    await person.choose("ask");
    check(await person.shows("#asked", "log in to the registry"), "the agent's request is shown");
  }},
  ended: {show: async (person) => {
    await person.page.evaluate(() => document.getElementById("ended").open = true);
    await person.choose("old");
  }},
  keys: {
    show: async (person) => {
      await person.choose("main");
      await person.page.evaluate(() => document.getElementById("take").click());
    },
    back: (person) => person.page.evaluate(() => document.getElementById("give").click()),
  },
};

// The page has drawn what was asked of it.
const isDrawn = (person) => person.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

async function take(person, scene) {
  if (wanted.length && !wanted.includes(scene)) return;
  const faults = new Set();
  for (const theme of ["dark", "light"]) {
    await press(person, "theme", theme === "light");
    for (const [width, height] of SIZES) {
      if (width < (SCENES[scene]?.least ?? 0)) continue;
      await person.page.setViewport({width, height});
      await person.page.evaluate(() => document.fonts.ready);
      await SCENES[scene]?.show(person);
      await isDrawn(person);
      for (const fault of await faultsOf(person.page, {isGone: scene === "gone"})) faults.add(`${width} ${theme}: ${fault}`);
      if (folder) {
        await new Promise((drawn) => setTimeout(drawn, 600));
        await person.page.screenshot({path: path.join(folder, `${scene}-${width}-${theme}.png`)});
      }
      await SCENES[scene]?.back?.(person);
    }
  }
  check(faults.size === 0, `${scene}: everything can be seen, read and named ${[...faults].join("; ")}`);
}

if (folder) mkdirSync(folder, {recursive: true});
run("pictures", () => inWorld(build, "pictures", async ({agent, person, server}) => {
  await person.shows("#nothing", "There is no session yet");
  await take(person, "empty");
  await openSessions(agent, person);
  for (const scene of Object.keys(SCENES)) await take(person, scene);
  server.kill();
  await person.shows("#notice", "Connection lost");
  await take(person, "gone");
  person.errors.length = 0;
}));
