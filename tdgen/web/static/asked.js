// The instruction, each passage with the functions that it binds and the number of cases that show it.

import { h } from "./dom.js";

// `functions` are the run's, by name; `go` gives the address of a function's name.
export function marked(text, plan, functions, go) {
  const bound = new Map((plan.unassigned ?? []).map((passage) => [passage, []]));
  for (const spec of plan.functions)
    for (const passage of spec.passages ?? []) bound.set(passage, [...(bound.get(passage) ?? []), spec.name]);
  const parts = [];
  let done = 0;
  for (const passage of [...bound.keys()].sort((a, b) => text.indexOf(a) - text.indexOf(b))) {
    const start = text.indexOf(passage, done);
    if (start < 0) continue;
    const links = bound.get(passage).map((name, place) => [place > 0 && " ", link(name, passage, functions.get(name)?.suite, go)]);
    parts.push(text.slice(done, start), passage, " ", h("small", { class: "bound" }, links.length > 0 ? links : h("em", null, "no function")));
    done = start + passage.length;
  }
  return [...parts, text.slice(done)];
}

function link(name, passage, suite, go) {
  const cases = suite ? showing(suite, passage) : null;
  const told = cases === null ? "" : cases.length > 0 ? ` ${cases.length}` : " no case";
  const title = cases === null ? null : cases.map((one) => one.name).join(", ") || "no case shows it";
  return h("a", { href: go(name), title }, name, told);
}

// The cases that show a passage; null where that is not known, or where its author says that none can.
function showing(suite, passage) {
  if (suite.without_case.includes(passage) || !suite.cases.some((one) => one.passages.length > 0)) return null;
  const pinned = (one) => ["instruction", "user"].includes(one.provenance) && one.why;
  return suite.cases.filter((one) => one.passages.includes(passage) || (pinned(one) && (one.why.includes(passage) || passage.includes(one.why))));
}
