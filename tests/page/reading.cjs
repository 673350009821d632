// Reading a terminal on the page, as in a terminal of one's own: it fits the
// window, scrolls back, and what is selected stays selected and is copied as it
// was printed.
//
//     node reading.cjs BUILD
"use strict";
const {check} = require("./agent.cjs");
const {inWorld, run} = require("./person.cjs");

const [build] = process.argv.slice(2);

const inView = (selector) => {
  const stage = document.getElementById("stage").getBoundingClientRect();
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box && box.top >= stage.top && box.bottom <= stage.bottom && box.left >= stage.left && box.right <= stage.right;
};

async function fits(agent, person) {
  await agent.call("term_open", {name: "tall", argv: ["sh", "-c", "seq 1 39; printf 'the prompt> '; exec cat"]});
  check(await person.choose("tall") && await person.sees("the prompt>"), "a session of the usual size is shown");
  for (const [width, height] of [[1440, 900], [1366, 768], [1024, 768]]) {
    await person.page.setViewport({width, height});
    check(await person.comes(inView, "#rows > .row:last-child"), `its prompt is in view at ${width}x${height}`);
    check(await person.comes(inView, "#rows > .row:not(.old)"), "and so is its first row");
  }
  const px = () => person.page.$eval("#terminal", (one) => Number(one.dataset.px));
  const fitted = await px();
  for (let i = 0; i < 8; ++i) await person.click("#larger");
  check(await px() > fitted + 6, "the text can be made larger");
  check(await person.comes(inView, "#cursor"), "then the cursor is followed");
  check(await person.comes(() => document.getElementById("stage").classList.contains("more-above")),
        "and the page shows that there is more");
  await person.page.reload();
  check(await person.comes((least) => document.getElementById("terminal").dataset.px > least, fitted + 6),
        "the size of the text is kept when the page is loaded again");
  await person.click("#fit");
  check(await px() === fitted, "and the screen fits again");
}

const topText = () => {
  const stage = document.getElementById("stage").getBoundingClientRect();
  const row = [...document.querySelectorAll("#rows > .row")].find((one) => one.getBoundingClientRect().top >= stage.top - 1);
  return row?.textContent ?? "";
};

async function scrollsBack(agent, person) {
  await agent.call("term_open", {name: "long", argv: ["sh", "-c", "seq -f 'line %g' 1 3000; exec cat"],
                                 until: {text: "line 3000"}});
  await person.choose("long");
  check(await person.sees("line 3000"), "the end of a long output is shown");
  await person.page.$eval("#stage", (stage) => stage.scrollTop = 0);
  check(await person.comes(() => document.querySelector("#rows > .row")?.textContent === "line 1"), "its first line can be scrolled to");
  await person.page.$eval("#stage", (stage) => stage.scrollTop = stage.scrollHeight / 2);
  check(await person.comes(() => {
    const stage = document.getElementById("stage").getBoundingClientRect();
    return [...document.querySelectorAll("#rows > .row")].some((row) => {
      const top = row.getBoundingClientRect().top;
      return top > stage.top && top < stage.top + 100 && /^line 1[45]\d\d$/.test(row.textContent);
    });
  }), "and the middle of it");
  const before = await person.page.evaluate(topText);
  await agent.call("term_send", {session: "long", input: "more\nand more\n"});
  check(await person.comes(() => [...document.querySelectorAll("#rows > .row:not(.old)")].some((row) => row.textContent === "and more")),
        "output goes on");
  check(await person.page.evaluate(topText) === before, "and what is read stays where it is");
  await person.page.reload();
  check(await person.shows("#name", "long"), "the chosen session is kept when the page is loaded again");
  check(await person.comes(`(${topText})() === ${JSON.stringify(before)}`), "and so is the place in it");
  await person.click("#latest");
  check(await person.comes(inView, "#rows > .row:last-child"), "a button leads back to the end");
}

async function drawsWhatLeft(agent, person) {
  const script = "stty -echo; seq 1 300; printf unfinished; read x; printf ' but ended\\n'; seq 1 500; exec cat";
  await agent.call("term_open", {name: "burst", argv: ["sh", "-c", script], until: {text: "unfinished"}});
  check(await person.choose("burst") && await person.sees("unfinished"), "a line that has no end yet is shown");
  await person.page.$eval("#stage", (stage) => stage.scrollTop = 0);
  check(await person.comes(() => document.querySelector("#rows > .row")?.textContent === "1"), "the first line is read");
  await agent.call("term_send", {session: "burst", input: "\n"});
  check(await person.comes(() => [...document.querySelectorAll("#rows > .row")].some((row) => row.textContent === "unfinished but ended")),
        "meanwhile the line's end is drawn, although it left the screen at once");
}

async function findsAndGoes(person) {
  await person.page.type("#find", "line 1234");
  await person.page.keyboard.press("Enter");
  await person.click("#found button");
  check(await person.comes(inView, "#rows > .row.hit"), "a line that was found can be gone to");
  check(await person.page.$eval("#rows > .row.hit", (row) => row.textContent) === "line 1234", "and is marked");
  await person.page.$eval("#find", (field) => field.value = "");
  await person.page.type("#find", "nowhere");
  await person.page.keyboard.press("Enter");
  check(await person.shows("#notice", "nowhere"), "what was not found is said");
  await person.page.type("#find", "x");
  check(await person.comes(() => document.getElementById("notice").textContent === ""), "but not for ever");
  await person.page.$eval("#find", (field) => field.value = "");
  await person.page.$eval("#find", (field) => field.dispatchEvent(new Event("change")));
}

// Selects from the row that begins with `from` to the end of the one that begins with `to`.
const select = (from, to) => {
  const rows = [...document.querySelectorAll("#rows > .row")];
  const first = rows.findLast((row) => row.textContent.startsWith(from));
  const last = rows.findLast((row) => row.textContent.startsWith(to));
  const range = document.createRange();
  range.setStart(first, 0);
  range.setEnd(last, last.childNodes.length);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
};

async function copies(agent, browser, person) {
  await browser.defaultBrowserContext().overridePermissions(new URL(person.page.url()).origin,
                                                            ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
  const wide = "w".repeat(115) + " and on " + "x".repeat(30);
  await agent.call("term_open", {name: "copy", argv: ["bash", "--norc"], env: {PS1: "$ "}});
  await agent.call("term_run", {session: "copy", command: `echo 'first line'; echo '${wide}'; echo 'last line'`});
  await person.choose("copy");
  await person.sees("last line");
  await person.page.evaluate(select, "first line", "last line");
  await agent.call("term_run", {session: "copy", command: "for i in $(seq 1 60); do echo later $i; done"});
  check(await person.sees("later 60"), "output goes on below a selection");
  check(await person.page.evaluate(() => String(getSelection()).includes("first line")), "which stays");
  await person.click("#copy");
  const clipboard = () => person.page.evaluate(() => navigator.clipboard.readText());
  check(await clipboard() === `first line\n${wide}\nlast line`, "it is copied as it was printed: a wrapped line is one line");
  await agent.call("term_open", {name: "clock", argv: ["sh", "-c", "printf 'steady\\nticks'; while sleep 0.1; do printf '\\r%s' $(date +%N); done"]});
  await person.choose("clock");
  await person.sees("steady");
  await person.page.evaluate(select, "steady", "steady");
  const row = () => person.page.$$eval("#rows > .row", (rows) => rows[1].textContent);
  const then = await row();
  await person.comes((old) => document.querySelectorAll("#rows > .row")[1].textContent !== old, then);
  check(await person.page.evaluate(() => String(getSelection()).trim()) === "steady", "a selection stays beside rows that change");
  await person.choose("copy");
  check(await person.take(), "a person has the keyboard");
  await person.sees("later 60");
  await person.page.evaluate(select, "later 59", "later 60");
  await person.page.focus("#terminal");
  await person.chord("Control", "Shift", "C");
  check(await clipboard() === "later 59\nlater 60", "a key copies while the keyboard is taken");
  await person.page.keyboard.type("echo typed after it");
  check(await person.sees("$ echo typed after it"), "and typing goes on after a selection");
  await person.chord("Control", "c");
  await person.click("#give");
}

// Programs on the alternate screen have no lines above them.
async function alternates(agent, person) {
  await agent.call("term_open", {name: "alt", argv: ["sh", "-c",
    "seq -f 'above %g' 1 100; printf '\\033[?1049h\\033[Hfull screen'; read x; printf '\\033[?1049l'; echo back; exec cat"]});
  await person.choose("alt");
  check(await person.sees("full screen"), "a full-screen program is shown");
  check(await person.comes(() => document.getElementById("stage").scrollHeight <= document.getElementById("stage").clientHeight + 1),
        "without the lines before it");
  await agent.call("term_send", {session: "alt", input: "\n"});
  check(await person.sees("back") && await person.sees("above 100"), "and afterwards with them");
}

run("reading", () => inWorld(build, "reading", async ({agent, browser, person}) => {
  await fits(agent, person);
  await scrollsBack(agent, person);
  await findsAndGoes(person);
  await copies(agent, browser, person);
  await alternates(agent, person);
  await drawsWhatLeft(agent, person);
}));
