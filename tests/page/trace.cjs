// The time line as a trace: the commands of a session with their status, a look
// at any moment, and from command to command.
//
//     node trace.cjs BUILD
"use strict";
const {check} = require("./agent.cjs");
const {inWorld, run} = require("./person.cjs");

const [build] = process.argv.slice(2);

async function listsCommands(agent, person) {
  await agent.call("term_open", {name: "shell", argv: ["bash", "--norc"], env: {PS1: "$ "}, rows: 20});
  await agent.call("term_run", {session: "shell", command: "echo one; sleep 0.3"});
  await agent.call("term_run", {session: "shell", command: "seq 1 100; sleep 0.3; false"});
  await agent.call("term_run", {session: "shell", command: "sleep 0.4; clear; echo three"});
  await person.choose("shell");
  await person.click("#show-commands");
  check(await person.comes(() => document.querySelectorAll("#command-list li").length === 3), "the commands are listed");
  const names = await person.page.$$eval("#command-list .go", (all) => all.map((one) => one.ariaLabel));
  check(/echo one; sleep 0.3, exit 0/.test(names[0]) && /false, exit 1/.test(names[1]), `with their status ${names}`);
  check(await person.comes(() => document.querySelectorAll("#strip .command").length === 3), "and are blocks of the time line");
  check(await person.page.$$eval("#strip .bad", (all) => all.length) === 1, "in which a failure stands out");
}

async function jumps(person) {
  await person.page.evaluate(() => document.querySelectorAll("#command-list .go")[1].click());
  check(await person.comes(() => document.querySelector("#rows > .row.hit")?.textContent === "1"), "a click on a command leads to its output");
  await person.click("#latest");
}

async function copies(browser, person) {
  await browser.defaultBrowserContext().overridePermissions(new URL(person.page.url()).origin,
                                                            ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
  await person.page.evaluate(() => document.querySelectorAll("#command-list .copy-output")[1].click());
  check(await person.shows("#notice", "copied"), "the output of a command can be copied");
  const text = await person.page.evaluate(() => navigator.clipboard.readText());
  const wanted = [...Array(100).keys()].map((i) => `${i + 1}\n`).join("");
  check(text === wanted, "without the prompt and the command");
}

async function steps(person) {
  await person.click("#previous");
  check(await person.page.$eval("body", (body) => body.classList.contains("past")), "a button goes back by a command");
  check(await person.sees("100") && !/^three$/m.test(await person.rows()), "to the screen when it began");
  await person.click("#previous");
  check(await person.comes(() => ![...document.querySelectorAll("#rows > .row:not(.old)")].some((row) => row.textContent === "100")), "and by another");
  await person.click("#following");
  check(await person.sees("100"), "another button goes on");
  await person.click("#live");
  check(await person.sees("three"), "to the present");
}

async function peeks(person) {
  const box = await person.page.$eval("#strip", (strip) => {
    const {left, top, width, height} = strip.getBoundingClientRect();
    return {left, top, width, height};
  });
  await person.page.mouse.move(box.left + box.width * 0.5, box.top + box.height / 2);
  check(await person.comes(() => {
    const canvas = document.getElementById("peek-screen");
    return canvas.checkVisibility() && canvas.width > 300;
  }), "the pointer shows the screen at a moment");
  check(/^three$/m.test(await person.rows()), "while the screen stays");
  const corner = () => person.page.$eval("#peek-screen", (canvas) => canvas.getContext("2d").getImageData(0, canvas.height - 1, 1, 1).data[0]);
  const before = await corner();
  await person.page.evaluate(() => document.getElementById("theme").click());
  check(Math.abs(await corner() - before) > 100, "it follows the theme");
  await person.page.evaluate(() => document.getElementById("theme").click());
  await person.page.mouse.click(box.left + 1, box.top + box.height / 2);
  check(await person.page.$eval("body", (body) => body.classList.contains("past")), "a click goes there");
  await person.click("#live");
}

// Idle time is cut: an hour's pause would take an hour otherwise.
async function plays(agent, person) {
  await agent.call("term_open", {name: "pauses", argv: ["sh", "-c", "echo first; sleep 4; clear; echo second; exec cat"], until: {text: "second"}});
  await person.choose("pauses");
  await person.sees("second");
  check(await person.looksBackTo("first"), "an earlier moment is shown");
  const length = await person.page.$eval("#moment", (slider) => Number(slider.max));
  check(length < 3.5, `the time line draws a pause of four seconds short (${length.toFixed(1)})`);
  const began = Date.now();
  await person.click("#play");
  check(await person.sees("second"), "it can be played from there");
  check(Date.now() - began < 3500, `without its pauses (${Date.now() - began} ms)`);
  check(await person.comes(() => !document.body.classList.contains("past")), "up to the present");
}

async function marks(agent, person) {
  await agent.call("term_open", {name: "marks", argv: ["sh", "-c", "read x; exec cat"], record: true});
  await agent.call("term_send", {session: "marks", input: "typed text\n", until: {text: "typed text"}});
  await person.choose("marks");
  check(await person.comes(() => document.querySelector("#strip .typed")?.title.includes("typed text")), "what was typed is a mark, if it was recorded");
  check(await person.comes(() => /^the agent typed: /.test(document.querySelector("#strip .typed")?.title)), "with who typed it");
  await person.take();
  await person.click("#give");
  check(await person.comes(() => document.querySelector("#strip .person")), "and so is a person's turn");
  await person.page.reload();
  check(await person.comes(() => document.querySelectorAll("#strip .person").length === 1), "also after a reload");
  await person.choose("shell");
  await person.choose("marks");
  check(await person.comes(() => document.querySelectorAll("#strip .person").length === 1), "or when the session is chosen again");
}

const typed = (who) => [...document.querySelectorAll("#strip .typed")].filter((one) => one.title === who).length;

async function marksWithoutTexts(agent, person) {
  await agent.call("term_open", {name: "plain", argv: ["bash", "-c", "cat"]});
  await agent.call("term_send", {session: "plain", input: "a\n", until: {text: "a"}});
  await person.choose("plain");
  check(await person.comes(`(${typed})("the agent typed") === 1`), "that the agent typed is a mark without a recording, too");
  await person.take();
  await person.page.keyboard.type("by hand");
  await person.page.keyboard.press("Enter");
  check(await person.sees("by hand") && await person.comes(`(${typed})("a person typed") >= 1`), "and that a person did");
  await person.click("#give");
  await agent.call("term_open", {name: "hidden", argv: ["bash", "-c", "read -sp 'Password: ' p; echo; exec cat"]});
  await person.choose("hidden");
  await person.page.waitForSelector("#secret.open");
  await person.page.type("#secret-text", "geheim");
  await person.page.keyboard.press("Enter");
  check(await person.comes(() => document.querySelector("#strip .person")), "typing a secret is a person's turn");
  const told = await person.page.$$eval("#strip .typed", (all) => all.map((one) => one.title).join());
  check(told === "", `of which nothing is told ${told}`);
}

async function marksEvents(agent, person) {
  await agent.call("term_open", {name: "watched", argv: ["sh", "-c", "echo begin; sleep 1; echo error: it burns; sleep 1; echo BOOM; exec cat"],
                                 watch: {boom: {regex: "BOOM"}}, until: {text: "BOOM"}});
  await person.choose("watched");
  for (const title of ["error: error: it burns", "boom: BOOM"]) {
    check(await person.comes((wanted) => [...document.querySelectorAll("#strip .event")].some((one) => one.title.includes(wanted)), title),
          `an event is a mark: ${title}`);
  }
  const place = await person.page.$$eval("#strip .event", (all) => {
    const {left, top, width, height} = all.find((one) => one.title.startsWith("error")).getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });
  await person.page.mouse.move(...place);
  check(await person.shows("#peek-text", "it burns"), "the pointer shows what it was");
  await person.page.mouse.click(...place);
  check(await person.page.$eval("body", (body) => body.classList.contains("past")) && await person.sees("it burns"), "a click goes to its moment");
  check(!/BOOM/.test(await person.rows()), "when later ones had not come");
  await person.click("#live");
}

run("trace", () => inWorld(build, "trace", async ({agent, browser, person}) => {
  await listsCommands(agent, person);
  await jumps(person);
  await copies(browser, person);
  await steps(person);
  await peeks(person);
  await plays(agent, person);
  await marks(agent, person);
  await marksWithoutTexts(agent, person);
  await marksEvents(agent, person);
}));
