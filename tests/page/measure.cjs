// How fast the page is: from a key to the screen, the frames of a flood, and a
// hundred sessions with their thumbnails. Prints figures for bench/README.md;
// run it on a machine with nothing else to do.
//
//     node measure.cjs BUILD
"use strict";
const {check} = require("./agent.cjs");
const {inWorld, run} = require("./person.cjs");

const [build] = process.argv.slice(2);
const KEYS = 60;
const SECONDS = 5;

const middle = (sorted) => sorted[sorted.length >> 1];

// Milliseconds from a key to the changed page, ascending.
async function keyTimes(person) {
  const times = [];
  for (let i = 0; i < KEYS; ++i) {
    const before = await person.rows();
    const began = performance.now();
    await person.page.keyboard.press("x");
    await person.page.waitForFunction(
        (old) => [...document.querySelectorAll("#rows > .row:not(.old)")].map((row) => row.textContent).join("\n").trimEnd() !== old,
        {polling: "mutation"}, before);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b);
}

async function typing(person, beside) {
  await person.choose("typing");
  await person.take();
  const times = await keyTimes(person);
  console.log(`key to screen, ${beside}: p50 ${middle(times).toFixed(1)} ms, p99 ${times.at(-1).toFixed(1)} ms`);
  await person.click("#give");
  return middle(times);
}

// Whether so many thumbnails have been drawn; a canvas is 300 pixels wide at first.
const areDrawn = (count) => [...document.querySelectorAll("#grid canvas")].filter((one) => one.width > 300).length >= count;

// -> how often in a second the page changes its screen, and each thumbnail.
const rates = (person) => person.page.evaluate((seconds) => new Promise((done) => {
  let screens = 0;
  let frames = 0;
  let last = performance.now();
  const gaps = [];
  new MutationObserver(() => ++screens).observe(document.getElementById("rows"), {childList: true, subtree: true});
  const canvases = [...document.querySelectorAll("#grid canvas")].filter((one) => one.width > 300);
  let drawn = 0;
  for (const canvas of canvases) {
    const context = canvas.getContext("2d");
    const fill = context.fillRect.bind(context);
    context.fillRect = (x, y, width, height) => {
      // The rows of one message are drawn at once.
      const now = performance.now();
      drawn += now - (canvas.drawnAt ?? 0) > 20;
      canvas.drawnAt = now;
      fill(x, y, width, height);
    };
  }
  const frame = (now) => {
    ++frames;
    gaps.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  setTimeout(() => {
    gaps.sort((a, b) => a - b);
    done({screens: screens / seconds, thumbnails: drawn / seconds / Math.max(1, canvases.length), cards: canvases.length,
          frames: frames / seconds, gap: gaps[gaps.length >> 1], longest: gaps.at(-1)});
  }, seconds * 1000);
}), SECONDS);

function say(what, {screens, thumbnails, cards, gap, longest}) {
  console.log(`${what}: ${screens.toFixed(1)} screens/s, ${thumbnails.toFixed(1)} drawings/s of each of ${cards} thumbnails, ` +
              `${gap.toFixed(1)} ms between two frames (at most ${longest.toFixed(1)})`);
  check(gap <= 50, "the page is fluent meanwhile");
}

async function floods(agent, person) {
  for (let i = 0; i < 4; ++i) await agent.call("term_open", {name: `flood-${i}`, argv: ["seq", "1", "10000000000"]});
  await person.choose("flood-0");
  const shown = await rates(person);
  say("a flood beside three others", shown);
  check(shown.screens <= 31, "a flood is at most thirty screens a second");
  await person.click("#overview");
  await person.comes(areDrawn, 4);
  const small = await rates(person);
  say("four floods in the overview", small);
  check(small.screens <= 31 && small.thumbnails <= 5, "and its thumbnail at most four a second");
  await person.click("#overview");
  await typing(person, "beside four floods");
  for (let i = 0; i < 4; ++i) await agent.call("term_close", {session: `flood-${i}`});
}

async function crowd(agent, person) {
  // Starting programs all the time would measure the machine, not the page.
  const ticks = "exec 3<> <(:); until read -rt 0.5 -u 3; do echo $EPOCHREALTIME; done";
  await Promise.all([...Array(100).keys()].map((i) => agent.call(
      "term_open", {name: `busy-${i}`, argv: ["bash", "-c", ticks], until: {lines: 1}})));
  await person.click("#overview");
  await person.comes(() => document.querySelectorAll("#grid li").length > 100);
  await person.comes(areDrawn, 6);
  say("a hundred busy sessions in the overview", await rates(person));
  await person.click("#overview");
  return typing(person, "beside a hundred busy sessions");
}

run("measure", () => inWorld(build, "measure", async ({agent, person}) => {
  await agent.call("term_open", {name: "typing", argv: ["bash", "--norc"], env: {PS1: "$ "}});
  const alone = await typing(person, "alone");
  await floods(agent, person);
  const crowded = await crowd(agent, person);
  check(alone <= 30 && crowded <= 30, "a key is on the screen within 30 ms");
}));
