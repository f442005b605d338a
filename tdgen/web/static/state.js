// What a run is, folded from its events. `fold` says what an event changed, so that only that is drawn again.

import { STAGES, doingOf, isGreen, roleOf, told } from "./words.js";

const LONGEST_LOG = 300;

export function newRun() {
  return {
    state: "queued",
    stage: "",
    stages: new Map(Object.keys(STAGES).map((name) => [name, { state: "waiting" }])),
    plan: null,
    functions: new Map(),
    roles: new Map(["planner", "tester", "developer"].map((name) => [name, { doing: new Map(), done: 0, last: "" }])),
    budget: null,
    questions: new Map(),
    log: [],
    error: "",
    advice: "",
    model: "",
    graph: null,
    package: false,
    summary: null,
    began: null,
    ended: null,
    last: null,
  };
}

const newFunction = (spec) => ({
  name: spec.name,
  spec,
  helps: "",
  state: "waiting",
  doing: "",
  suite: null,
  red: null,
  attempts: [],
  revisions: [],
  reason: "",
  strength: null,
  tests: "",
});

// The parts of the view that an event touches: "head", "roles", "plan", "graph", "questions", "log", or a function's name.
export function fold(run, event) {
  run.last = event.at ?? run.last;
  const line = told(event);
  const touched = [];
  if (line !== null) {
    run.log.push({ at: event.at, line });
    if (run.log.length > LONGEST_LOG) run.log.shift();
    touched.push({ part: "log" });
  }
  const change = CHANGES[event.event];
  return change ? touched.concat(change(run, event) ?? []) : touched;
}

const head = { part: "head" };
const at = (name) => ({ part: "function", name });

const CHANGES = {
  run_started(run, event) {
    const began = run.began ?? event.at;
    const { log } = run;
    Object.assign(run, newRun(), { state: "running", began, log, model: event.model ?? "" });
    return [{ part: "all" }];
  },
  stage_started(run, event) {
    run.stage = event.stage;
    run.stages.set(event.stage, { state: "current" });
    return [head];
  },
  stage_finished(run, event) {
    run.stages.set(event.stage, { state: "done", seconds: event.seconds });
    return [head];
  },
  plan_made(run, event) {
    run.plan = event.plan;
    run.functions = new Map(event.plan.functions.map((spec) => [spec.name, newFunction(spec)]));
    return [head, { part: "plan" }];
  },
  function_divided(run, event) {
    const helpers = event.helpers.map((spec) => ({ ...newFunction(spec), helps: event.spec.name }));
    replan(run, (f) => (f.name === event.spec.name ? [...helpers, Object.assign(f, { spec: event.spec })] : [f]));
    return [head, { part: "plan" }];
  },
  helpers_dropped(run, event) {
    const dropped = new Set(event.helpers);
    replan(run, (f) => (f.name === event.spec.name ? [Object.assign(f, { spec: event.spec })] : dropped.has(f.name) ? [] : [f]));
    return [head, { part: "plan" }];
  },
  graph_laid_out(run, event) {
    run.graph = event.graph;
    return [{ part: "graph" }];
  },
  suite_written: (run, event) =>
    having(run, event.suite.function, (f) => {
      f.suite = event.suite;
      if (f.state === "waiting") f.state = "tests";
    }),
  red_seen: (run, event) => having(run, event.function, (f) => (f.red = { red: event.red, cases: event.cases })),
  attempt_started: (run, event) =>
    having(run, event.function, (f) => {
      f.state = "work";
      f.doing = `attempt ${event.number}`;
    }),
  attempt_judged: (run, event) =>
    having(run, event.attempt.function, (f) => {
      f.attempts = f.attempts.filter((other) => other.number !== event.attempt.number || other.line !== event.attempt.line);
      f.attempts.push(event.attempt);
      f.doing = "";
      f.state = "work";
    }),
  function_ended: (run, event) =>
    having(run, event.function, (f) => Object.assign(f, { state: event.outcome, reason: event.reason, doing: "" })),
  function_told: (run, event) =>
    having(run, event.function, (f) =>
      Object.assign(f, { suite: event.suite, strength: event.strength, tests: event.tests, best: event.best }),
    ),
  case_revised: (run, event) => having(run, event.revision.function, (f) => f.revisions.push(event.revision)),
  model_asked(run, event) {
    const role = run.roles.get(roleOf(event.purpose));
    role.doing.set(keyOf(event), { told: doingOf(event.purpose, event.subject, event.attempt), characters: 0 });
    return [{ part: "roles" }];
  },
  model_wrote(run, event) {
    for (const doing of run.roles.get(roleOf(event.purpose)).doing.entries()) {
      if (doing[0].startsWith(`${event.purpose}/${event.subject}/`)) doing[1].characters = event.characters;
    }
    return [{ part: "roles" }];
  },
  model_answered(run, event) {
    const role = run.roles.get(roleOf(event.purpose));
    role.doing.delete(keyOf(event));
    role.done += 1;
    role.last = doingOf(event.purpose, event.subject, event.attempt);
    return [{ part: "roles" }];
  },
  budget_told(run, event) {
    run.budget = event;
    return [head];
  },
  question_asked(run, event) {
    run.questions.set(event.number, { ...event.question, number: event.number, answer: null });
    return [head, { part: "questions" }];
  },
  question_answered(run, event) {
    const question = run.questions.get(event.number);
    if (question) question.answer = event.answer;
    return [head, { part: "questions" }];
  },
  solution_told(run, event) {
    Object.assign(run, { summary: event, model: event.model || run.model });
    return [{ part: "summary" }];
  },
  run_ended(run, event) {
    Object.assign(run, { state: event.state, error: event.error, advice: event.advice ?? "", package: event.package, key: event.key, ended: event.at });
    for (const role of run.roles.values()) role.doing.clear();
    return ["head", "roles", "questions", "summary"].map((part) => ({ part }));
  },
};

// The functions as they are now planned: each gives those that take its place.
function replan(run, instead) {
  const functions = [...run.functions.values()].flatMap(instead);
  run.functions = new Map(functions.map((f) => [f.name, f]));
  run.plan = { ...run.plan, functions: functions.map((f) => f.spec) };
}

const keyOf = (event) => `${event.purpose}/${event.subject}/${event.attempt}`;

function having(run, name, change) {
  const found = run.functions.get(name);
  if (!found) return [];
  change(found);
  return [at(name), head];
}

export function bestOf(f) {
  const told = f.best && f.attempts.find((attempt) => attempt.number === f.best.number && attempt.line === f.best.line);
  return told ?? f.attempts.find(isGreen) ?? f.attempts.at(-1) ?? null;
}

export function tally(run) {
  const counts = { green: 0, red: 0, work: 0, waiting: 0 };
  for (const f of run.functions.values()) {
    const kind = f.state === "green" ? "green" : ["red", "blocked", "undecided"].includes(f.state) ? "red" : f.state === "work" ? "work" : "waiting";
    counts[kind] += 1;
  }
  return counts;
}
