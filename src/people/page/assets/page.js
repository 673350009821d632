// The page: shows what its server sends, and sends the person's input.
//
// All messages arrive on a single stream, each as one line of JSON. screen.js
// draws the terminal, and sessions.js the list of sessions.

import {usePalette, useTheme} from "./colors.js";
import {at, make} from "./dom.js";
import * as calls from "./calls.js";
import * as notify from "./notify.js";
import * as overview from "./overview.js";
import * as trace from "./trace.js";
import * as terminal from "./screen.js";
import * as sessions from "./sessions.js";

let page = "";         // the id that the server has given this page
let session = "";      // the id of the shown session
let facts = {};
let readOnly = false;
let mouse = false;
let bracketed = false;
let ctrl = false;      // the next key of the phone's keyboard is a chord

// ---- authentication

// The pass {key, proof}, for which the link's token was exchanged. Unlike a
// cookie, the storage belongs to this origin alone, so a server on another port
// never sees the key. If the browser stores nothing, the pass lasts as long as
// the page.
const STORED = "glasstty";
let pass = null;

function recallPass() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? pass;
  } catch {
    return pass;
  }
}

function keepPass(value) {
  pass = value;
  try {
    if (value) localStorage.setItem(STORED, JSON.stringify(value));
    else localStorage.removeItem(STORED);
  } catch {
    // The browser stores nothing for us.
  }
}

// Returns a stored choice of the person. It is kept for later visits
// (localStorage), or until this tab is closed (sessionStorage).
function recall(storage, key) {
  try {
    return JSON.parse(storage.getItem(`${STORED}.${key}`));
  } catch {
    return null;
  }
}

function remember(storage, key, value) {
  try {
    storage.setItem(`${STORED}.${key}`, JSON.stringify(value));
  } catch {
    // The browser stores nothing for us.
  }
}

const ourKey = () => (pass ? {Authorization: `Bearer ${pass.key}`} : {});

// ---- talking to the server

const send = (path, body) => fetch(path, {
  method: "POST",
  headers: {"Content-Type": "application/json", ...ourKey()},
  body: JSON.stringify(body),
});

// Posts only while there is a stream, because otherwise another server may have
// the port.
async function post(path, body) {
  if (!page) return null;
  // If there is no reply, the stream ends as well, which the page shows.
  const reply = await send(path, {page, ...body}).catch(() => null);
  if (reply?.ok) return reply.json();
  if (reply) notice((await reply.text()).trim());
  return null;
}

// Input is sent in order: each request waits for the previous one. A request is
// for the session that is shown at the call, even if it waits.
let sending = Promise.resolve();
function inOrder(path, body) {
  const meant = session;
  sending = sending.then(() => post(path, {session: meant, ...body})).catch(() => {});
  return sending;
}

// With `passing`, the notice disappears after some seconds.
let passes = 0;
function notice(text, passing = false) {
  clearTimeout(passes);
  if (at("notice").textContent !== text) at("notice").textContent = text;
  if (passing) passes = setTimeout(() => notice(""), 6000);
}

// The link's token is valid for one visit. It is in the fragment, which
// browsers do not send, so it appears in no log.
async function enter() {
  const token = location.hash.slice(1);
  if (!token) return "";
  history.replaceState(null, "", "/");
  const reply = await send("/api/enter", {token});
  if (reply.ok) keepPass(await reply.json());
  return reply.ok ? "" : (await reply.text()).trim();
}

// Returns false if another attempt would be useless.
async function listen() {
  pass = recallPass();
  const reply = await fetch("/api/stream", {headers: ourKey()});
  if (!reply.ok) {
    notice((await reply.text()).trim());
    if (reply.status === 401) keepPass(null);
    return reply.status !== 401;
  }
  notice("");
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return true;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      if (!page && !(pass && message.proof === pass.proof)) {
        reader.cancel();
        notice("Another program answers at this address now. Close this page.");
        return false;
      }
      hear(message);
    }
  }
}

function hear(message) {
  const heard = {hello, list, screen, facts: showFacts, thumbnails: overview.showThumbnails, peek: trace.showPeek}[message.t];
  if (heard) heard(message);
}

function hello(message) {
  page = message.page;
  readOnly = message.read_only;
  document.body.classList.toggle("read-only", readOnly);
  usePalette(message.palette);
  useTheme(isLight());
  document.body.classList.remove("gone");
  overview.askAgain();
  if (!session) return;
  terminal.restorePlace(terminal.place());
  show(session);
}

// Input for one session must not reach another.
function forgetInput() {
  facts = {};
  document.body.classList.remove("mine");
  for (const id of ["take", "give"]) at(id).hidden = true;
  for (const id of ["who", "asked", "state"]) at(id).textContent = "";
  closeSecret();
  hidePaste();
}

// ---- the list

// Records that the shown session has been seen, if the page is visible.
function lookAtShown() {
  if (session && !document.hidden && !overview.isOpen()) sessions.see(session);
}

function list(message) {
  sessions.takeList(message, session);
  lookAtShown();
  notify.noteList(message.sessions);
  const order = sessions.ordered();
  const before = recall(sessionStorage, "view");
  if (!session && sessions.find(before?.session)) {
    terminal.restorePlace(before.row);
    show(before.session);
  } else if (!session && order.length) {
    show(order[0].id);
  }
  document.body.classList.toggle("empty", !session);
  overview.drawOverview();
}

async function show(id) {
  session = id;
  forgetInput();
  terminal.clearScreen();
  trace.clearTrace();
  at("found").replaceChildren();
  closeFilm();
  setPast(false);
  document.body.classList.remove("empty");
  lookAtShown();
  sessions.drawList(session);
  keepView();
  if (await post("/api/watch", {session: id})) await measure();
}

// Shows the session that the person has chosen, and moves the focus to it.
function choose(id) {
  openDrawer(false);
  setOverview(false);
  if (id !== session) show(id);
  at("terminal").focus();
}

function setOverview(open) {
  overview.openOverview(open);
  remember(sessionStorage, "overview", open);
  // The terminal had no size while it was hidden.
  if (!open) terminal.fit();
}

function openDrawer(open) {
  document.body.classList.toggle("drawer", open);
  at("menu").setAttribute("aria-expanded", String(open));
}

function keepView() {
  if (session && page) remember(sessionStorage, "view", {session, row: terminal.place()});
}

// ---- the screen

const isLight = () => document.documentElement.classList.contains("light");

function setTheme(light) {
  document.documentElement.classList.toggle("light", light);
  at("theme").setAttribute("aria-pressed", String(light));
  useTheme(light);
  terminal.redraw();
  overview.redraw();
  trace.redraw();
}

let drawn = 0;  // counts screens
function screen(message) {
  ++drawn;
  terminal.showScreen(message);
  ({mouse, paste: bracketed} = message);
}

function closeSecret() {
  at("secret").classList.remove("open");
  at("secret-text").value = "";
}

// A person who is typing elsewhere on the page is not interrupted.
const isFocusFree = () => document.activeElement === document.body || at("stage").contains(document.activeElement);

function openSecret() {
  if (at("secret").classList.contains("open")) return;
  at("secret").classList.add("open");
  if (isFocusFree()) at("secret-text").focus();
}

function showFacts(message) {
  // Ignore messages about a session that was shown before.
  if (message.id !== session) return;
  const before = facts;
  facts = message;
  at("name").textContent = message.name;
  const state = message.state === "exited" ? `exit ${message.exit}` : message.state;
  if (at("state").textContent !== state) at("state").textContent = state;
  at("who").textContent = message.mine ? "you have the keyboard; the agent is told" :
    message.held ? `${message.holder} has the keyboard` : message.can_type || message.state === "exited" ? "" : message.away ? "there is no connection to its machine" : "you can only watch";
  at("asked").textContent = message.asked ? `The agent asks: ${message.asked}` : "";
  at("take").hidden = readOnly || message.mine || !message.can_type || message.past;
  at("give").hidden = !message.mine;
  document.body.classList.toggle("mine", message.mine);
  const secret = message.state === "secret" && message.can_type && !readOnly && !message.past;
  if (!secret || message.prompt !== before.prompt) closeSecret();
  if (secret) openSecret();
  if (message.mine && !before.mine && (isFocusFree() || at("take") === document.activeElement)) at("keys").focus();
  if (!message.mine) hidePaste();
  if (message.refused !== before.refused) notice(message.refused ? `Not typed: ${message.refused}` : "");
  if (message.state === "exited" && before.state !== "exited" && !isPast) measure();
}

// ---- the keyboard

const NAMES = {Enter: "Enter", Escape: "Esc", Backspace: "BS", Tab: "Tab", Delete: "Del", Insert: "Ins",
               ArrowUp: "Up", ArrowDown: "Down", ArrowLeft: "Left", ArrowRight: "Right",
               Home: "Home", End: "End", PageUp: "PageUp", PageDown: "PageDown"};

// Returns "C-c", "M-x" or "S-Tab", as an agent would name it. Returns null for
// keys of the browser, and for text, which comes as input.
function keyName(event) {
  let name = NAMES[event.key] ?? (/^F\d+$/.test(event.key) ? event.key : "");
  const chord = event.ctrlKey || event.altKey;
  if (!name && chord && [...event.key].length === 1) name = event.key === " " ? "Space" : event.key.toLowerCase();
  if (!name) return null;
  const shift = event.shiftKey && (event.key.length > 1 || chord);
  return (event.ctrlKey ? "C-" : "") + (event.altKey ? "M-" : "") + (shift ? "S-" : "") + name;
}

function onKey(event) {
  if (event.isComposing || event.metaKey) return;
  if (ownKey(event)) {
    event.preventDefault();
    return;
  }
  // The browser handles pasting.
  if (event.ctrlKey && event.shiftKey && event.key.toLowerCase() === "v") return;
  if (!facts.mine) {
    if (event.key === "Enter" && event.target.id === "terminal" && !isPast) inOrder("/api/take", {});
    return;
  }
  const key = keyName(event);
  if (isPast && (key || event.key.length === 1)) {
    // The person does not see the present, so the key is not typed.
    event.preventDefault();
    goLive();
    notice("Back to the present; nothing was typed", true);
    return;
  }
  // After a selection, move the focus back to the field that receives text.
  if (!key && event.key.length === 1) at("keys").focus();
  if (!key) return;
  event.preventDefault();
  inOrder("/api/keys", {keys: [{key}]});
}

// Handles keys of the page itself, whoever has the keyboard.
function ownKey(event) {
  const name = event.key.toLowerCase();
  const both = event.ctrlKey && event.shiftKey;
  if (both && name === "h") {
    inOrder("/api/give", {});
    return true;
  }
  if ((both && name === "c") || (event.ctrlKey && name === "insert")) {
    terminal.copySelection();
    return true;
  }
  const pages = {pageup: -1, pagedown: 1}[name];
  if (pages && event.shiftKey) terminal.scrollPages(pages);
  return Boolean(pages && event.shiftKey);
}

function onInput(event) {
  if (event.isComposing) return;
  const text = at("keys").value;
  at("keys").value = "";
  if (!text || !facts.mine || isPast) return;
  const chord = ctrl && [...text].length === 1;
  inOrder("/api/keys", {keys: [chord ? {key: `C-${text.toLowerCase()}`} : {text}]});
  setCtrl(false);
}

function setCtrl(on) {
  ctrl = on;
  at("ctrl").setAttribute("aria-pressed", String(on));
}

// Handles the buttons for keys that phones lack. The field keeps the focus, so
// that the phone's keyboard stays open.
function onPad(event) {
  event.preventDefault();
  const {key} = event.target.dataset;
  if (event.target.id === "ctrl") setCtrl(!ctrl);
  if (key) {
    inOrder("/api/keys", {keys: [{key: (ctrl ? "C-" : "") + key}]});
    setCtrl(false);
  }
  at("keys").focus();
}

// Without bracketed paste, each newline is Enter, so the person must confirm a
// paste of several lines.
function onPaste(event) {
  event.preventDefault();
  const text = event.clipboardData.getData("text/plain");
  if (!text || !facts.mine) return;
  if (bracketed || !text.trimEnd().includes("\n")) {
    inOrder("/api/paste", {text});
    return;
  }
  at("paste-what").textContent = `These are ${text.split("\n").length} lines, and each would be entered at once.`;
  at("paste").classList.add("open");
  at("paste").onsubmit = (submit) => {
    submit.preventDefault();
    closePaste();
    inOrder("/api/paste", {text});
  };
}

function hidePaste() {
  at("paste").classList.remove("open");
  at("paste").onsubmit = null;
}

function closePaste() {
  hidePaste();
  at("keys").focus();
}

function onMouse(event, action) {
  if (!facts.mine || !mouse || event.shiftKey) return;
  const place = terminal.cellAt(event);
  if (!place) return;
  const [row, col] = place;
  event.preventDefault();
  const wheel = event.type === "wheel" ? (event.deltaY < 0 ? 4 : 5) : event.button;
  const modifiers = event.altKey * 2 + event.ctrlKey * 4;
  inOrder("/api/mouse", {action, button: wheel, row, col, modifiers});
  at("keys").focus();
}

// ---- earlier moments and finding

const clock = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n) => String(n).padStart(2, "0");
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
};

let isPast = false;
let shownAt = 0;        // the moment of the past that is shown, in seconds
let measured = [0, 0];  // the session's length in seconds, our clock then
let timer = 0;

function setPast(past) {
  isPast = past;
  document.body.classList.toggle("past", past);
  if (!past) at("then").textContent = "";
}

// Requests the length of the session, and returns to the live screen.
async function measure() {
  setPast(false);
  const reply = await post("/api/moment", {at: null});
  if (!reply) return;
  measured = [reply.age, performance.now()];
  loadTrace();
  tick();
}

const isOver = () => facts.state === "exited" || sessions.find(session)?.live === false;
const lengthNow = () => measured[0] + (isOver() ? 0 : (performance.now() - measured[1]) / 1000);

function tick() {
  const length = lengthNow();
  const slider = at("moment");
  slider.max = trace.toPlace(length);
  slider.value = isPast ? trace.toPlace(shownAt) : slider.max;
  sessions.setText(at("live"), isOver() ? "End" : "Live");
  const now = isPast ? `${clock(shownAt)} of ${clock(length)}` : `${isOver() ? "ended" : "live"}, ${clock(length)}`;
  if (at("clock").textContent !== now) at("clock").textContent = now;
  slider.setAttribute("aria-valuetext", now);
}

let traced = "";
async function loadTrace() {
  const meant = session;
  const reply = await post("/api/trace", {});
  if (!reply || meant !== session) return;
  trace.showTrace(reply, lengthNow());
  tick();
}

// Goes to the output of a command, or to the moment when it was shown.
function goToCommand({row, kept, begin, end}) {
  trace.stop();
  if (isPast || !kept) goToMoment(end ?? begin);
  else terminal.goTo(row);
}

async function copyOutput(number) {
  const reply = await post("/api/output", {number});
  if (!reply) return;
  const copied = await navigator.clipboard.writeText(reply.text).then(() => true, () => false);
  notice(copied ? "The output is copied" : "The browser did not allow copying", true);
}

function showLog(open) {
  at("log").hidden = !open;
  at("show-commands").setAttribute("aria-pressed", String(open));
  remember(localStorage, "log", open);
  if (open) loadTrace();
}

function goLive() {
  terminal.goLatest();
  return measure();
}

function toMoment() {
  const place = Number(at("moment").value);
  if (place >= Number(at("moment").max)) {
    goLive();
    return;
  }
  goToMoment(trace.toSeconds(place));
}

function goToMoment(seconds) {
  if (!isPast) terminal.goLatest();
  setPast(true);
  shownAt = seconds;
  const began = sessions.find(session)?.started_ms;
  const when = began ? ` at ${new Date(began + seconds * 1000).toLocaleTimeString()}` : "";
  at("then").textContent = `This is the screen as it was${when}, ${sessions.ageText((lengthNow() - seconds) * 1000)} ago.`;
  tick();
  inOrder("/api/moment", {at: seconds});
}

// Lists the lines that were found; each is a link to its row.
async function find() {
  const text = at("find").value;
  notice("");
  const reply = text ? await post("/api/find", {text}) : {found: []};
  if (!reply) return;
  at("found").replaceChildren(...reply.found.map(({row, text: found}) => {
    const item = make("li");
    item.append(make("button", {type: "button", textContent: found, onclick: () => terminal.goTo(row)}));
    return item;
  }));
  if (text && !reply.found.length) notice(`"${text}" is not in the last 10,000 lines`, true);
}

// ---- files to save

function keep(blob, ending) {
  const link = make("a", {href: URL.createObjectURL(blob), download: (facts.name ?? "screen") + ending});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// Uses fetch, because a link would not send the key.
async function keepFile(path, ending) {
  const reply = await fetch(path, {headers: ourKey()});
  if (reply.ok) keep(await reply.blob(), ending);
  else notice((await reply.text()).trim());
}

// ---- a stretch of time as an animated picture

function showRange() {
  trace.showRange(Number(at("film-from").value), Number(at("film-to").value));
}

function openFilm(from, to) {
  at("film").classList.add("open");
  at("film-from").value = from.toFixed(1);
  at("film-to").value = to.toFixed(1);
  showRange();
}

function closeFilm() {
  at("film").classList.remove("open");
  trace.showRange(0, 0);
}

function keepFilm(event) {
  event.preventDefault();
  const [from, to] = ["film-from", "film-to"].map((id) => Number(at(id).value));
  if (to <= from) {
    notice("A film ends after it begins", true);
    return;
  }
  closeFilm();
  notice("The film is being made", true);
  const ending = event.submitter?.value === "gif" ? ".gif" : ".png";
  const path = ending === ".gif" ? "/api/movie.gif" : "/api/movie";
  keepFile(`${path}?page=${page}&from=${from}&to=${to}${isLight() ? "&light=1" : ""}`, ending);
}

// ---- start

function bind() {
  forgetInput();
  at("take").onclick = () => inOrder("/api/take", {over: facts.held});
  at("give").onclick = () => inOrder("/api/give", {});
  at("live").onclick = () => {
    trace.stop();
    goLive();
  };
  at("moment").oninput = () => {
    trace.stop();
    toMoment();
  };
  at("find").onchange = find;
  at("find").oninput = () => notice("");
  at("theme").onclick = () => {
    setTheme(!isLight());
    remember(localStorage, "theme", isLight() ? "light" : "dark");
  };
  at("menu").onclick = () => openDrawer(!document.body.classList.contains("drawer"));
  document.querySelector("main").addEventListener("pointerdown", () => openDrawer(false));
  addEventListener("keydown", (event) => event.key === "Escape" && openDrawer(false));
  for (const [id, step] of [["smaller", -1], ["larger", 1], ["fit", 0]]) {
    at(id).onclick = () => remember(localStorage, "zoom", terminal.zoomBy(step));
  }
  at("pad").addEventListener("pointerdown", (event) => event.preventDefault());
  at("pad").addEventListener("click", onPad);
  at("terminal").addEventListener("keydown", onKey);
  at("terminal").addEventListener("mousedown", (event) => onMouse(event, "press"));
  at("terminal").addEventListener("mouseup", (event) => onMouse(event, "release"));
  at("terminal").addEventListener("wheel", (event) => onMouse(event, "press"), {passive: false});
  at("terminal").addEventListener("paste", onPaste);
  at("terminal").addEventListener("click", () => {
    if (facts.mine && getSelection().isCollapsed) at("keys").focus();
  });
  at("keys").addEventListener("input", onInput);
  at("keys").addEventListener("compositionend", onInput);
  at("paste-no").onclick = closePaste;
  at("text").onclick = () => {
    keep(new Blob([terminal.screenText()], {type: "text/plain"}), ".txt");
  };
  at("picture").onclick = () => {
    const light = isLight() ? "&light=1" : "";
    keepFile(`/api/picture?page=${page}${light}`, ".png");
  };
  at("movie").onclick = () => {
    if (at("film").classList.contains("open")) closeFilm();
    else openFilm(isPast ? shownAt : 0, lengthNow());
  };
  at("film").onsubmit = keepFilm;
  at("film").oninput = showRange;
  at("film-no").onclick = closeFilm;
  at("recording").onclick = () => keepFile(`/api/recording?page=${page}`, ".cast");
  at("secret").onsubmit = (event) => {
    event.preventDefault();
    const text = at("secret-text").value;
    at("secret-text").value = "";
    inOrder("/api/secret", {text, prompt: facts.prompt});
  };
  trace.bindTrace({
    show: goToMoment, live: goLive, clock, goTo: goToCommand, copyOutput,
    moment: () => (isPast ? shownAt : lengthNow()), film: openFilm,
    peek: (seconds) => post("/api/peek", {at: seconds}),
  });
  at("show-commands").onclick = () => showLog(at("log").hidden);
  calls.bindCalls({show: trace.showMoment, clock, durationText: trace.durationText}, (tab) => remember(localStorage, "tab", tab));
  calls.chooseTab(recall(localStorage, "tab") === "calls" ? "calls" : "commands");
  showLog(recall(localStorage, "log") === true);
  terminal.bindScreen((from, to) => post("/api/history", {from, to}), keepView);
  sessions.bindSessions(choose, recall(localStorage, "seen") ?? [], (ids) => remember(localStorage, "seen", ids));
  notify.bindNotify(choose, recall(localStorage, "notify") === true, (on) => remember(localStorage, "notify", on));
  overview.bindOverview((ids) => post("/api/overview", {sessions: ids}), choose);
  at("overview").onclick = () => setOverview(!overview.isOpen());
  setTheme((recall(localStorage, "theme") ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark")) === "light");
  overview.openOverview(recall(sessionStorage, "overview") === true);
  terminal.setZoom(recall(localStorage, "zoom"));
  at("ended").open = recall(localStorage, "ended") === true;
  at("ended").addEventListener("toggle", () => remember(localStorage, "ended", at("ended").open));
  timer = setInterval(() => {
    lookAtShown();
    sessions.drawList(session);
    overview.drawOverview();
    if (!session || !page) return;
    tick();
    // While the session prints, commands begin and end. Calls and events may
    // change nothing that is seen, so every five seconds suffices for them.
    const turns = Math.floor(Date.now() / 5000);
    const news = `${session} ${facts.state} ${facts.program} ${facts.held} ${drawn} ${turns}`;
    if (news === traced || document.hidden || overview.isOpen()) return;
    traced = news;
    loadTrace();
  }, 1000);
}

async function begin() {
  bind();
  // Opening another link to the page only changes the fragment.
  addEventListener("hashchange", () => location.reload());
  addEventListener("pagehide", () => {
    closeSecret();
    keepView();
    clearInterval(timer);
  });
  const refused = await enter().catch(() => "");
  for (;;) {
    const again = await listen().catch(() => true);
    page = "";
    forgetInput();
    if (!again) {
      document.body.classList.add("gone");
      if (refused) notice(refused);
      return;
    }
    document.body.classList.add("gone");
    at("clock").textContent = "no connection";
    notice("Connection lost; reconnecting");
    await new Promise((wake) => setTimeout(wake, 1000));
  }
}

begin();
