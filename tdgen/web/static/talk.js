// What is said to a run that has ended: why something is as it is, and where all is green what should change; and what a
// change touched.

import { Problem, call } from "./api.js";
import { fill, h } from "./dom.js";

const WHY = /^\s*why\b/i;

// The box at the foot of a run. `base` is the run's address, `followed` its key where it is kept and no run. Who says
// more to what is not green is told so by the service.
export function talkBox(base, followed, isGreen) {
  const told = isGreen ? "What should change? Or ask: why …?" : "Ask: why …?";
  const text = h("textarea", { id: "follow", rows: 1, required: true, placeholder: told, title: "Only what your words touch is built anew. A question is answered from the record." });
  const problem = h("p", { class: "wrong", role: "alert" });
  const answers = h("div", { class: "answers", role: "log", tabindex: 0, "aria-label": "Questions and answers" });
  const form = h("form", { class: "follow" }, answers, h("label", { for: "follow", class: "unseen" }, told), text, h("button", { type: "submit" }, "Send"), problem);
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fill(problem);
    try {
      if (WHY.test(text.value)) {
        const found = await call("GET", `${base}/why?question=${encodeURIComponent(text.value)}`);
        answers.append(h("p", { class: "asked-why" }, text.value.trim()), lines(found.lines));
        answers.lastElementChild.previousElementSibling.scrollIntoView({ block: "nearest" });
        text.value = "";
      } else location.hash = `#/run/${(await sent(base, followed, text.value)).id}`;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      fill(problem, error.message);
    }
  });
  return form;
}

function sent(base, followed, instruction) {
  return followed ? call("POST", "/runs", { instruction, follow: followed }) : call("POST", `${base}/follow`, { instruction });
}

// What a kept solution changed of the one that it follows, and what it left alone; nothing where that is not kept.
export async function touched(key) {
  const found = await call("GET", `/history/${key}/turn`).catch(() => null);
  return found && h("details", { class: "touched", open: true }, h("summary", null, "What this changed"), lines(found.lines));
}

// Lines of a record, in columns as they come; one that is folded hangs, so that it is told from the next.
function lines(told) {
  return h("div", { class: "record" }, told.map((line) => h("p", null, line)));
}
