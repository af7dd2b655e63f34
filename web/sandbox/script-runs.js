import { ApiProblem, api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { onLanguageChange, t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";
import { SteadyList } from "../lib/steady-list.js";
import { formatClock } from "../lib/time.js";
import { stateWords } from "./script-run.js";

const PATH = "/api/sandbox/runs";
/** While a script runs, its state is read this often. */
const LOOK_MILLISECONDS = 700;

/**
 * The scripts that run in the sandbox of an ordinary server, and the last ones that ended: one of them whole, the others by name.
 *
 * Method: `start(text)`.
 */
export class ScriptRuns extends HTMLElement {
  #runs = [];
  #chosen = null;
  #timer = 0;
  #list = h("ul", { class: "sc-runs", "aria-labelledby": "sc-runs-title" });
  #steady = new SteadyList(this.#list);
  #title = h("h2", { class: "sc-runs-title", id: "sc-runs-title" });
  #shown = document.createElement("script-run");
  #news = h("p", { class: "fd-error", role: "alert" });
  #endLanguage = () => {};

  connectedCallback() {
    if (!this.firstChild) {
      this.append(this.#news, this.#shown, this.#title, this.#list);
      this.addEventListener("skip-wait", (event) => this.#post("skip", { line: event.detail.line }));
      this.addEventListener("stop-run", () => this.#post("stop"));
    }
    this.#endLanguage = onLanguageChange(() => this.#drawList());
    this.#look();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#endLanguage();
  }

  /** Begins a run and shows it. Throws the refusal. @param {string} text */
  async start(text) {
    try {
      const run = await api.postText(PATH, text, { contentType: "text/plain; charset=utf-8" });
      this.#chosen = run.id;
      this.#shown.run = run;
    } finally {
      // What is refused because of other runs shows them.
      await this.#look();
    }
  }

  /** Reads the runs, the chosen one whole; again while one of them runs. */
  async #look() {
    clearTimeout(this.#timer);
    await this.#try(async () => {
      this.#runs = (await api.get(PATH)).data;
      this.#chosen ??= this.#runs[0]?.id ?? null;
      if (!this.#runs.some(({ id }) => id === this.#chosen)) this.#chosen = this.#runs[0]?.id ?? null;
      const id = this.#chosen;
      const whole = id && await api.get(`${PATH}/${encodeURIComponent(id)}`);
      if (id === this.#chosen) this.#shown.run = whole;
      // What was read last counts, so that the row says the same as the run.
      this.#runs = this.#runs.map((run) => run.id === id ? whole : run);
      this.#drawList();
    });
    clearTimeout(this.#timer);
    const isWatched = this.isConnected && this.#runs.some((run) => run.state === "running");
    if (isWatched) this.#timer = setTimeout(() => this.#look(), LOOK_MILLISECONDS);
  }

  #drawList() {
    this.#title.hidden = this.#list.hidden = this.#runs.length < 2;
    this.#title.textContent = t("sandbox.run.all");
    const rows = this.#runs.map((run) => ({ run, text: t("sandbox.run.row", {
      time: formatClock(new Date(run.startedAt)), names: run.customers.map(({ name }) => name).join(", "), state: stateWords(run),
    }) }));
    const drawn = JSON.stringify([this.#chosen, rows.map(({ run, text }) => [run.id, text])]);
    if (this.#list.dataset.drawn === drawn) return;
    this.#list.dataset.drawn = drawn;
    this.#steady.draw(() => rows.map(({ run, text }) => h("li", { dataset: { run: run.id } }, h("button", {
      type: "button", class: "sc-run-row", "aria-pressed": String(run.id === this.#chosen), onClick: () => this.#choose(run.id),
    }, text))));
  }

  #choose(id) {
    this.#chosen = id;
    this.#look();
  }

  async #post(what, body) {
    await this.#try(() => api.post(`${PATH}/${encodeURIComponent(this.#chosen)}/${what}`, body ?? {}));
    await this.#look();
  }

  async #try(work) {
    try {
      await work();
      this.#news.textContent = "";
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      // What does not wait any more needs no words: the run shows where it is.
      this.#news.textContent = problem.code === "not_offered" ? "" : refusalSentence(problem);
    }
  }
}

customElements.define("script-runs", ScriptRuns);
