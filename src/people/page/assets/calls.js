// Lists the calls of agents beside the screen: the tool, its arguments without
// typed text, and the first line of the reply.

import {at, make} from "./dom.js";
import {setText} from "./sessions.js";

const TABS = ["commands", "calls"];

let asks = {}; // show(seconds), clock(seconds), durationText(seconds)
const items = []; // in the order of the calls

export const shortName = (tool) => tool.replace(/^term_/, "");
export const titleOf = (one) => `${shortName(one.tool)} ${one.arguments}`.trim();

function newItem() {
  const item = make("li");
  const go = make("button", {type: "button", className: "go"});
  for (const name of ["when", "text", "took", "reply"]) go.append(make("span", {className: name}));
  item.append(go);
  return item;
}

function fill(item, one) {
  const go = item.firstElementChild;
  const [when, text, took, reply] = go.children;
  const lasted = asks.durationText(one.end - one.at);
  go.className = one.failed ? "go bad" : "go";
  go.title = [one.client, titleOf(one), one.reply].filter(Boolean).join("\n");
  // Show the end of the call, when its effect is on the screen.
  go.onclick = () => asks.show(one.end);
  go.ariaLabel = `${titleOf(one)}, ${one.failed ? "refused" : one.reply}, ${lasted}`;
  setText(when, asks.clock(one.at));
  setText(text, titleOf(one));
  setText(took, lasted);
  setText(reply, one.failed ? "refused" : one.reply);
}

export function showCalls(calls) {
  const list = at("call-list");
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
  calls.forEach((one, i) => {
    items[i] ??= list.appendChild(newItem());
    fill(items[i], one);
  });
  for (const item of items.splice(calls.length)) item.remove();
  if (atEnd) list.scrollTop = list.scrollHeight;
  at("no-calls").hidden = calls.length > 0;
  setText(at("tab-calls"), calls.length ? `Calls ${calls.length}` : "Calls");
}

export function chooseTab(name) {
  for (const tab of TABS) {
    at(`tab-${tab}`).setAttribute("aria-pressed", String(tab === name));
    at(`pane-${tab}`).hidden = tab !== name;
  }
}

// `chosen` is called with the tab that a person chooses.
export function bindCalls(actions, chosen) {
  asks = actions;
  for (const tab of TABS) {
    at(`tab-${tab}`).onclick = () => {
      chooseTab(tab);
      chosen(tab);
    };
  }
}
