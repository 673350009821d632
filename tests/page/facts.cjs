// Computes of a page that people look at whether anything is cut off, covered,
// without a name or hard to read.
"use strict";

// Runs in the page. -> what is wrong, as sentences.
function faultsOfLayout(isGone) {
  const faults = [];
  const nameOf = (one) => one.id ? `#${one.id}` : `${one.tagName.toLowerCase()}.${one.className} "${one.textContent.trim().slice(0, 30)}"`;
  const seen = (one) => one.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) && !one.closest("[aria-hidden=true], #terminal");
  const scrolls = (one) => one.closest("nav, #grid, #stage, .pane, #found, #float");
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth - innerWidth} pixels too wide`);
  if (document.documentElement.scrollHeight > innerHeight) faults.push(`the page is ${document.documentElement.scrollHeight - innerHeight} pixels too high`);
  for (const one of document.querySelectorAll("button, input, summary, form, b, h1, p, output, label, small")) {
    if (!seen(one) || scrolls(one)) continue;
    const box = one.getBoundingClientRect();
    if (!box.width || getComputedStyle(one).clipPath !== "none") continue;
    if (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1) faults.push(`${nameOf(one)} is cut off by the window`);
    const isLong = one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== "visible";
    if (isLong && !one.matches("input, #name, #commands .text")) faults.push(`the text of ${nameOf(one)} is cut off`);
    if (!one.matches("button, input") || one.disabled) continue;
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (top && top !== one && !one.contains(top) && !top.contains(one)) faults.push(`${nameOf(one)} is covered by ${nameOf(top)}`);
  }
  // ---- contrast
  const channels = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) => value / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    for (let each = one; each; each = each.parentElement) {
      const color = getComputedStyle(each).backgroundColor;
      if ((channels(color)[3] ?? 1) > 0.99) return color;
    }
    return "rgb(255, 255, 255)";
  };
  for (const one of document.querySelectorAll("body *")) {
    const text = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!text || !seen(one) || one.disabled || one.matches("option") || (isGone && one.closest("main, nav"))) continue;
    const [low, high] = [luminance(getComputedStyle(one).color), luminance(behind(one))].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 4.5) faults.push(`${nameOf(one)} has a contrast of only ${ratio.toFixed(2)}:1`);
  }
  return [...new Set(faults)];
}

const NAMED = new Set(["button", "textbox", "searchbox", "slider", "spinbutton", "checkbox", "list", "navigation", "complementary"]);

// What a screen reader finds without a name.
async function nameless(page) {
  const faults = [];
  const look = (node) => {
    if (NAMED.has(node.role) && !node.name?.trim() && node.role !== "list") faults.push(`a ${node.role} has no name`);
    for (const child of node.children ?? []) look(child);
  };
  const tree = await page.accessibility.snapshot();
  if (tree) look(tree);
  return faults;
}

async function faultsOf(page, {isGone = false} = {}) {
  return [...await page.evaluate(faultsOfLayout, isGone), ...await nameless(page)];
}

module.exports = {faultsOf};
