// Tests how the page looks and behaves around the terminal: colours that can be
// read, the list of sessions, earlier moments, the secret's field, narrow
// windows, keyboards and screen readers.
//
//     node looks.cjs BUILD
"use strict";
const {check} = require("./agent.cjs");
const {inWorld, run} = require("./person.cjs");

const [build] = process.argv.slice(2);

async function empty(person) {
  check(await person.comes(() => document.body.classList.contains("empty")), "a page without sessions is empty");
  const dead = await person.page.$$eval("main button, main input, .find input",
                                        (all) => all.filter((one) => one.checkVisibility()).map((one) => one.id));
  check(dead.length === 0, `and has no button that does nothing ${dead}`);
  check(await person.shows("#nothing", "There is no session yet"), "it says what to do");
}

// The contrast of each character with what is behind it (WCAG 2).
const worstContrast = () => {
  const parse = (css) => css.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((value) => value / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  let worst = [99, ""];
  for (const span of document.querySelectorAll("#rows span")) {
    if (!span.textContent.trim()) continue;
    let behind = span;
    while (parse(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
    const [low, high] = [getComputedStyle(span).color, getComputedStyle(behind).backgroundColor]
        .map((css) => light(parse(css))).sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < worst[0]) worst = [ratio, span.textContent];
  }
  return worst;
};

// Each of the sixteen colours on the terminal's own background and on each of
// them, plain, faint and reversed.
async function contrast(agent, person) {
  const script = `for b in '' $(seq 40 47) $(seq 100 107); do for f in $(seq 30 37) $(seq 90 97); do
    printf "\\033[$f;\${b:-49}mA$f\\033[2mB\\033[0m\\033[$f;\${b:-49};7mC\\033[0m"; done; echo; done; exec cat`;
  await agent.call("term_open", {name: "colours", argv: ["bash", "-c", script], rows: 30, cols: 100, until: {lines: 17}});
  await person.choose("colours");
  check(await person.sees("A107") || await person.sees("A97"), "a program shows the sixteen colours");
  for (const theme of ["dark", "light"]) {
    const isLight = await person.page.$eval("html", (root) => root.classList.contains("light"));
    if (isLight !== (theme === "light")) await person.click("#theme");
    const [ratio, text] = await person.page.evaluate(worstContrast);
    check(ratio >= 4.5, `in the ${theme} theme all of them can be read: ${ratio.toFixed(2)}:1 at worst ${text}`);
    const dim = await person.page.evaluate(() => {
      const parse = (css) => css.match(/[\d.]+/g).map(Number);
      const light = (css) => parse(css).slice(0, 3).map((value) => value / 255)
          .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
          .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
      return Math.min(...[["nav .about", "nav"], ["nav .word", "nav"], ["#size", "body"], ["#clock", "body"], ["summary", "nav"]]
          .filter(([text]) => document.querySelector(text)).map(([text, behind]) => {
            const [low, high] = [light(getComputedStyle(document.querySelector(text)).color),
                                 light(getComputedStyle(document.querySelector(behind)).backgroundColor)].sort((a, b) => a - b);
            return (high + 0.05) / (low + 0.05);
          }));
    });
    check(dim >= 4.5, `and so can the page's own words: ${dim.toFixed(2)}:1`);
  }
  await person.page.reload();
  check(await person.comes(() => document.documentElement.classList.contains("light")), "the theme is kept when the page is loaded again");
  check(await person.shows("#name", "colours"), "and the session");
  await person.click("#theme");
}

async function lists(agent, person) {
  await agent.call("term_open", {name: "work", argv: ["bash", "--norc"], env: {PS1: "$ "}, cwd: "/usr/share"});
  await agent.call("term_send", {session: "work", input: "sleep 1234\n", until: {state: "busy"}});
  await agent.call("term_open", {name: "gone", argv: ["sh", "-c", "echo bye; exit 3"], until: {state: "exited"}});
  await agent.call("term_close", {session: "gone"});
  await agent.call("term_open", {name: "asking", argv: ["bash", "-c", "read -sp 'Password: ' p; exec cat"]});
  const entry = (name) => person.page.$$eval("nav button", (all, wanted) =>
    all.find((one) => one.querySelector(".name").textContent === wanted)?.textContent ?? "", name);
  check(await person.comes(() => [...document.querySelectorAll("#list .about")].some((one) => /sleep 1234 · \/usr\/share · \d+s/.test(one.textContent))),
        "a live session is listed with its program, directory and age");
  check(await person.comes(() => document.querySelector("#list button .name")?.textContent === "asking"), "one that needs somebody comes first");
  await person.choose("gone");
  await person.choose("work");
  check(await person.comes(() => document.querySelectorAll("#ended-list button").length === 1),
        `ended ones are listed separately ${await person.page.$eval("nav", (nav) => nav.textContent)}`);
  check(await person.page.$eval("#ended", (one) => !one.open), "and are folded");
  await person.click("#ended summary");
  const text = await entry("gone");
  check(/exit 3/.test(text) && /echo bye/.test(text) && /\d:\d\d/.test(text), `with command, status and time: ${text}`);
  await person.page.reload();
  check(await person.comes(() => document.getElementById("ended").open), "it stays unfolded when the page is loaded again");
}

async function secrets(agent, person) {
  await agent.call("term_open", {name: "slow", argv: ["bash", "-c",
    "read -p 'go? ' x; read -sp 'Password: ' p; echo; read -p 'next? ' y; read -sp 'Again: ' q; exec cat"]});
  await person.choose("slow");
  await person.sees("go?");
  await person.page.focus("#find");
  await person.page.keyboard.type("some");
  await agent.call("term_send", {session: "slow", input: "\n", until: {state: "secret"}});
  await person.page.waitForSelector("#secret.open");
  await person.page.keyboard.type("thing");
  check(await person.page.$eval("#find", (field) => field.value) === "something", "what is typed elsewhere stays there when a program asks for a secret");
  check(await person.page.$eval("#secret-text", (field) => field.value) === "", "none of it is in the secret's field");
  await person.page.type("#secret-text", "half");
  await agent.call("term_send", {session: "slow", input: "\n", until: {text: "next"}});
  check(await person.comes(() => !document.getElementById("secret").classList.contains("open")), "the field goes when nothing asks any more");
  await agent.call("term_send", {session: "slow", input: "\n", until: {state: "secret"}});
  await person.page.waitForSelector("#secret.open");
  check(await person.page.$eval("#secret-text", (field) => field.value) === "", "and is empty when the next question comes");
  await person.page.$eval("#find", (field) => field.value = "");
  await agent.call("term_open", {name: "two", argv: ["bash", "-c",
    "read -sp 'First: ' a; read -sp 'Second: ' b; echo; echo [$a][$b]; exec cat"], until: {state: "secret"}});
  await person.choose("two");
  await person.page.waitForSelector("#secret.open");
  await person.page.type("#secret-text", "half");
  await agent.call("term_send", {session: "two", input: [{secret: "x"}], until: {text: "Second"}});
  check(await person.comes(() => document.getElementById("secret-text").value === ""), "what was typed for one question is not left for the next");
  await person.page.type("#secret-text", "whole");
  await person.page.keyboard.press("Enter");
  check(await person.sees("[x][whole]"), "which gets its own answer");
}

async function moments(agent, person) {
  await agent.call("term_open", {name: "then", argv: ["sh", "-c", "echo before; read x; sleep 0.3; clear; echo after; exec cat"]});
  await person.choose("then");
  await person.sees("before");
  const clock = () => person.page.$eval("#clock", (one) => one.textContent);
  const first = await clock();
  check(await person.comes((old) => document.getElementById("clock").textContent !== old, first), "the clock runs");
  await agent.call("term_send", {session: "then", input: "\n"});
  await person.sees("after");
  const look = () => person.style("#stage", "borderTopColor");
  const present = await look();
  check(await person.looksBackTo("before"), "an earlier moment is shown");
  check(await look() !== present && await person.shows("#then", "as it was"), "and looks different");
  check(await person.page.$eval("#take", (one) => one.hidden), "nothing can be taken over there");
  await person.click("#live");
  check(await person.sees("after") && await look() === present, "the present looks as before");
  await person.take();
  await person.looksBackTo("before");
  await person.page.focus("#terminal");
  await person.page.keyboard.type("x");
  check(await person.shows("#notice", "nothing was typed"), "a key in the past leads back to the present");
  await person.page.keyboard.type("now");
  check(await person.seesRow("now"), "and only the next ones are typed");
  await person.click("#give");
}

async function narrow(agent, person) {
  await person.page.setViewport({width: 390, height: 780, hasTouch: true, isMobile: true});
  check(await person.comes(() => document.documentElement.scrollWidth <= innerWidth), "on a phone nothing is wider than the window");
  check(await person.page.$eval("nav", (nav) => !nav.checkVisibility()), "the list is a drawer");
  await person.click("#menu");
  check(await person.page.$eval("nav", (nav) => nav.checkVisibility()), "which opens");
  check(await person.page.$eval("#menu", (one) => one.getAttribute("aria-expanded")) === "true", "and says so");
  await person.choose("work");
  check(await person.page.$eval("nav", (nav) => !nav.checkVisibility()), "and closes when a session is chosen");
  await person.chord("Control", "c");
  await person.take();
  const pad = await person.page.$$eval("#pad button", (all) => all.map((one) => {
    const box = one.getBoundingClientRect();
    return one.checkVisibility() && box.height >= 44 && box.bottom <= innerHeight && box.right <= innerWidth && box.width >= 30;
  }));
  check(pad.length >= 8 && pad.every(Boolean), "the keys that phones lack are within reach");
  await person.click("#ctrl");
  await person.page.keyboard.type("c");
  check(await person.sees("^C"), "Ctrl applies to the next key");
  await person.page.keyboard.type("echo phon");
  await person.page.keyboard.type("e");
  await person.click("#pad [data-key=Enter]");
  check(await person.seesRow("phone"), "Enter is one of them");
  await person.click("#pad [data-key=Up]");
  check(await person.sees("$ echo phone"), "and so are the arrows");
  await person.click("#give");
  await person.choose("asking");
  await person.page.waitForSelector("#secret.open");
  check(await person.page.$eval("#secret-text", (field) => {
    const box = field.getBoundingClientRect();
    return box.height >= 44 && box.top > innerHeight / 2 && box.bottom <= innerHeight && box.right <= innerWidth;
  }), "the secret's field is within reach of a thumb");
  await person.page.setViewport({width: 1280, height: 860});
}

// Everything that can be done has a name, and can be reached by Tab.
async function names(person) {
  const nameless = await person.page.$$eval("button, input, textarea, [role=application]", (all) => all
      .filter((one) => !(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.length))
      .map((one) => one.outerHTML));
  check(nameless.length === 0, `everything has a name for screen readers ${nameless}`);
  await person.choose("then");
  await person.page.focus("#find");
  const reached = new Set();
  for (let i = 0; i < 40; ++i) {
    await person.page.keyboard.press("Tab");
    reached.add(await person.page.evaluate(() => document.activeElement.id || document.activeElement.className));
  }
  const wanted = ["theme", "smaller", "fit", "larger", "take", "terminal", "moment", "live", "text", "picture", "recording"];
  const missed = wanted.filter((id) => !reached.has(id));
  check(missed.length === 0, `everything can be reached by the keyboard ${missed}`);
  await person.page.focus("#list button");
  await person.page.keyboard.press("Enter");
  await person.page.focus("#terminal");
}

async function gone(person, server) {
  server.kill();
  check(await person.shows("#notice", "Connection lost"), "a server that has gone is noticed");
  check(await person.page.$eval("body", (body) => body.classList.contains("gone")), "and the page looks it");
}

run("looks", () => inWorld(build, "looks", async ({agent, person, server}) => {
  await empty(person);
  await contrast(agent, person);
  await lists(agent, person);
  await secrets(agent, person);
  await moments(agent, person);
  await narrow(agent, person);
  await names(person);
  person.errors.length = 0;
  await gone(person, server);
  person.errors.length = 0;
}));
