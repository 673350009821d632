// The overview: a live thumbnail of every session, those that need somebody
// first. However fast many sessions print, the page stays fluent.
//
//     node overview.cjs BUILD
"use strict";
const {check} = require("./agent.cjs");
const {inWorld, run} = require("./person.cjs");

const [build] = process.argv.slice(2);

// Counts the pixels that differ from the first one: the ink of a thumbnail.
const inkOf = (name) => {
  const card = [...document.querySelectorAll("#grid li")].find((one) => one.querySelector(".title").textContent === name);
  const canvas = card?.querySelector("canvas");
  const context = canvas?.getContext("2d");
  if (!context || !canvas.width) return 0;
  const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
  let ink = 0;
  for (let i = 0; i < data.length; i += 4) ink += data[i] !== data[0] || data[i + 1] !== data[1];
  return ink;
};
// The height of the text in a thumbnail of one line.
const heightOf = (name) => {
  const canvas = [...document.querySelectorAll("#grid li")].find((one) => one.querySelector(".title").textContent === name).querySelector("canvas");
  const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let [first, last] = [Infinity, -1];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] === data[0] && data[i + 1] === data[1]) continue;
    const y = Math.floor(i / 4 / canvas.width);
    [first, last] = [Math.min(first, y), Math.max(last, y)];
  }
  return last - first + 1;
};
const badge = (name) => [...document.querySelectorAll("#grid li")]
    .find((one) => one.querySelector(".title").textContent === name)?.querySelector(".badge").textContent;
const says = (name, word) => [...document.querySelectorAll("#grid li")].some((one) =>
  one.querySelector(".title").textContent === name && one.querySelector(".badge").textContent.includes(word));

async function badges(agent, person) {
  const shell = {argv: ["bash", "--norc"], env: {PS1: "$ "}};
  await agent.call("term_open", {name: "prompt", ...shell});
  await agent.call("term_run", {session: "prompt", command: "true"});
  await agent.call("term_open", {name: "busy", ...shell});
  await agent.call("term_send", {session: "busy", input: "sleep 1000\n", until: {state: "busy"}});
  await agent.call("term_open", {name: "input", argv: ["sh", "-c", "echo some text; exec cat"]});
  await agent.call("term_open", {name: "question", argv: ["bash", "-c", "read -p 'Overwrite? [y/N] ' x; exec cat"]});
  await agent.call("term_open", {name: "dialog", argv: ["whiptail", "--yesno", "Shall it go on?", "8", "40"]});
  await agent.call("term_open", {name: "secret", argv: ["bash", "-c", "read -sp 'Password: ' p; exec cat"]});
  await agent.call("term_open", {name: "failed", argv: ["sh", "-c", "echo it broke; exit 3"], until: {state: "exited"}});
  await agent.call("term_open", {name: "person", ...shell});
  await person.choose("person");
  await person.take();
  await person.click("#overview");
  for (const [name, word] of [["busy", "busy"], ["prompt", "prompt"], ["input", "input"], ["secret", "secret"],
                              ["question", "? asks"], ["dialog", "? asks"], ["person", "person"], ["failed", "exit 3"]]) {
    check(await person.comes(`(${inkOf})(${JSON.stringify(name)}) > 0`), `${name} has a thumbnail`);
    const shown = await person.comes(`(${says})(${JSON.stringify(name)}, ${JSON.stringify(word)})`);
    check(shown, `and a badge: ${await person.page.evaluate(badge, name)}`);
  }
  const height = await person.page.evaluate(heightOf, "failed");
  check(height > 8, `of a screen with little text, only that part is shown, larger (${height} pixels)`);
  const order = () => person.page.$$eval("#grid .title", (all) => all.map((one) => one.textContent));
  check(/^(dialog|question|secret),(dialog|question|secret),(dialog|question|secret),failed,/.test(`${await order()}`),
        `what waits for an answer comes first, then what has failed (${await order()})`);
  check(await person.page.title() === "(4) glasstty", `their number is in the title (${await person.page.title()})`);
  check((await person.page.$$eval("#grid .facts", (all) => all.map((one) => one.textContent).join())).includes('"Shall it go on?"'),
        "with what is asked");
  check(await person.page.$$eval("#grid button", (all) => all.every((one) => one.textContent.trim())), "each has a name for screen readers");
}

async function seesFailed(agent, person) {
  await person.choose("failed");
  check(await person.comes(() => document.title.startsWith("(3)")), "who has looked at a failed session has seen it");
  check(await person.page.$$eval("#list .name", (all) => all.map((one) => one.textContent)).then((all) => all[3]) === "failed",
        "which stays where it is meanwhile");
  await person.choose("prompt");
  check(await person.comes(() => ![...document.querySelectorAll("#list .name")].some((one) => one.textContent === "failed")),
        "and is among those that have ended afterwards");
  await person.page.reload();
  check(await person.comes(() => document.title.startsWith("(3)")), "also after a reload");
  await agent.call("term_send", {session: "question", input: "y\n"});
  check(await person.comes(() => document.title.startsWith("(2)")), "and an answer ends a question");
  await agent.call("term_close", {session: "failed"});
  await person.choose("failed");
  check(await person.sees("it broke"), "one that is closed meanwhile can still be shown");
  await person.click("#overview");
}

async function isLive(agent, person) {
  const before = await person.page.evaluate(inkOf, "prompt");
  await agent.call("term_run", {session: "prompt", command: "seq 1 30"});
  check(await person.comes(`(${inkOf})("prompt") > ${before + 50}`), "a thumbnail follows its session");
  await person.page.reload();
  check(await person.comes(() => document.body.classList.contains("overview")), "the overview is kept when the page is loaded again");
  check(await person.comes(`(${inkOf})("prompt") > ${before + 50}`), "with its thumbnails");
  await person.page.evaluate(() => [...document.querySelectorAll("#grid li")]
      .find((one) => one.querySelector(".title").textContent === "prompt").querySelector("button").click());
  check(await person.shows("#name", "prompt") && await person.sees("30"), "a click on it leads to the session");
  check(await person.page.$eval("#stage", (stage) => stage.checkVisibility()), "which is shown instead");
}

// The messages of a second in which several sessions flood.
async function floods(agent, person) {
  for (let i = 0; i < 4; ++i) await agent.call("term_open", {name: `flood-${i}`, argv: ["seq", "1", "10000000000"]});
  await person.choose("flood-0");
  await person.click("#overview");
  check(await person.comes(`(${inkOf})("flood-1") > 1000`), "a flood has a thumbnail");
  const frames = await person.page.evaluate(() => new Promise((done) => {
    const canvas = [...document.querySelectorAll("#grid li")].find((one) => one.textContent.includes("flood-1")).querySelector("canvas");
    let [drawn, screens] = [0, 0];
    const context = canvas.getContext("2d");
    const draw = context.fillRect.bind(context);
    context.fillRect = (x, y, width, height) => {
      const isFirstRow = x === 0 && y === 0 && width === canvas.width;
      if (isFirstRow) ++drawn;
      draw(x, y, width, height);
    };
    new MutationObserver(() => ++screens).observe(document.getElementById("rows"), {childList: true});
    setTimeout(() => done([drawn, screens]), 2000);
  }));
  check(frames[0] > 0 && frames[0] <= 10, `a thumbnail of a flood is drawn at most four times a second (${frames[0] / 2})`);
  check(frames[1] <= 64, `and the screen at most thirty times (${frames[1] / 2})`);
  for (let i = 0; i < 4; ++i) await agent.call("term_close", {session: `flood-${i}`});
  await person.page.reload();
}

async function fluent(agent, person) {
  // Starting programs all the time would measure the machine, not the page.
  const ticks = "exec 3<> <(:); until read -rt 0.5 -u 3; do echo $EPOCHREALTIME; done";
  await Promise.all([...Array(90).keys()].map((i) => agent.call(
      "term_open", {name: `many-${i}`, argv: ["bash", "-c", ticks], until: {lines: 1}})));
  if (!await person.page.$eval("body", (body) => body.classList.contains("overview"))) await person.click("#overview");
  check(await person.comes(() => document.querySelectorAll("#grid li").length > 90), "a hundred sessions are in the overview");
  check(await person.comes(`(${inkOf})("many-89") > 0`), "with thumbnails");
  const gaps = await person.page.evaluate(() => new Promise((done) => {
    const times = [];
    const frame = (now) => {
      times.push(now);
      if (now - times[0] < 3000) return requestAnimationFrame(frame);
      done(times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b));
    };
    requestAnimationFrame(frame);
  }));
  // The longest gap depends on what else the machine does; half of them do not,
  // unless the page has too much to do for each message.
  const gap = gaps[gaps.length >> 1];
  check(gap <= 50, `and the page is fluent: ${gap.toFixed(1)} ms between two frames (at most ${gaps.at(-1).toFixed(1)})`);
  // A card keeps its picture when it leaves the view, so they are counted.
  const names = () => person.page.evaluate(() => [...document.querySelectorAll("#grid li .title")].map((one) => one.textContent));
  let blank = null;
  for (const name of await names()) if (await person.page.evaluate(inkOf, name) === 0) blank = name;
  check(blank !== null, "those that were never in view have cost nothing");
  await person.page.evaluate((name) => [...document.querySelectorAll("#grid li")]
      .find((one) => one.querySelector(".title").textContent === name).scrollIntoView(), blank);
  check(await person.comes(`(${inkOf})("${blank}") > 0`), "and have a thumbnail when they come into view");
}

run("overview", () => inWorld(build, "overview", async ({agent, person}) => {
  await badges(agent, person);
  await seesFailed(agent, person);
  await isLive(agent, person);
  await floods(agent, person);
  await fluent(agent, person);
}));
