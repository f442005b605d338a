// Attempts at a function: what changed from the last, and what each failing case expected against what it saw.

import { block, changes, folded } from "./code.js";
import { breakable, h } from "./dom.js";
import { MARKS, RUNGS, attemptTold, isGreen } from "./words.js";

export function attemptsOf(f) {
  return f.attempts.map((attempt, place) => attemptNode(f, attempt, earlier(f.attempts, place)));
}

// The attempt before it in the same line of thought; one of another line shares no code with it.
const earlier = (attempts, place) =>
  attempts.slice(0, place).findLast((other) => other.line === attempts[place].line) ?? null;

function attemptNode(f, attempt, before) {
  const green = isGreen(attempt);
  const key = `attempt-${attempt.line}-${attempt.number}`;
  const details = h(
    "details",
    { class: "attempt", "data-key": key, open: !green && attempt === f.attempts.at(-1) },
    h(
      "summary",
      { "data-key": `${key}-summary` },
      h("span", { class: `badge ${green ? "green" : "red"}` }, `${green ? MARKS.green : MARKS.red} attempt ${attempt.number}`),
      ` ${attemptTold(attempt)}: ${RUNGS[attempt.rung] ?? attempt.rung}`,
    ),
  );
  const show = () => details.childElementCount === 1 && details.append(...content(f, attempt, before).flat());
  details.addEventListener("toggle", () => details.open && show());
  if (details.open) show();
  return details;
}

function content(f, attempt, before) {
  const label = `Attempt ${attempt.number} at ${f.name}`;
  const failed = attempt.verdicts.filter((verdict) => !verdict.passed);
  return [
    ...listed("Stands against it", [...attempt.findings, ...attempt.vetoes]),
    ...listed("Put right without asking again", attempt.mended),
    ...failed.map((verdict) => failing(f, verdict)),
    before ? [h("h5", null, `Changed since attempt ${before.number}`), changes(before.source, attempt.source, `${label}, changes`)] : block(attempt.source, label, "Its source"),
  ];
}

const listed = (title, lines) =>
  lines.length ? [h("h5", null, title), h("ul", null, lines.map((line) => h("li", null, line)))] : [];

function failing(f, verdict) {
  const found = f.suite?.cases.find((other) => other.name === verdict.case);
  const told = verdict.differences.map((one) =>
    h("tr", null, h("td", null, one.where || "result"), cell(one.expected), cell(one.actual)),
  );
  return h(
    "div",
    { class: "failing" },
    h("h5", null, breakable(verdict.case)),
    found && h("div", { class: "call" }, folded(expression(found))),
    told.length > 0 &&
      h("table", { class: "difference", "aria-label": `Difference in ${verdict.case}` }, head("where", "expected", "actual"), h("tbody", null, told)),
    verdict.detail && h("p", null, verdict.detail),
    verdict.actual && !told.length && h("div", null, "It did this: ", folded(verdict.actual)),
    verdict.raised && raised(verdict.raised),
  );
}

const cell = (source) => h("td", null, folded(source));
export const head = (...titles) =>
  h("thead", null, h("tr", null, titles.map((title) => h("th", { scope: "col" }, title))));
export const expression = (one) => one.call || `${one.function}(${one.arguments.join(", ")})`;

function raised(exception) {
  const type = exception.types[0] ?? "unknown";
  const frames = exception.frames.map((frame) =>
    h(
      "li",
      null,
      h("code", null, `${frame.function}, line ${frame.line}: ${frame.text.trim()}`),
      h("small", null, Object.entries(frame.locals).map(([name, value]) => `${name} = ${value}`).join(", ")),
    ),
  );
  return h(
    "div",
    { class: "raised" },
    h("p", null, h("code", null, exception.message ? `${type}: ${exception.message}` : type)),
    frames.length > 0 && h("ol", null, frames),
  );
}
