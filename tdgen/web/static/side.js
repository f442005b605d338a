// The runs of this service and what the cache holds, to go back to.

import { call } from "./api.js";
import { fill, h } from "./dom.js";
import { count } from "./words.js";

export class Side {
  constructor() {
    this.runs = document.getElementById("runs");
    this.kept = document.getElementById("kept");
    this.rows = [];
  }

  async refresh() {
    const [runs, rows] = await Promise.all([call("GET", "/runs"), call("GET", "/history")]);
    this.rows = rows;
    fill(this.runs, runs.length ? runs.slice(0, 60).map(runItem) : h("li", { class: "faint" }, "none yet"));
    fill(this.kept, rows.length ? rows.slice(0, 100).map(keptItem) : h("li", { class: "faint" }, "nothing yet"));
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

function runItem(record) {
  const words = { green: "all green", red: `${record.green} of ${record.functions} green` };
  return h(
    "li",
    { class: record.state },
    h("a", { href: `#/run/${record.id}` }, h("span", { class: "dot" }), h("span", { class: "name" }, record.module || record.title), h("small", null, words[record.state] ?? record.state)),
  );
}

const keptItem = (row) =>
  h("li", { class: "green" }, h("a", { href: `#/kept/${row.key.replace("sha256:", "").slice(0, 16)}` }, h("span", { class: "dot" }), h("span", { class: "name" }, row.instruction), h("small", null, `${count(row.functions, "function")} · ${row.trust} · ${row.created.slice(0, 10)}`)));
