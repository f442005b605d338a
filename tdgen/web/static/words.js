// How things are said: counts, states, money, moments, and an event in a line. What the story says too is the service's.

export { BOX, LONGEST, MARKS, ORIGINS, ROLES, RUNGS } from "./told.js";

// 12,345. Intl would do it too, but takes longer to load than the page to be drawn.
export const figure = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
export const count = (number, noun) => `${figure(number)} ${noun}${number === 1 ? "" : "s"}`;
export const money = (amount) => (amount === null || amount === undefined ? "" : `$${amount.toFixed(amount < 1 ? 4 : 2)}`);
export function seconds(s) {
  if (s < 9.95) return `${s.toFixed(1)} s`;
  const whole = Math.round(s);
  return whole < 90 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

// How long ago a moment was, in the largest unit.
export function ago(moment, now = Date.now()) {
  const s = Math.max(0, (now - Date.parse(moment)) / 1000);
  if (s < 60) return "just now";
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ago`;
  return s < 30 * 86400 ? count(Math.floor(s / 86400), "day") + " ago" : moment.slice(0, 10);
}

export const STAGES = {
  plan: "Plan",
  order: "Order",
  reading: "Second reading",
  tests: "Tests",
  red: "See red",
  weigh: "Weigh",
  compare: "Compare",
  confirm: "Confirm",
  properties: "Properties",
  build: "Build",
  finish: "Finish",
};

export const STATES = {
  waiting: "waiting",
  tests: "tests written",
  work: "being written",
  green: "green",
  red: "red",
  blocked: "blocked",
  undecided: "undecided",
};

const PURPOSES = {
  plan: ["planner", "plans the functions"],
  cases: ["tester", "writes cases for"],
  settle: ["tester", "settles what was open in"],
  properties: ["tester", "writes properties of"],
  trial: ["tester", "checks a doubtful case of"],
  implement: ["developer", "writes"],
  repair: ["developer", "repairs"],
  reading: ["developer", "reads the instruction a second time"],
};

export const roleOf = (purpose) => (PURPOSES[purpose] ?? ["developer"])[0];

export function doingOf(purpose, subject, attempt) {
  const what = (PURPOSES[purpose] ?? ["", purpose])[1];
  const again = attempt > 1 && ["implement", "repair"].includes(purpose) ? `, attempt ${attempt}` : "";
  return `${what}${subject ? ` ${subject}` : ""}${again}`;
}

export const passing = (attempt) => attempt.verdicts.filter((verdict) => verdict.passed).length;

export const isGreen = (attempt) =>
  attempt.verdicts.length > 0 &&
  passing(attempt) === attempt.verdicts.length &&
  !attempt.findings.length &&
  !attempt.vetoes.length &&
  attempt.rung !== "mechanical"; // what only a search found is a guess

export function attemptTold(attempt) {
  if (!attempt.verdicts.length) return attempt.findings[0] ?? "not run";
  return `${passing(attempt)} of ${count(attempt.verdicts.length, "case")} pass`;
}

// An event as a line of the timeline; null for those that are not worth one.
export function told(event) {
  switch (event.event) {
    case "run_started":
      return event.start > 1 ? "went on after the service was restarted" : "started";
    case "plan_made":
      return `planned ${count(event.plan.functions.length, "function")} in ${event.plan.module}`;
    case "suite_written":
      return `${event.suite.function}: ${count(event.suite.cases.length, "case")} written`;
    case "red_seen":
      return `${event.function}: ${event.red} of ${count(event.cases, "case")} fail while nothing is written, as they should`;
    case "attempt_judged":
      return `${event.attempt.function}, attempt ${event.attempt.number}: ${attemptTold(event.attempt)}`;
    case "function_ended":
      return `${event.function}: ${event.outcome}${event.reused ? " (kept from before)" : ""}${event.reason ? `: ${event.reason}` : ""}`;
    case "helpers_dropped":
      return `${event.spec.name}: its ${count(event.helpers.length, "helper")} ${event.helpers.join(", ")} ${event.helpers.length === 1 ? "is" : "are"} not kept`;
    case "case_revised":
      return `${event.revision.function}: the case ${event.revision.case} was ${event.revision.action}: ${event.revision.reason}`;
    case "question_asked":
      return `asked: ${event.question.question}`;
    case "question_answered":
      return event.answer ? `answered: ${event.answer}` : "no answer: the assumption was taken";
    case "noted":
      return event.text;
    case "run_ended":
      return `ended: ${event.state}${event.error ? `: ${event.error}` : ""}`;
    default:
      return null;
  }
}
