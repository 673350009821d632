// This file does what a person does in a window of the editor.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const {until} = require("./workbench.cjs");

const THEMES = {dark: "Dark 2026", light: "Light 2026"};

class Person {
  // Pictures go into a folder; undefined: there are none.
  constructor(window, pictures) {
    this.window = window;
    this.page = window.page;
    this.pictures = pictures;
  }
  row(name) {
    return this.page.locator(".sidebar .monaco-list-row").filter({has: this.page.getByText(name, {exact: true})});
  }
  sees(name, text) {
    return this.row(name).filter({hasText: text}).waitFor().then(() => true, () => false);
  }
  async openView() {
    await this.page.getByRole("tab", {name: "glasstty"}).click();
  }
  // Badges of rows are no elements of their own.
  mark(name) {
    return this.row(name).locator(".monaco-icon-label").first().evaluate(
        (label) => getComputedStyle(label, "::after").content);
  }
  toast(text) {
    return this.page.locator(".notification-toast").filter({hasText: text});
  }
  clearToasts() {
    return this.window.probe.ask("run", {command: "notifications.clearAll"});
  }
  terminal(text) {
    return this.page.locator(".xterm-rows").filter({hasText: text});
  }
  // The page in a tab lies in a frame in a frame.
  tab() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }
  shows(locator) {
    return locator.first().waitFor().then(() => true, () => false);
  }
  async choose(name, item) {
    await this.row(name).click({button: "right"});
    // A menu ignores clicks that come right after it has opened.
    const entry = this.page.locator(".context-view .action-label").filter({hasText: item});
    await until(() => entry.click().then(() => entry.waitFor({state: "detached", timeout: 1000})).then(
        () => true, () => false), `the menu's ${item}`);
  }
  async useTheme(name) {
    await this.window.probe.ask("set", {setting: "workbench.colorTheme", value: THEMES[name]});
    await this.page.locator(`.monaco-workbench.${name === "dark" ? "vs-dark" : "vs"}`).first().waitFor();
  }
  // Takes a picture in each theme.
  async picture(name) {
    if (!this.pictures) return;
    fs.mkdirSync(this.pictures, {recursive: true});
    for (const theme of Object.keys(THEMES)) {
      await this.useTheme(theme);
      await this.page.screenshot({path: path.join(this.pictures, `${name}-${theme}.png`)});
    }
  }
}

module.exports = {Person};
