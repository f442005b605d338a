// Open questions: what is not clear, what is assumed where nobody answers, and a way to answer.

import { Problem, call } from "./api.js";
import { fill, h } from "./dom.js";

export class Questions {
  constructor(run) {
    this.id = run;
    this.forms = new Map();
    this.list = h("div", { class: "asked" });
    this.node = h("section", { class: "questions", "aria-labelledby": "questions-title", hidden: true }, h("h2", { id: "questions-title" }, "A question for you"), this.list);
  }

  show(run) {
    const open = unanswered(run);
    for (const [number, form] of this.forms) {
      if (!open.some((question) => question.number === number)) {
        form.remove();
        this.forms.delete(number);
      }
    }
    for (const question of open) {
      if (this.forms.has(question.number)) continue;
      const form = this.form(question);
      this.forms.set(question.number, form);
      this.list.append(form);
    }
    this.node.hidden = open.length === 0;
  }

  form(question) {
    const name = `question-${question.number}`;
    const choices = question.options.map((option, place) => choice(name, String(place + 1), option));
    // A call whose result is open takes a result; a question in words takes words.
    const [label, hint] = question.options.length ? ["or another result", "a value such as [] or raises ValueError"] : ["Say how it is meant", ""];
    const own = h("input", { type: "text", id: `${name}-own`, autocomplete: "off", placeholder: hint });
    const problem = h("p", { class: "wrong", role: "alert" });
    const send = async (answer) => {
      try {
        await call("POST", `/runs/${this.id}/answers`, { question: question.number, answer });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        fill(problem, error.message);
      }
    };
    const form = h(
      "form",
      { class: "question" },
      h("fieldset", null, h("legend", null, question.total > 1 && h("small", null, `Question ${question.place} of ${question.total} `), question.question), choices, h("label", { for: `${name}-own` }, label), own),
      problem,
      h(
        "div",
        { class: "actions" },
        h("button", { type: "submit" }, "Answer"),
        h("button", { type: "button", class: "quiet", onclick: () => send("") }, `Take the assumption: ${question.assumption}`),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const picked = form.querySelector(`input[name="${name}"]:checked`);
      send(own.value.trim() || picked?.value || "");
    });
    return form;
  }
}

// The questions for whose answers the run waits.
export const unanswered = (run) => [...run.questions.values()].filter((question) => question.answer === null && run.ended === null);

const choice = (name, value, told) =>
  h("label", { class: "choice" }, h("input", { type: "radio", name, value }), h("code", null, told));

// What was unclear in the plan, or was asked, with what was taken for it.
export function assumed(questions) {
  if (!questions.length) return null;
  return h(
    "section",
    { class: "assumed", "aria-labelledby": "assumed-title" },
    h("h2", { id: "assumed-title" }, "What was unclear"),
    h("ul", null, questions.map((q) => h("li", null, q.question, " ", h("strong", null, q.answered ? "You said: " : "Assumed: "), q.assumption))),
  );
}
