// One function: its contract, its tests beside its code, its attempts, and how far its tests are to be trusted.

import { attemptsOf, expression, head } from "./attempts.js";
import { block } from "./code.js";
import { breakable, fill, h } from "./dom.js";
import { bestOf } from "./state.js";
import { ORIGINS, STATES, count } from "./words.js";

export class Detail {
  constructor() {
    this.node = h("section", { class: "detail", "aria-labelledby": "detail-title", tabindex: -1 });
    this.name = null;
  }

  // Draw a function anew; what was opened in it stays open, what was scrolled stays where it was, the focus too.
  show(f) {
    const same = this.name === f.name;
    const kept = same ? this.remembered() : null;
    this.name = f.name;
    fill(this.node, parts(f));
    if (kept) this.restore(kept);
  }

  empty() {
    this.name = null;
    fill(this.node, h("p", { class: "faint" }, "What is planned will be seen here."));
  }

  remembered() {
    const nodes = [...this.node.querySelectorAll("details[data-key]")];
    const focused = this.node.contains(document.activeElement) ? document.activeElement : null;
    return {
      open: new Map(nodes.map((node) => [node.dataset.key, node.open])),
      last: nodes.at(-1)?.dataset.key,
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

function parts(f) {
  return [
    h("h2", { id: "detail-title" }, f.name, " ", h("span", { class: `badge ${f.state}` }, STATES[f.state] ?? f.state)),
    f.reason && h("p", { class: "reason" }, f.reason),
    f.helps && h("p", { class: "faint" }, "A helper of ", h("code", null, f.helps), ", which resisted and was divided."),
    contract(f.spec),
    beside(f),
    trust(f),
    f.attempts.length > 0 && [h("h3", null, count(f.attempts.length, "attempt")), attemptsOf(f)],
  ];
}

function contract(spec) {
  const parameters = spec.parameters.map((p) => `${p.name}: ${p.type}${p.default === null ? "" : ` = ${p.default}`}`);
  const signature = `${spec.is_async ? "async " : ""}def ${spec.name}(${parameters.join(", ")}) -> ${spec.returns.type}`;
  const told = [
    spec.returns.description && h("li", null, "returns ", spec.returns.description),
    ...spec.raises.map((one) => h("li", null, "raises ", h("code", null, one.type), ` when ${one.when}`)),
    spec.dependencies.length > 0 && h("li", null, "needs ", h("code", null, spec.dependencies.join(", "))),
  ].filter(Boolean);
  return h(
    "div",
    { class: "contract" },
    h("p", { class: "signature" }, h("code", null, signature)),
    h("p", null, spec.purpose),
    told.length > 0 && h("ul", null, told),
  );
}

function beside(f) {
  const best = bestOf(f);
  const title = !best ? "Its code" : f.state === "green" ? "Its code" : "Its best attempt";
  return h(
    "div",
    { class: "beside" },
    h("div", null, h("h3", null, f.tests ? `test_${f.name}.py` : "Its cases"), f.tests ? block(f.tests, `Tests of ${f.name}`) : casesTable(f)),
    h("div", null, h("h3", null, title), best ? block(best.source, `Code of ${f.name}`) : h("p", { class: "faint" }, f.doing || "Nothing is written yet: the tests come first.")),
  );
}

function trust(f) {
  return [
    f.tests && [h("h3", null, `${count(f.suite.cases.length, "case")}, and on whose word`), casesTable(f)],
    f.red && h("p", { class: "faint" }, `${f.red.red} of ${count(f.red.cases, "case")} failed while nothing was written, as they should.`),
    (f.suite?.properties ?? []).map((one) =>
      h(
        "details",
        { "data-key": `property-${one.name}` },
        h("summary", null, `property ${one.name}`),
        one.why && h("p", null, "Because: ", h("q", null, one.why)),
        block(one.source, `Property ${one.name}`),
      ),
    ),
    f.revisions.length > 0 && [h("h3", null, "What became of some cases"), h("ul", { class: "revisions" }, f.revisions.map(revision))],
    f.strength && strength(f.strength),
  ];
}

function casesTable(f) {
  if (!f.suite) return h("p", { class: "faint" }, "No case is written yet.");
  const verdicts = new Map((bestOf(f)?.verdicts ?? []).map((verdict) => [verdict.case, verdict]));
  const held = new Set(f.suite.held_out);
  const rows = f.suite.cases.map((one) => {
    const verdict = verdicts.get(one.name);
    const [state, told] = !verdict ? ["waiting", "not run"] : verdict.passed ? ["green", "passes"] : ["red", "fails"];
    const law = ["instruction", "user"].includes(one.provenance);
    return h(
      "tr",
      { class: law ? "law" : null },
      h("td", null, h("span", { class: `badge ${state}` }, told)),
      h("td", null, breakable(one.name), h("small", null, one.kind)),
      h("td", null, one.setup && h("code", { class: "setup" }, one.setup), h("code", null, expression(one))),
      h("td", null, expectation(one.expectation)),
      h(
        "td",
        null,
        ORIGINS[one.provenance] ?? one.provenance,
        one.confirmed.map((who) => h("small", null, `confirmed by ${who}`)),
        law && h("small", null, "law: never changed"),
        held.has(one.name) && h("small", null, "held out: no prompt shows it"),
      ),
    );
  });
  return h(
    "div",
    { class: "wide cases-frame", tabindex: 0, role: "region", "aria-label": `Cases of ${f.name}` },
    h("table", { class: "cases" }, head("state", "case", "call", "must", "on whose word"), h("tbody", null, rows)),
  );
}

function expectation(expected) {
  if (expected.form === "value") return ["return ", h("code", null, expected.source)];
  if (expected.form === "check") return ["satisfy ", h("code", null, expected.source)];
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
    h("h3", null, "How hard its suite is to deceive"),
    h("p", null, `${s.killed} of ${s.mutants} small changes to the code make a case fail${reach}.`),
    s.survivors.length > 0 &&
      h("ul", null, s.survivors.map((one) => h("li", null, `line ${one.line}: `, h("del", null, one.before), " → ", h("ins", null, one.after)))),
  ];
}
