// How things are said: counts, states, money, and an event in a line.

// 12,345. Intl would do it too, but takes longer to load than the page to be drawn.
export const figure = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
export const count = (number, noun) => `${figure(number)} ${noun}${number === 1 ? "" : "s"}`;
export const money = (amount) => (amount === null || amount === undefined ? "" : `$${amount.toFixed(amount < 1 ? 4 : 2)}`);
export const seconds = (s) => (s < 9.95 ? `${s.toFixed(1)} s` : s < 90 ? `${Math.round(s)} s` : `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`);

export const STAGES = {
  plan: "Plan",
  order: "Order",
  tests: "Tests",
  red: "See red",
  weigh: "Weigh",
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

export const RUNGS = {
  first: "written from the contract",
  rival: "written by another line of thought",
  kept: "kept from an earlier solution",
  mechanical: "found by search, without a model",
  repair: "repaired from what failed",
  trace: "repaired from a trace of the run",
  fresh: "begun anew",
  helpers: "divided into helpers",
};

export const ORIGINS = {
  instruction: "your words",
  user: "your own test",
  model: "the test author",
  property: "a property",
  survivor: "a mutant that survived",
  caller: "a function that calls it",
};

const PURPOSES = {
  plan: ["planner", "plans the functions"],
  cases: ["tester", "writes cases for"],
  settle: ["tester", "settles what was open in"],
  properties: ["tester", "writes properties of"],
  trial: ["tester", "tries a doubtful case of"],
  implement: ["developer", "writes"],
  repair: ["developer", "repairs"],
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
  !attempt.vetoes.length;

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
