// The page without a pointer: everything can be reached and used by keys.
//
//     node keyboard.cjs BUILD
"use strict";
const {check} = require("./agent.cjs");
const {inWorld, run} = require("./person.cjs");

const [build] = process.argv.slice(2);
const MOST_STEPS = 60;

// Presses Tab until the focus is there.
async function tabTo(person, selector, backwards = false) {
  for (let i = 0; i < MOST_STEPS; ++i) {
    if (await person.page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return true;
    if (backwards) await person.chord("Shift", "Tab");
    else await person.page.keyboard.press("Tab");
  }
  return false;
}

// The ring around what has the focus is not cut off, nor as wide as nothing.
const ringIsSeen = (person) => person.page.evaluate(() => {
  const one = document.activeElement.id === "terminal" ? document.getElementById("stage") : document.activeElement;
  return getComputedStyle(one).outlineStyle !== "none" && parseFloat(getComputedStyle(one).outlineWidth) >= 1;
});

run("keyboard", () => inWorld(build, "keyboard", async ({agent, person}) => {
  const shell = {argv: ["bash", "--norc"], env: {PS1: "$ "}};
  await agent.call("term_open", {name: "one", ...shell});
  await agent.call("term_open", {name: "two", ...shell});
  await agent.call("term_run", {session: "one", command: "echo first; sleep 0.3"});
  await agent.call("term_run", {session: "one", command: "clear; echo second"});
  await person.choose("two");
  await person.page.evaluate(() => document.activeElement.blur());
  const {keyboard} = person.page;

  check(await tabTo(person, "#overview") && await ringIsSeen(person), "the overview can be reached");
  await keyboard.press("Enter");
  check(await tabTo(person, '#grid li[data-session] button'), "and a card in it");
  await person.comes(() => document.querySelectorAll("#grid li").length === 2);
  for (let i = 0; i < 2 && !await person.page.evaluate(() => document.activeElement.textContent.includes("one")); ++i) await keyboard.press("Tab");
  await keyboard.press("Enter");
  check(await person.shows("#name", "one"), "Enter opens its session");
  check(await person.page.evaluate(() => document.activeElement.id === "terminal") && await ringIsSeen(person), "and the terminal has the focus");

  await keyboard.press("Enter");
  check(await person.shows("#who", "you have the keyboard"), "Enter takes the keyboard");
  await keyboard.type("echo by hand");
  await keyboard.press("Enter");
  check(await person.seesRow("by hand"), "what is typed reaches the program");
  await person.chord("Control", "Shift", "H");
  check(await person.comes(() => !document.body.classList.contains("mine")), "a chord hands it back");

  await person.page.focus("#take");
  check(await tabTo(person, "#show-commands", true), "the log can be reached");
  await keyboard.press("Enter");
  check(await tabTo(person, "#command-list .go"), "and a command in it");
  await keyboard.press("Enter");
  check(await person.comes(() => document.querySelector(".row.hit") || document.body.classList.contains("past")), "Enter leads to its output");

  check(await tabTo(person, "#moment"), "the time line can be reached");
  for (let i = 0; i < 3; ++i) await keyboard.press("PageDown");
  check(await person.page.$eval("body", (body) => body.classList.contains("past")), "keys move along it");
  check(await tabTo(person, "#live"), "and the way back can be reached");
  await keyboard.press("Enter");
  check(await person.comes(() => !document.body.classList.contains("past")), "which leads to the present");

  check(await tabTo(person, "#movie"), "a film can be kept");
  await keyboard.press("Enter");
  check(await tabTo(person, "#film-no", true), "its stretch is a form");
  await keyboard.press("Enter");
  check(await person.comes(() => !document.getElementById("film").checkVisibility()), "which can be left");
  check(await tabTo(person, "#theme", true), "and so can the theme be chosen");
}));
