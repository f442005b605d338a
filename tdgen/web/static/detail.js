// One function: its contract, its cases, its code beside its tests, and its attempts; or the whole module.

import { attemptsOf, expression, head } from "./attempts.js";
import { block, folded } from "./code.js";
import { breakable, fill, h } from "./dom.js";
import { bestOf } from "./state.js";
import { MARKS, ORIGINS, STATES, count } from "./words.js";

export class Detail {
  // `go` gives the address of a function's name.
  constructor(go) {
    this.go = go;
    this.node = h("section", { class: "detail", "aria-labelledby": "detail-title", tabindex: -1 });
    this.name = null;
  }

  // Draw a function anew; what was opened in it stays open, what was scrolled stays where it was, the focus too.
  show(f, plan) {
    const same = this.name === f.name;
    const kept = same ? this.remembered() : null;
    this.name = f.name;
    fill(this.node, parts(f, plan, this.go));
    if (kept) this.restore(kept);
  }

  showModule(name, source) {
    this.name = null;
    fill(this.node, h("h2", { id: "detail-title" }, name), h("p", null, "The whole module, as the package has it."), block(source, `The module ${name}`));
  }

  empty(told = "What is planned will be seen here.") {
    this.name = null;
    fill(this.node, h("p", { class: "faint" }, told));
  }

  remembered() {
    const nodes = [...this.node.querySelectorAll("details[data-key]")];
    const focused = this.node.contains(document.activeElement) ? document.activeElement : null;
    return {
      open: new Map(nodes.map((node) => [node.dataset.key, node.open])),
      last: nodes.findLast((node) => node.classList.contains("attempt"))?.dataset.key,
      focus: focused?.dataset.key ?? focused?.getAttribute("aria-label"),
      scroll: [...this.node.querySelectorAll("[aria-label]")].map((n) => [n.getAttribute("aria-label"), n.scrollTop, n.scrollLeft]),
    };
  }

  restore(kept) {
    for (const node of this.node.querySelectorAll("details[data-key]")) {
      const was = kept.open.get(node.dataset.key);
      if (was !== undefined && node.open !== was && node.dataset.key !== kept.last) node.open = was;
      else if (was === true) node.open = true;
    }
    for (const [label, top, left] of kept.scroll) {
      const node = top || left ? this.node.querySelector(`[aria-label="${CSS.escape(label)}"]`) : null;
      if (node) [node.scrollTop, node.scrollLeft] = [top, left];
    }
    if (kept.focus) {
      const quoted = CSS.escape(kept.focus);
      this.node.querySelector(`[data-key="${quoted}"], [aria-label="${quoted}"]`)?.focus({ preventScroll: true });
    }
  }
}

function parts(f, plan, go) {
  const state = STATES[f.state] ?? f.state;
  return [
    h("h2", { id: "detail-title" }, breakable(f.name), " ", h("span", { class: `badge ${f.state}` }, `${MARKS[f.state] ?? MARKS.waiting} ${state}`)),
    f.reason && h("p", { class: "reason" }, f.reason),
    f.helps && h("p", { class: "faint" }, "A helper of ", h("code", null, f.helps), ", which resisted and was divided."),
    contract(f.spec, plan, go),
    f.suite && h("h3", null, count(f.suite.cases.length, "case"), f.red && h("small", null, `${f.red.red} of ${f.red.cases} failed while nothing was written, as they should`)),
    casesTable(f),
    trust(f),
    sources(f),
    f.attempts.length > 0 && [h("h3", null, count(f.attempts.length, "attempt")), attemptsOf(f)],
  ];
}

function contract(spec, plan, go) {
  const parameters = spec.parameters.map((p) => `${p.name}: ${p.type}${p.default === null ? "" : ` = ${p.default}`}`);
  const signature = `${spec.is_async ? "async " : ""}def ${spec.name}(${parameters.join(", ")}) -> ${spec.returns.type}`;
  const users = plan.functions.filter((other) => other.dependencies.includes(spec.name)).map((other) => other.name);
  const links = (told, names) =>
    names.length > 0 && h("li", null, `${told} `, names.map((name, place) => [place > 0 && ", ", h("a", { href: go(name) }, h("code", null, name))]));
  const told = [
    spec.returns.description && h("li", null, "returns ", spec.returns.description),
    ...spec.raises.map((one) => h("li", null, "raises ", h("code", null, one.type), ` when ${one.when}`)),
    links("needs", spec.dependencies),
    links("is needed by", users),
  ].filter(Boolean);
  return h(
    "div",
    { class: "contract" },
    h("p", { class: "signature" }, h("code", null, signature)),
    h("p", null, spec.purpose),
    told.length > 0 && h("ul", null, told),
  );
}

// The code, and beside it the test file.
function sources(f) {
  const best = bestOf(f);
  if (!best && !f.tests) return h("p", { class: "faint" }, f.doing || "Nothing is written yet: the tests come first.");
  return h(
    "div",
    { class: "beside" },
    best && block(best.source, `Code of ${f.name}`, f.state === "green" ? "Code" : "Best attempt"),
    f.tests && block(f.tests, `Tests of ${f.name}`, `test_${f.name}.py`),
  );
}

function trust(f) {
  return [
    (f.suite?.properties ?? []).map((one) =>
      h(
        "details",
        { "data-key": `property-${one.name}` },
        h("summary", null, `property ${one.name}`),
        one.why && h("p", null, "Because: ", h("q", null, one.why)),
        block(one.source, `Property ${one.name}`),
      ),
    ),
    f.revisions.length > 0 && [h("h3", null, "Cases that were changed or set aside"), h("ul", { class: "revisions" }, f.revisions.map(revision))],
    f.strength && strength(f.strength),
  ];
}

function casesTable(f) {
  if (!f.suite) return h("p", { class: "faint" }, "No case is written yet.");
  const verdicts = new Map((bestOf(f)?.verdicts ?? []).map((verdict) => [verdict.case, verdict]));
  const held = new Set(f.suite.held_out);
  const rows = f.suite.cases.map((one) => caseRow(one, verdicts.get(one.name), held.has(one.name)));
  return h("div", { class: "cases-frame" }, h("table", { class: "cases", "aria-label": `Cases of ${f.name}` }, head("case", "call", "expected", "actual"), h("tbody", null, rows)));
}

function caseRow(one, verdict, held) {
  const [state, told] = !verdict ? ["waiting", "not run"] : verdict.passed ? ["green", "passes"] : ["red", "fails"];
  const pinned = ["instruction", "user"].includes(one.provenance);
  const word = [one.kind, ORIGINS[one.provenance] ?? one.provenance, pinned && "pinned: never changed", held && "held out of every prompt", ...one.confirmed.map((who) => `confirmed by ${who}`)];
  return h(
    "tr",
    { class: pinned ? "pinned" : null },
    h("td", { class: "case" }, h("span", { class: `mark ${state}`, title: told, role: "img", "aria-label": told }, MARKS[state]), h("div", null, h("strong", null, breakable(one.name)), h("small", null, word.filter(Boolean).join(" · ")))),
    h("td", { "data-label": "call" }, one.setup && h("code", { class: "setup" }, one.setup), folded(expression(one))),
    h("td", { "data-label": "expected" }, expectation(one.expectation), printed("prints", one.stdout), printed("prints to stderr", one.stderr)),
    h("td", { "data-label": "actual" }, actual(verdict)),
  );
}

function printed(what, asked) {
  if (asked === null) return null;
  const isPattern = typeof asked !== "string";
  return h("div", null, `${what} ${isPattern ? "what matches " : ""}`, folded(JSON.stringify(isPattern ? asked.match : asked)));
}

function actual(verdict) {
  if (!verdict) return h("span", { class: "faint" }, "not run");
  if (verdict.passed) return h("span", { class: "faint" }, "as expected");
  return verdict.actual ? folded(verdict.actual) : h("span", null, verdict.detail || verdict.status);
}

function expectation(expected) {
  if (expected.form === "value") return ["return ", folded(expected.source)];
  if (expected.form === "check") return ["satisfy ", folded(expected.source)];
  if (expected.form === "exits") return ["exit with code ", h("code", null, String(expected.code))];
  return ["raise ", h("code", null, expected.type), expected.match && [" with ", h("code", null, expected.match)]];
}

const revision = (one) =>
  h(
    "li",
    null,
    h("code", null, one.case),
    ` was ${one.action}: ${one.reason}`,
    (one.before || one.after) && h("p", null, h("del", null, one.before), " → ", h("ins", null, one.after)),
    one.quote && h("p", null, "Because: ", h("q", null, one.quote)),
  );

function strength(s) {
  const reach = s.lines === null ? "" : `; the cases reach ${Math.round(s.lines * 100)}% of its lines`;
  return [
    h("h3", null, "Mutants"),
    h("p", null, `${s.killed} of ${s.mutants} small changes to the code make a case fail${reach}.`),
    s.survivors.length > 0 &&
      h("ul", null, s.survivors.map((one) => h("li", null, `line ${one.line}: `, h("del", null, one.before), " → ", h("ins", null, one.after)))),
  ];
}
