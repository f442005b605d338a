// The box for the prose, and how thoroughly what comes of it is checked.

import { Problem, call } from "./api.js";
import { fill, h } from "./dom.js";

const EXAMPLES = [
  "slugify(text): lower case, words joined by single hyphens, nothing else but letters and digits. slugify(\"Hello, World!\") is \"hello-world\"",
  "Roman numerals both ways: to_roman(n) for 1 to 3999, from_roman(text) for what to_roman gives; anything else is a ValueError",
  "parse_duration(text): \"1h30m\", \"45s\" or \"2d\" to seconds as an int; units in falling order, each once; ValueError otherwise",
];
const HARD = {
  quick: "quick: by its tests",
  standard: "standard: tests tried on mutants too",
  strict: "strict: a second author and properties too",
};

export class Compose {
  constructor(given = {}) {
    this.text = h("textarea", { id: "prose", rows: 7, required: true, "aria-describedby": "prose-hint", spellcheck: true });
    this.trust = h("select", { id: "trust" }, h("option", { value: "" }, "as the server has it"), Object.entries(HARD).map(([value, told]) => h("option", { value }, told)));
    this.budget = h("input", { id: "budget", type: "text", placeholder: "calls=12, seconds=2m", autocomplete: "off" });
    this.tests = h("textarea", { id: "own", rows: 6, class: "mono", spellcheck: false, placeholder: "def test_mine(): …" });
    this.ask = h("input", { id: "ask", type: "checkbox" });
    const { trust, budget, tests, questions } = given.options ?? {};
    Object.assign(this.ask, { checked: questions === "ask" });
    for (const [field, value] of [[this.text, given.instruction], [this.trust, trust], [this.budget, budget], [this.tests, tests]]) field.value = value ?? "";
    this.problem = h("p", { class: "wrong", role: "alert" });
    this.button = h("button", { type: "submit", class: "main" }, "Make it");
    this.node = this.drawn();
  }

  drawn() {
    const form = h(
      "form",
      { class: "compose", "aria-labelledby": "compose-title" },
      h("h1", { id: "compose-title" }, "What should the functions do?"),
      h("label", { for: "prose", class: "unseen" }, "Instruction"),
      this.text,
      h("p", { id: "prose-hint", class: "faint" }, "Say it as you would to a colleague. Examples that you write are pinned: every result meets them. Ctrl+Enter sends it."),
      h("div", { class: "options" }, labelled("trust", "How thoroughly is it checked?", this.trust), labelled("budget", "Spend at most", this.budget), h("label", { class: "check", for: "ask" }, this.ask, "Ask me where it is unclear")),
      h("details", { open: Boolean(this.tests.value) }, h("summary", null, "My own tests"), h("label", { for: "own" }, "A pytest file: what it asserts is pinned"), this.tests),
      this.problem,
      h("div", { class: "actions" }, this.button),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    return h("div", { class: "ask" }, form, this.examples());
  }

  examples() {
    const pick = (example) => {
      this.text.value = example;
      this.text.focus();
    };
    return h(
      "section",
      { class: "examples", "aria-labelledby": "examples-title" },
      h("h2", { id: "examples-title" }, "Or begin with one of these"),
      h("ul", null, EXAMPLES.map((example) => h("li", null, h("button", { type: "button", class: "quiet", onclick: () => pick(example) }, example)))),
    );
  }

  async send() {
    this.button.disabled = true;
    fill(this.problem);
    try {
      const record = await call("POST", "/runs", {
        instruction: this.text.value,
        options: { trust: this.trust.value || null, budget: this.budget.value.replaceAll(" ", ""), tests: this.tests.value, questions: this.ask.checked ? "ask" : "" },
      });
      location.hash = `#/run/${record.id}`;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      fill(this.problem, error.message);
    } finally {
      this.button.disabled = false;
    }
  }
}

const labelled = (id, told, field) => h("p", { class: "field" }, h("label", { for: id }, told), field);
