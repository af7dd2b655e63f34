import { h, replace } from "../lib/dom.js";
import { onLanguageChange, t } from "../lib/i18n.js";
import { formatAt } from "../lib/time.js";
import { icon } from "../composer/icons.js";

/** What stands before the state's word. */
const MARKS = { running: "refresh", passed: "check", failed: "error", stopped: "blocked" };

/** Hours, minutes and seconds: steps follow each other quickly. @param {string} time */
const clock = (time) => formatAt(new Date(time), { hour: "numeric", minute: "2-digit", second: "2-digit" });

/** How a run stands, in a few words. @param {any} run */
export const stateWords = (run) => t(`sandbox.run.state.${run.state}`, run.steps);

/**
 * One run of a script: what happened, what is waited for and until when, how it ended.
 *
 * Values down: `run`. Events up: `skip-wait` (`line`), `stop-run`, `conversation-open` (`id`).
 */
export class ScriptRun extends HTMLElement {
  #run = null;
  #parts = null;
  #drawn = 0;
  #endLanguage = () => {};

  /** The run as the server describes it, with its lines; null for none. */
  set run(run) {
    if (this.#run?.id !== run?.id) this.#parts = null;
    this.#run = run;
    this.#draw();
  }

  connectedCallback() {
    this.#endLanguage = onLanguageChange(() => {
      this.#parts = null;
      this.#draw();
    });
  }

  disconnectedCallback() {
    this.#endLanguage();
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }

  #build() {
    const button = (name, run, kind = "") =>
      h("button", { type: "button", class: `fd-button ${kind}`, onClick: run }, t(`sandbox.run.${name}`));
    const parts = {
      state: h("p", { class: "sc-state", role: "status", tabindex: "-1" }),
      stop: button("stop", () => this.#emit("stop-run")),
      lines: h("ol", { class: "sc-lines", "aria-label": t("sandbox.run.transcript") }),
      step: h("p", { class: "sc-step-words" }),
      skip: button("skip", () => this.#emit("skip-wait", { line: this.#run.step?.line })),
      now: h("div", { class: "sc-step" }),
      reason: h("p", { class: "sc-reason" }),
      people: h("ul", { class: "sc-people", "aria-label": t("sandbox.run.customers") }),
    };
    parts.now.append(h("span", { class: "sb-dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), parts.step, parts.skip);
    this.#drawn = 0;
    this.#parts = parts;
    replace(this, h("div", { class: "sc-run-head" }, parts.state, parts.stop), parts.lines, parts.now, parts.reason, parts.people);
    return parts;
  }

  #draw() {
    const run = this.#run;
    this.hidden = !run;
    if (!run) return;
    const parts = this.#parts ?? this.#build();
    const isRunning = run.state === "running";
    const pressed = [parts.skip, parts.stop].find((one) => one === document.activeElement);
    if (this.dataset.state !== run.state || !parts.state.firstChild || isRunning) {
      this.dataset.state = run.state;
      const words = stateWords(run);
      if (parts.state.textContent !== words) replace(parts.state, icon(MARKS[run.state]), h("span", null, words));
    }
    parts.stop.hidden = !isRunning;
    // The last line of a run that failed has the reason, which stands below by itself.
    const lines = run.failure ? run.lines.slice(0, -1) : run.lines;
    parts.lines.append(...lines.slice(this.#drawn).map(lineRow));
    this.#drawn = lines.length;
    parts.lines.hidden = lines.length === 0;
    parts.now.hidden = !isRunning;
    parts.step.textContent = isRunning ? stepWords(run.step) : "";
    parts.skip.hidden = run.step?.waitsFor !== "time";
    parts.reason.hidden = !run.failure;
    parts.reason.textContent = run.failure ? t("sandbox.run.failed", run.failure) : "";
    // The button that was pressed may be needed no longer: the focus goes to what has become of the run.
    if (pressed?.hidden) (isRunning ? parts.stop : parts.state).focus();
    this.#drawPeople(parts.people, run.customers.filter((one) => one.conversation));
  }

  #drawPeople(list, people) {
    list.hidden = people.length === 0;
    for (const { name, conversation } of people.slice(list.children.length)) {
      list.append(h("li", null, h("strong", null, name),
        h("button", {
          type: "button", class: "fd-button is-plain", "aria-label": t("sandbox.run.openNamed", { name }),
          onClick: () => this.#emit("conversation-open", { id: conversation }),
        }, t("sandbox.run.open")),
        h("a", {
          class: "fd-button is-plain", href: `/console/c/${encodeURIComponent(conversation)}`, target: "_blank", rel: "noopener",
          "aria-label": t("sandbox.run.consoleNamed", { name }),
        }, t("sandbox.run.console"))));
    }
  }
}

function lineRow({ time, customer, text, line }) {
  return h("li", null,
    h("time", { datetime: time }, clock(time)),
    h("span", { class: "sc-what" }, h("strong", null, customer), ` ${text}`),
    line === null ? null : h("span", { class: "sc-line" }, t("sandbox.run.line", { line })));
}

/** What the step that is being done waits for, and until when. */
function stepWords(step) {
  if (!step) return t("sandbox.run.step.next");
  return t(`sandbox.run.step.${step.waitsFor}`, { line: step.line, text: step.text, time: step.until ? clock(step.until) : "" });
}

customElements.define("script-run", ScriptRun);
