import { ApiProblem, api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { copyField } from "../console/panel-parts.js";

await registerStrings({ en: () => import("../i18n/en/gateway.js"), ja: () => import("../i18n/ja/gateway.js") });

/** What a script looks like, to begin with. */
const EXAMPLE = `customer=Aki locale=ja_JP
Aki says Hello
Aki expects message
Aki waits 5 minutes
Aki says Thank you
`;
/** The server that has scripts and a clock, and this page. */
const COMMAND = "frontdesk gateway --ephemeral --pages --port 8090 --endpoint http://127.0.0.1:9000";
/** A script ends after ten minutes at the latest. */
const PATIENCE_SECONDS = 660;

/**
 * Scripts of customers and the clock that stands still, where the server has them: an ephemeral gateway. Any other
 * says how to start one.
 */
export class ScriptBench extends HTMLElement {
  #text = EXAMPLE;
  #clock = null;
  #isAbsent = false;
  #now = h("time", { class: "sc-now" });
  #waiting = h("p", { class: "fd-help" });
  #transcript = h("pre", { class: "sc-transcript", tabindex: "0", hidden: true });
  #news = h("p", { class: "fd-help", role: "status" });
  #endLanguage = () => {};

  connectedCallback() {
    this.#endLanguage = onLanguageChange(() => this.#draw());
    this.#read();
  }

  disconnectedCallback() {
    this.#endLanguage();
  }

  async #read() {
    try {
      this.#clock = await api.get("/sandbox/clock");
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      this.#isAbsent = problem.status === 404;
      if (!this.#isAbsent) this.#news.textContent = problem.detail || t("shared.problem.unknown");
    }
    this.#draw();
  }

  #draw() {
    replace(this, h("div", { class: "stack is-wide sc-parts" },
      this.#clock ? [this.#clockForm(), this.#scriptForm()]
        : this.#isAbsent ? [h("p", null, t("sandbox.script.absent")), copyField(t("sandbox.script.command"), COMMAND)] : null,
      this.#news, this.#transcript));
  }

  #showClock(clock) {
    this.#clock = clock;
    this.#now.dateTime = clock.now;
    this.#now.textContent = clock.now.replace(".000Z", "Z");
    this.#waiting.textContent = t("sandbox.clock.waiting", { count: clock.deliveries.waiting });
  }

  #clockForm() {
    this.#showClock(this.#clock);
    const by = h("input", { class: "fd-input", id: "sc-by", required: true, maxlength: 32, value: "5 minutes" });
    return h("form", { class: "sc-clock", onSubmit: (event) => this.#advance(event, by.value) },
      h("p", null, t("sandbox.clock.now"), " ", this.#now), this.#waiting,
      h("label", { class: "fd-label", for: "sc-by" }, t("sandbox.clock.by")),
      h("div", { class: "sc-row" }, by, h("button", { class: "fd-button", type: "submit" }, t("sandbox.clock.advance"))));
  }

  #scriptForm() {
    const field = h("textarea", {
      class: "fd-input sc-text", id: "sc-text", rows: 8, spellcheck: "false", autocapitalize: "off", required: true,
      onInput: () => { this.#text = field.value; },
    });
    field.value = this.#text;
    return h("form", { class: "sc-script", onSubmit: (event) => this.#run(event) },
      h("label", { class: "fd-label", for: "sc-text" }, t("sandbox.script.label")), field,
      h("p", { class: "fd-help" }, t("sandbox.script.help"), " ",
        h("code", null, "says, picks, fills, pays, attaches, reacts, waits, expects")),
      h("div", { class: "form-actions" }, h("button", { class: "fd-button is-primary", type: "submit" }, t("sandbox.script.run"))));
  }

  async #advance(event, by) {
    event.preventDefault();
    await this.#try(async () => {
      this.#showClock(await api.post("/sandbox/clock/advance", { by }));
      this.#news.textContent = t("sandbox.clock.advanced");
    });
  }

  async #run(event) {
    event.preventDefault();
    this.#news.textContent = t("sandbox.script.running");
    await this.#try(async () => {
      const ran = await api.postText("/sandbox/scripts", this.#text, {
        contentType: "text/plain; charset=utf-8", timeoutSeconds: PATIENCE_SECONDS,
      });
      this.#transcript.textContent = ran.transcript.join("\n");
      this.#transcript.hidden = ran.transcript.length === 0;
      this.#news.textContent = ran.passed ? t("sandbox.script.passed")
        : t("sandbox.script.failed", { line: ran.failure.line, reason: ran.failure.reason });
      this.#showClock(await api.get("/sandbox/clock"));
    });
  }

  async #try(work) {
    try {
      await work();
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      this.#news.textContent = problem.errors[0]?.fix || problem.detail || t("shared.problem.unknown");
    }
  }
}

customElements.define("script-bench", ScriptBench);
