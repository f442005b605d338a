// What was solved here: the runs of this service and what the cache holds besides, each once, to search and go back to.

import { call } from "./api.js";
import { fill, h } from "./dom.js";
import { MARKS, ago, count } from "./words.js";

const MOST = 80; // shown at once; a search finds the others
const MINUTE = 60_000;

export class Side {
  constructor() {
    this.list = document.getElementById("runs");
    this.search = document.getElementById("search");
    this.search.addEventListener("input", () => this.draw());
    this.kept = [];
    this.entries = null;
    setInterval(() => this.draw(), MINUTE);
  }

  async refresh() {
    const [runs, kept] = await Promise.all([call("GET", "/runs"), call("GET", "/history")]);
    this.kept = kept;
    this.entries = entries(runs, kept);
    this.draw();
  }

  draw() {
    if (this.entries === null) return;
    const words = this.search.value.trim().toLowerCase().split(/\s+/);
    const found = this.entries.filter(({ text }) => words.every((word) => text.includes(word)));
    const none = this.entries.length ? "Nothing of that name." : "Nothing yet.";
    const more = found.length > MOST && h("li", { class: "faint" }, `${count(found.length - MOST, "further")}: search for one`);
    fill(this.list, found.length ? found.slice(0, MOST).map(item) : h("li", { class: "faint" }, none), more);
    this.mark();
  }

  // Mark where we are.
  mark() {
    const here = location.hash.split("/").slice(0, 3).join("/");
    for (const link of document.querySelectorAll("#side a")) {
      if (link.getAttribute("href") === here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }
}

// Runs, and kept solutions that are no run's, the newest first; of runs that came to the same solution the newest.
function entries(runs, kept) {
  const seen = new Set();
  const found = [];
  for (const run of runs) {
    if (run.state === "green" && seen.has(run.key)) continue;
    if (run.state === "green") seen.add(run.key);
    found.push(entry(`#/run/${run.id}`, run.state, run, run.title, run.module, run.state === "red" ? `${run.green} of ${run.functions} green` : ""));
  }
  for (const row of kept) {
    if (seen.has(row.key)) continue;
    found.push(entry(`#/kept/${row.key.replace("sha256:", "").slice(0, 16)}`, "green", row, row.instruction, "", ""));
  }
  return found.sort((a, b) => b.created.localeCompare(a.created));
}

function entry(href, state, { names, created }, title, module, told) {
  return { href, state, names, created, title, told: told || state, text: [title, module, state, ...names].join(" ").toLowerCase() };
}

function item({ href, state, names, created, title, told }) {
  const name = names.length ? h("code", null, names.slice(0, 2).join(", "), names.length > 2 && ` +${names.length - 2}`) : title;
  return h(
    "li",
    { class: state },
    h(
      "a",
      { href, title },
      h("span", { class: `mark ${state}`, "aria-hidden": "true" }, MARKS[state]),
      h("span", { class: "name" }, name),
      h("small", null, `${told} · `, h("time", { datetime: created, title: new Date(created).toLocaleString() }, ago(created))),
    ),
  );
}
