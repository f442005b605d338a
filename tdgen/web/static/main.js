// Where the page begins: addresses to views, and what a screen reader is told.

import { Problem } from "./api.js";
import { Compose } from "./compose.js";
import { fill, h } from "./dom.js";
import { RunView } from "./runview.js";
import { Side } from "./side.js";
import { tally } from "./state.js";

const main = document.getElementById("main");
const side = new Side();
const live = document.getElementById("live");
const line = document.getElementById("line");
let view = null;
let given = {};
let saying = null;

const page = {
  go(source, name, focus = false) {
    page.focus = focus;
    const address = page.address(source, name);
    if (location.hash === address) route();
    else location.hash = address;
  },
  address: (source, name) => `#/${source.kind}/${source.id}/${encodeURIComponent(name)}`,
  compose(order) {
    given = order;
    location.hash = "#/";
  },
  line(on) {
    line.textContent = on ? "" : "The line is broken; trying again …";
  },
  async row(key) {
    if (side.entries === null) await side.refresh();
    return side.kept.find((row) => row.key.replace("sha256:", "").startsWith(key));
  },
  heard(event, run) {
    if (event.event === "plan_made") say(`Planned ${run.functions.size} functions`);
    if (event.event === "question_asked") say(`A question for you: ${event.question.question}`);
    if (event.event === "function_ended") {
      const { green, red } = tally(run);
      say(`${green} of ${run.functions.size} functions are green${red ? `, ${red} are not` : ""}`);
    }
    if (event.event === "run_ended") say(`The run has ended: ${event.state}`);
    if (["run_ended", "run_started", "plan_made"].includes(event.event)) refreshSoon();
  },
};

// Said at most every second and a half, the latest word only.
function say(text) {
  if (saying === null) setTimeout(() => ([live.textContent, saying] = [saying, null]), 1500);
  saying = text;
}

let refreshing = null;
function refreshSoon() {
  clearTimeout(refreshing);
  refreshing = setTimeout(() => side.refresh().catch(failed), 250);
}

async function route() {
  const [, kind, id, name] = location.hash.split("/");
  const picked = name === undefined ? null : decodeURIComponent(name);
  document.body.classList.remove("menu-open");
  document.getElementById("menu").setAttribute("aria-expanded", "false");
  if (view && view.source.kind === kind && view.source.id === id) {
    view.pick(picked, page.focus);
    page.focus = false;
    return;
  }
  view?.close();
  view = null;
  line.textContent = "";
  side.mark();
  if (kind !== "run" && kind !== "kept") {
    document.title = "tdgen";
    const compose = new Compose(given);
    given = {};
    fill(main, compose.node);
    compose.text.focus();
    return;
  }
  view = new RunView({ kind, id }, page, picked);
  fill(main, view.node);
  scrollTo(0, 0);
  view.title.focus({ preventScroll: true });
  await view.open().catch(failed);
}

function failed(error) {
  if (!(error instanceof Problem)) throw error;
  fill(main, h("div", { class: "ask" }, h("h1", null, "That can't be shown"), h("p", { class: "wrong", role: "alert" }, error.message), h("p", null, h("a", { href: "#/" }, "Begin anew"))));
}

document.getElementById("menu").addEventListener("click", (event) => {
  const open = document.body.classList.toggle("menu-open");
  event.currentTarget.setAttribute("aria-expanded", String(open));
});
addEventListener("hashchange", route);
route();
side.refresh().catch(failed);
