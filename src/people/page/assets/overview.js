// The overview: a live thumbnail of each session, beginning with those that
// need a person. Only thumbnails in view are requested from the server.

import {Miniature} from "./canvas.js";
import {at, make} from "./dom.js";
import * as sessions from "./sessions.js";

const SOON_MS = 50;
const MOST_FAILED = 6;   // of the ended sessions, the newest that failed

let ask = () => {};      // (ids) tells the server which sessions are in view
let choose = () => {};
const cards = new Map(); // id -> {item, picture}
const inView = new Set();
let asked = null;
let due = false;

export const isOpen = () => document.body.classList.contains("overview");

export function showThumbnails({screens}) {
  for (const screen of screens) cards.get(screen.id)?.picture.take(screen);
}

export function redraw() {
  for (const {picture} of cards.values()) picture.redraw();
}

const observer = new IntersectionObserver((entries) => {
  for (const {target, isIntersecting} of entries) {
    if (isIntersecting) inView.add(target.dataset.session);
    else inView.delete(target.dataset.session);
  }
  askSoon();
}, {rootMargin: "200px"});

function askSoon() {
  if (due) return;
  due = true;
  setTimeout(() => {
    due = false;
    const ids = isOpen() ? [...inView].sort() : [];
    if (ids.join() === asked) return;
    asked = ids.join();
    ask(ids);
  }, SOON_MS);
}

// Requests the thumbnails again, because a new stream begins without any.
export function askAgain() {
  asked = "";
  askSoon();
}

function newCard(id) {
  const picture = new Miniature(undefined, true);
  const item = make("li");
  item.dataset.session = id;
  const button = make("button", {type: "button", onclick: () => choose(id)});
  const head = make("span", {className: "head"});
  head.append(make("b", {className: "title"}), make("span", {className: "badge"}));
  button.append(head, picture.canvas, make("span", {className: "facts"}));
  item.append(button);
  observer.observe(item);
  return {item, picture};
}

function updateCard(one) {
  const card = cards.get(one.id) ?? newCard(one.id);
  cards.set(one.id, card);
  const button = card.item.firstElementChild;
  const [head, , facts] = button.children;
  sessions.setText(head.firstElementChild, one.name);
  sessions.setText(head.lastElementChild, `${sessions.signOf(one)} ${sessions.wordOf(one)}`);
  sessions.setText(facts, sessions.about(one));
  const kind = sessions.classOf(one);
  if (button.className !== kind) button.className = kind;
  return card.item;
}

function dropCard(id, {item}) {
  observer.unobserve(item);
  inView.delete(id);
  cards.delete(id);
}

export function drawOverview() {
  if (!isOpen()) return;
  const failed = sessions.endedOnes().filter((one) => sessions.kindOf(one) === "failed").slice(0, MOST_FAILED);
  const wanted = [...sessions.ordered(), ...failed];
  sessions.place(at("grid"), wanted.map(updateCard));
  const ids = new Set(wanted.map((one) => one.id));
  for (const [id, card] of cards) if (!ids.has(id)) dropCard(id, card);
  askSoon();
}

export function openOverview(open) {
  document.body.classList.toggle("overview", open);
  at("overview").setAttribute("aria-pressed", String(open));
  drawOverview();
  askSoon();
}

export function bindOverview(onAsk, onChoose) {
  [ask, choose] = [onAsk, onChoose];
}
