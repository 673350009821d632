// Shows notifications of the browser when a session needs a person or has
// ended, if the person has turned them on and the page is not in view.

import {at} from "./dom.js";
import {kindOf} from "./sessions.js";

const NEWS = {asks: "asks you something", secret: "asks for a secret", question: "asks a question", failed: "has failed", exited: "has ended"};

let choose = () => {};
let isOn = false;
let before = null; // id -> the session's kind and question in the last list

const isAllowed = () => self.Notification?.permission === "granted";

function draw() {
  at("notify").hidden = !self.Notification;
  at("notify").setAttribute("aria-pressed", String(isOn && isAllowed()));
}

function tell(one, what) {
  // A later notification about the same session replaces this one.
  const note = new Notification(`${one.name} ${what}`, {body: one.question ?? one.program ?? one.command ?? "", tag: `glasstty ${one.id}`});
  note.onclick = () => {
    window.focus();
    choose(one.id);
    note.close();
  };
}

// Notifies of changes only, and not of states from before the page was opened.
export function noteList(list) {
  const known = before;
  before = new Map(list.map((one) => [one.id, {kind: kindOf(one), question: one.question}]));
  if (!known || !isOn || !isAllowed() || document.hasFocus()) return;
  for (const one of list) {
    const {kind} = before.get(one.id);
    const was = known.get(one.id);
    const isSame = kind === was?.kind && (kind !== "question" || one.question === was.question);
    // The end of a session that has failed already is not reported again.
    const isNews = NEWS[kind] && !isSame && !(kind === "exited" && was?.kind === "failed");
    if (isNews && (was || one.live)) tell(one, NEWS[kind]);
  }
}

// `keep` stores the choice of the person.
export function bindNotify(onChoose, on, keep) {
  [choose, isOn] = [onChoose, on];
  at("notify").onclick = async () => {
    isOn = !(isOn && isAllowed());
    if (isOn && Notification.permission === "default") await Notification.requestPermission();
    keep(isOn && isAllowed());
    draw();
  };
  draw();
}
