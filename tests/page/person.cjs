// A person in front of the page, in a real browser, and the world around: an
// agent over MCP, a page's server, a state directory of their own.
"use strict";
const {spawn} = require("node:child_process");
const {mkdtempSync, rmSync} = require("node:fs");
const {tmpdir} = require("node:os");
const path = require("node:path");
const readline = require("node:readline");
const {Agent, findBrowser} = require("./agent.cjs");

const PATIENCE = {timeout: 60000};

function startPage(program, env) {
  const server = spawn(program, ["view"], {env, stdio: ["ignore", "pipe", "inherit"]});
  const lines = readline.createInterface({input: server.stdout});
  return new Promise((ready) => lines.once("line", (link) => ready({server, link})));
}

class Person {
  constructor(page) {
    this.page = page;
    this.errors = [];
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("console", (line) => line.type() === "error" && this.errors.push(line.text()));
  }
  // The rows of the screen, without those above it.
  rows() {
    return this.page.$$eval("#rows > .row:not(.old)", (rows) => rows.map((row) => row.textContent).join("\n").trimEnd());
  }
  // Whether the condition, a function of the page, comes to hold.
  comes(condition, ...facts) {
    return this.page.waitForFunction(condition, PATIENCE, ...facts).then(() => true, () => false);
  }
  sees(text) {
    return this.comes((wanted) => [...document.querySelectorAll("#rows > .row:not(.old)")]
        .some((row) => row.textContent.includes(wanted)), text);
  }
  seesRow(text) {
    return this.comes((wanted) => [...document.querySelectorAll("#rows > .row:not(.old)")]
        .some((row) => row.textContent.trimEnd() === wanted), text);
  }
  // Looks back for a moment with this text on the screen, which is there as
  // soon as the program's first output, however late that came.
  async looksBackTo(text) {
    const [max, parts] = [await this.page.$eval("#moment", (slider) => Number(slider.max)), 40];
    for (let part = 1; part < parts; ++part) {
      await this.page.$eval("#moment", (slider, value) => {
        slider.value = value;
        slider.dispatchEvent(new Event("input"));
      }, max * part / parts);
      const found = this.page.waitForFunction((wanted) => [...document.querySelectorAll("#rows > .row:not(.old)")]
          .some((row) => row.textContent.includes(wanted)), {timeout: 2000}, text);
      if (await found.then(() => true, () => false)) return true;
    }
    return false;
  }
  async click(selector) {
    await this.page.waitForSelector(selector, {visible: true});
    await this.page.click(selector);
  }
  shows(selector, text) {
    return this.comes((where, wanted) => document.querySelector(where)?.textContent.includes(wanted), selector, text);
  }
  async choose(name) {
    // The list is drawn anew at any time, so it is searched and used at once.
    await this.comes((wanted) => {
      const found = [...document.querySelectorAll("nav button")].find((one) => one.querySelector(".name")?.textContent === wanted);
      found?.click();
      return Boolean(found);
    }, name);
    return this.shows("#name", name);
  }
  async take() {
    await this.click("#take");
    return this.shows("#who", "you have the keyboard");
  }
  async chord(...keys) {
    for (const key of keys) await this.page.keyboard.down(key);
    for (const key of keys.reverse()) await this.page.keyboard.up(key);
  }
  style(selector, property) {
    return this.page.$eval(selector, (one, name) => getComputedStyle(one)[name], property);
  }
}

// Runs `act({agent, browser, person, link, program, env, state})` in a world of its own.
async function inWorld(build, name, act) {
  const {puppeteer, chromium} = findBrowser();
  const state = mkdtempSync(path.join(tmpdir(), `glasstty-${name}-`));
  const env = {...process.env, GLASSTTY_STATE_DIR: state, GLASSTTY_MAX_SESSIONS: "128"};
  const program = path.join(build, "src/cli/glasstty");
  const agent = new Agent(program, env);
  await agent.start();
  const {server, link} = await startPage(program, env);
  const browser = await puppeteer.launch({executablePath: chromium, args: ["--no-sandbox"]});
  try {
    const page = await browser.newPage();
    await page.setViewport({width: 1280, height: 860});
    const person = new Person(page);
    await page.goto(link);
    await act({agent, browser, person, server, link, program, env, state});
    if (person.errors.length) throw new Error(`the page reports errors: ${person.errors}`);
  } finally {
    await browser.close();
    server.kill();
    agent.server.stdin.end();
    await new Promise((ended) => agent.server.once("exit", ended));
    rmSync(state, {recursive: true, force: true});
  }
}

function run(name, main) {
  main().then(() => process.exit(0), (error) => {
    console.error(`${name}: ${error.message}`);
    process.exit(1);
  });
}

module.exports = {Person, PATIENCE, inWorld, run, startPage};
