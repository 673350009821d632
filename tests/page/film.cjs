// A stretch of time as an animated picture: its frames are the screens at their
// moments, its pauses are cut, and a person can save one from the page.
//
//     node film.cjs BUILD [--measure]
"use strict";
const {execFileSync, spawnSync} = require("node:child_process");
const {mkdtempSync, readFileSync, statSync} = require("node:fs");
const path = require("node:path");
const {parseArgs} = require("node:util");
const {check} = require("./agent.cjs");
const {decodeAnimation} = require("./png.cjs");
const {inWorld, run} = require("./person.cjs");

const {values: {measure}, positionals: [build]} = parseArgs({allowPositionals: true, options: {measure: {type: "boolean"}}});

// In one colour, so that no picture has too many colours for its palette.
async function edit(agent) {
  await agent.call("term_open", {name: "edit", argv: ["vim", "--clean", "-n", "-c", "syntax off"], rows: 12, cols: 60});
  for (const input of [["ione line<Enter>"], ["another line<Esc>"], ["yy3p"], [":%s/line/word/<Enter>"], ["gg"]]) {
    await agent.call("term_send", {session: "edit", input, until: {quiet_s: 0.3}});
  }
}

function compares(program, env) {
  const draw = (...args) => execFileSync(program, ["picture", "edit", "--px", "10", ...args], {env, maxBuffer: 1 << 26});
  const film = decodeAnimation(draw("--from", "0"));
  check(film.frames.length >= 5, `the film of an editor has a frame for each change (${film.frames.length})`);
  film.frames.forEach(({pixels}, i) => {
    const still = decodeAnimation(draw("--at", film.moments[i])).frames[0];
    check(Buffer.compare(pixels, still.pixels) === 0, `its frame at ${film.moments[i]} s is the screen at that moment`);
  });
  const part = decodeAnimation(draw("--from", film.moments[2], "--to", film.moments[3]));
  check(Buffer.compare(part.frames[0].pixels, film.frames[2].pixels) === 0, "a part begins with the screen of its beginning");
  check(Buffer.compare(part.frames.at(-1).pixels, film.frames[3].pixels) === 0, "and ends with that of its end");
}

async function cutsPauses(agent, program, env) {
  await agent.call("term_open", {name: "pauses", argv: ["sh", "-c", "echo first; sleep 3; echo second; sleep 0.3; echo third"], until: {state: "exited"}});
  const film = decodeAnimation(execFileSync(program, ["picture", "pauses", "--from", "0"], {env, maxBuffer: 1 << 26}));
  const lasts = film.frames.reduce((sum, one) => sum + one.milliseconds, 0);
  check(lasts < 3000, `pauses are cut: it lasts ${lasts} ms`);
  check(film.frames.every((one) => one.milliseconds <= 1000), "none is longer than a second");
}

function refuses(program, env) {
  const says = (...args) => {
    const {status, stderr} = spawnSync(program, ["picture", "edit", ...args], {env, encoding: "utf8"});
    return `${status} ${stderr}`;
  };
  for (const [args, why] of [[["--from", "x"], "--from 'x'"], [["--from", "5", "--to", "2"], "--to is before --from"],
                             [["--from", "0", "--svg"], "leave out --svg"], [["--from", "0", "--at", "1"], "leave out --at"]]) {
    const said = says(...args, "-o", "/dev/null");
    check(/^[12] /.test(said) && said.includes(why), `${args.join(" ")} is refused: ${why}`);
  }
}

async function keeps(person, state) {
  const files = mkdtempSync(path.join(state, "kept-"));
  const client = await person.page.createCDPSession();
  await client.send("Browser.setDownloadBehavior", {behavior: "allow", downloadPath: files, eventsEnabled: true});
  await person.choose("edit");
  await person.sees("one word");
  const box = await person.page.$eval("#strip", (strip) => {
    const {left, top, width, height} = strip.getBoundingClientRect();
    return {left, top, width, height};
  });
  await person.page.mouse.move(box.left + 2, box.top + 5);
  await person.page.mouse.down();
  await person.page.mouse.move(box.left + box.width / 2, box.top + 5, {steps: 5});
  await person.page.mouse.up();
  check(await person.comes(() => document.getElementById("film").checkVisibility() && document.getElementById("range").checkVisibility()),
        "dragging over the time line chooses a stretch");
  check(!await person.page.$eval("body", (body) => body.classList.contains("past")), "and does not leave the present");
  const isKept = () => new Promise((kept) => client.on("Browser.downloadProgress", (event) => event.state === "completed" && kept()));
  let done = isKept();
  await person.page.evaluate(() => document.getElementById("film-to").value = 1000);
  await person.click("#film button");
  await done;
  const film = decodeAnimation(readFileSync(path.join(files, "edit.png")));
  check(film.frames.length >= 5, "which is saved as an animated picture");
  done = isKept();
  await person.click("#movie");
  await person.click("#film button[value=gif]");
  await done;
  const gif = readFileSync(path.join(files, "edit.gif"));
  check(gif.subarray(0, 6).toString() === "GIF89a" && gif.includes("NETSCAPE2.0"), "or as a GIF");
  await person.click("#movie");
  await person.page.evaluate(() => [document.getElementById("film-from").value, document.getElementById("film-to").value] = [2, 1]);
  await person.click("#film button");
  check(await person.shows("#notice", "ends after it begins"), "one that ends before it begins is refused");
  await person.click("#film-no");
}

// Sizes and times, for bench/README.md.
async function measureFilms(agent, program, env, state) {
  await agent.call("term_open", {name: "colours", argv: ["vim", "--clean", "-n", "/etc/services"]});
  for (let i = 0; i < 20; ++i) await agent.call("term_send", {session: "colours", input: ["<C-d>"], until: {quiet_s: 0.2}});
  await agent.call("term_open", {name: "lines", argv: ["sh", "-c", "for i in $(seq 1 300); do echo \"[$i/300] compiling part $i\"; sleep 0.05; done"], until: {state: "exited"}, timeout_s: 60});
  for (const name of ["edit", "colours", "lines"]) {
    const file = path.join(state, `${name}.png`);
    const began = performance.now();
    execFileSync(program, ["picture", name, "--from", "0", "-o", file], {env});
    const ms = performance.now() - began;
    const {frames, width, height} = decodeAnimation(readFileSync(file));
    const lasts = frames.reduce((sum, one) => sum + one.milliseconds, 0) / 1000;
    console.log(`film of ${name}: ${frames.length} frames of ${width}x${height}, ${lasts.toFixed(1)} s, ` +
                `${Math.round(statSync(file).size / 1000)} kB, drawn in ${Math.round(ms)} ms`);
  }
}

run("film", () => inWorld(build, "film", async ({agent, person, program, env, state}) => {
  await edit(agent);
  compares(program, env);
  await cutsPauses(agent, program, env);
  refuses(program, env);
  await keeps(person, state);
  if (measure) await measureFilms(agent, program, env, state);
}));
