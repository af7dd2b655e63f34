import { ApiProblem, api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { copyText } from "../lib/clipboard.js";
import { copyField } from "../console/panel-parts.js";
import { refusalSentence } from "../lib/refusals.js";
import { recordScript } from "./script-recording.js";
import "./script-run.js";
import "./script-runs.js";

await registerStrings({ en: () => import("../i18n/en/gateway.js"), ja: () => import("../i18n/ja/gateway.js") });

/** What a script looks like, to begin with. */
const EXAMPLE = `customer=Aki locale=ja_JP
customer=Bo
Aki says Hello
Bo says Good morning
Aki expects text
Aki waits 5 minutes
Aki says Thank you
`;
/** The server that has a clock of its own, and this page. */
const COMMAND = "frontdesk gateway --ephemeral --pages --port 8090 --endpoint http://127.0.0.1:9000";
/** On the clock of an ephemeral gateway a script ends after ten minutes at the latest. */
const PATIENCE_SECONDS = 660;

/** The longest script that a server runs, in bytes. */
const MOST_BYTES = 64 * 1024;

/**
 * Scripts of customers: recorded from the open conversation, kept as text files, and run: in real time, or on the clock of an
 * ephemeral gateway, which stands still until it is advanced.
 *
 * Values down: `recorded` (`conversation` and `messages`, what is open).
 */
export class ScriptBench extends HTMLElement {
  #text = EXAMPLE;
  #clock = null;
  /** Whether scripts run in real time here; null until that is known. */
  #isReal = null;
  #runs = document.createElement("script-runs");
  #now = h("time", { class: "sc-now" });
  #waiting = h("p", { class: "fd-help" });
  #field = null;
  #transcript = h("pre", { class: "sc-transcript", tabindex: "0", hidden: true });
  #news = h("p", { class: "fd-help", role: "status" });
  #endLanguage = () => {};
  #recorded = null;
  #record = h("button", { type: "button", class: "fd-button", hidden: true, onClick: () => this.#showRecorded() });

  /** The open conversation and its messages; null for none. @param {{conversation: any, messages: any[]}|null} recorded */
  set recorded(recorded) {
    this.#recorded = recorded;
    this.#record.hidden = !recorded;
  }

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
      this.#isReal = problem.status === 404;
      if (!this.#isReal) this.#news.textContent = problem.detail || t("shared.problem.unknown");
    }
    this.#draw();
  }

  #draw() {
    replace(this, h("div", { class: "stack is-wide sc-parts" },
      this.#clock ? [this.#clockForm(), this.#scriptForm(), this.#news, this.#transcript]
        : this.#isReal ? [h("div", { class: "sc-part" }, this.#scriptForm(), this.#news, this.#realTime()), h("div", { class: "sc-part" }, this.#runs)]
          : this.#news));
  }

  /** What a wait is in a server whose clock is everybody's, and where there is another clock. */
  #realTime() {
    return h("details", { class: "more" }, h("summary", null, t("sandbox.run.time")),
      h("p", { class: "fd-help" }, t("sandbox.run.realTime")), h("p", { class: "fd-help" }, t("sandbox.run.limits")),
      h("p", { class: "fd-help" }, t("sandbox.script.ephemeral")), copyField(t("sandbox.script.command"), COMMAND));
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

  /** Puts a text in the place of the script and says where it is from. */
  #show(text, said) {
    this.#field.value = this.#text = text;
    this.#news.textContent = said;
  }

  #showRecorded() {
    this.#show(recordScript(this.#recorded.conversation, this.#recorded.messages), t("sandbox.script.recorded"));
  }

  #scriptForm() {
    this.#record.textContent = t("sandbox.script.record");
    const field = this.#field = h("textarea", {
      class: "fd-input sc-text", id: "sc-text", rows: 8, spellcheck: "false", autocapitalize: "off", required: true,
      onInput: () => { this.#text = field.value; },
    });
    field.value = this.#text;
    const file = h("input", { type: "file", accept: ".txt,.script,text/plain", class: "fd-hidden-text", tabindex: "-1", "aria-hidden": "true", onChange: async () => {
      const [chosen] = file.files;
      file.value = "";
      if (chosen?.size > MOST_BYTES) this.#news.textContent = t("sandbox.script.tooLong");
      else if (chosen) this.#show(await chosen.text(), t("sandbox.script.opened", chosen));
    } });
    const button = (name, run) => h("button", { type: "button", class: "fd-button", onClick: run }, t(`sandbox.script.${name}`));
    return h("form", { class: "sc-script", onSubmit: (event) => this.#run(event) },
      h("label", { class: "fd-label", for: "sc-text" }, t("sandbox.script.label")), field,
      h("p", { class: "fd-help" }, t("sandbox.script.help"), " ",
        h("code", null, "says, picks, fills, pays, attaches, reacts, waits, expects"), ". ",
        // An ephemeral gateway has no documents.
        this.#isReal ? h("a", { href: "/docs/testing-a-provider", target: "_blank", rel: "noopener" }, t("sandbox.script.describe"))
          : h("code", null, "docs/testing-a-provider.md")),
      this.#isReal ? h("p", { class: "fd-help" }, t("sandbox.run.waits")) : null,
      h("div", { class: "form-actions is-start" },
        h("button", { class: "fd-button is-primary", type: "submit" }, t("sandbox.script.run")),
        this.#record,
        button("open", () => file.click()), button("save", () => this.#save()),
        button("copy", async () => { this.#news.textContent = t(await copyText(this.#text) ? "shared.copied" : "composer.json.copyFailed"); }), file));
  }

  /** Gives the script as a text file, as `frontdesk simulate` reads it. */
  #save() {
    const address = URL.createObjectURL(new Blob([this.#text], { type: "text/plain" }));
    h("a", { href: address, download: "customer.script.txt" }).click();
    // The download has begun, and keeps the text itself.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
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
    if (this.#isReal) {
      await this.#try(async () => {
        await this.#runs.start(this.#text);
        this.#news.textContent = "";
        this.#runs.scrollIntoView({ block: "nearest" });
      });
      return;
    }
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
    this.#news.className = "fd-help";
    try {
      await work();
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      this.#news.className = "fd-error";
      this.#goToLine(problem.line);
      this.#news.textContent = problem.errors[0]?.fix || refusalSentence(problem, { rate_limited: t("sandbox.run.full"), idempotency_in_progress: t("sandbox.run.busy") })
        // One line for each finding.
        .replaceAll(/ \/ (?=line \d)/g, "\n");
    }
  }

  /** Selects the line of the script in which something is wrong. @param {number|undefined} line */
  #goToLine(line) {
    if (!line) return;
    const lines = this.#field.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.#field.focus();
    this.#field.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  }
}

customElements.define("script-bench", ScriptBench);
