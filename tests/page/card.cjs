// The card of MCP Apps in a real browser: a host that shows it as clients do, in
// a sandboxed frame without network, and hands its calls to a server.
//
//     node card.cjs BUILD [SCREENSHOT]
"use strict";
const {mkdtempSync, rmSync} = require("node:fs");
const {tmpdir} = require("node:os");
const path = require("node:path");
const {Agent, check, findBrowser} = require("./agent.cjs");

const [build, screenshot] = process.argv.slice(2);
const {puppeteer, chromium} = findBrowser();
const state = mkdtempSync(path.join(tmpdir(), "glasstty-card-"));
const UI = "io.modelcontextprotocol/ui";
const CARDS = {extensions: {[UI]: {mimeTypes: ["text/html;profile=mcp-app"]}}};

// What a client without an answer of its own would do, in eighty lines less.
function host(card) {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.style = "border: 1px solid #888; width: 800px; height: 300px";
  const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";
  frame.srcdoc = card.replace("<title>", `<meta http-equiv="Content-Security-Policy" content="${policy}"><title>`);
  const say = (message) => frame.contentWindow.postMessage({jsonrpc: "2.0", ...message}, "*");
  window.heard = [];
  addEventListener("message", async ({source, data}) => {
    if (source !== frame.contentWindow) return;
    window.heard.push(data.method ?? "answer");
    if (data.method === "ui/initialize") {
      say({id: data.id, result: {protocolVersion: "2026-01-26", hostInfo: {name: "host", version: "1"},
                                 hostCapabilities: {serverTools: {}}, hostContext: {theme: "dark"}}});
    } else if (data.method === "ui/notifications/initialized") {
      say({method: "ui/notifications/tool-result", params: await window.opened()});
    } else if (data.method === "tools/call") {
      say({id: data.id, result: await window.call(data.params)});
    }
  });
  document.body.append(frame);
}

async function main() {
  const env = {...process.env, GLASSTTY_STATE_DIR: state};
  const plain = new Agent(path.join(build, "src/cli/glasstty"), env);
  await plain.start();
  const without = (await plain.request("tools/list", {})).tools;
  check(!without.some((tool) => tool.name === "term_card" || tool._meta?.ui), "other clients see nothing of cards");
  plain.server.stdin.end();
  const agent = new Agent(path.join(build, "src/cli/glasstty"), env);
  await agent.start(CARDS);
  const {tools} = await agent.request("tools/list", {});
  const open = tools.find((tool) => tool.name === "term_open");
  const {visibility} = tools.find((tool) => tool.name === "term_card")._meta.ui;
  check(visibility.join() === "app", "the card's own tool is not for the model");
  const [card] = (await agent.request("resources/read", {uri: open._meta.ui.resourceUri})).contents;
  check(card.mimeType === "text/html;profile=mcp-app", "term_open names its card");
  const opened = await agent.request("tools/call", {
    name: "term_open", arguments: {name: "main", argv: ["sh", "-c", "printf '\\033[1;31mred\\033[m <b>\\n'; exec cat"]}});

  const browser = await puppeteer.launch({executablePath: chromium, args: ["--no-sandbox"]});
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
    await page.exposeFunction("opened", () => opened);
    await page.exposeFunction("call", (params) => agent.request("tools/call", params));
    await page.evaluate(host, card.text);
    const frame = await (await page.waitForSelector("iframe")).contentFrame();
    const sees = (text) => frame.waitForFunction(
        (wanted) => document.getElementById("rows").textContent.includes(wanted), {timeout: 15000}, text)
        .then(() => true, () => false);
    check(await sees("red <b>"), "the card shows the session's screen");
    const ink = await frame.$eval("#rows span", (span) => getComputedStyle(span).color);
    check(ink === "rgb(204, 68, 68)", "in its colours");
    await agent.request("tools/call", {name: "term_send", arguments: {session: "main", input: "later\n"}});
    check(await sees("later"), "and follows it");
    // VS Code shows it 256 pixels wide; the session has 120 columns.
    await page.$eval("iframe", (element) => element.style.width = "256px");
    const part = (test) => frame.waitForFunction(test, {timeout: 15000}).then(() => true, () => false);
    await agent.request("tools/call", {name: "term_send", arguments: {session: "main", input: "x".repeat(40)}});
    check(await sees("xxx") && await part(() => document.getElementById("rows").getBoundingClientRect().right <= innerWidth),
          "forty columns fit into a narrow card");
    await agent.request("tools/call", {name: "term_send", arguments: {session: "main", input: "y".repeat(70) + "z"}});
    check(await sees("z") && await part(() => {
      const {left, right} = document.getElementById("cursor").getBoundingClientRect();
      return left >= 0 && right <= innerWidth && parseFloat(getComputedStyle(document.getElementById("rows")).fontSize) >= 8;
    }), "a longer line is shown where the cursor is, in letters that can be read");
    await agent.request("tools/call", {name: "term_close", arguments: {session: "main"}});
    check(await frame.waitForFunction(() => document.getElementById("head").textContent.includes("exited"))
        .then(() => true, () => false), "to its end");
    const heard = await page.evaluate(() => window.heard);
    check(heard.includes("ui/notifications/size-changed"), "it says how large it is");
    if (screenshot) await page.screenshot({path: screenshot});
    check(errors.length === 0, `the page reports no errors ${errors}`);
  } finally {
    await browser.close();
    agent.server.stdin.end();
    await new Promise((ended) => agent.server.once("exit", ended));
    rmSync(state, {recursive: true, force: true});
  }
}

main().then(() => process.exit(0), (error) => {
  console.error(`card: ${error.message}`);
  process.exit(1);
});
