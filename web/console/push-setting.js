import { whileBusy } from "../lib/busy.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { hindranceIn } from "../lib/push-notices.js";
import { refusalSentence } from "../lib/refusals.js";
import { pushOf } from "./agent-push.js";

/**
 * Whether this browser notifies the agent while no console is in use: a choice for this browser alone.
 *
 * Values down: `agent`, the id; `hindranceID`, of what says why the browser shows no notifications at all. Events up:
 * `permission-changed`.
 */
class PushSetting extends HTMLElement {
  agent = "";
  hindranceID = "";
  #push = null;
  #end = null;
  /** Its state; what was chosen until that is known. */
  #state = "off";
  #isTurning = false;

  connectedCallback() {
    this.#end = new AbortController();
    const isFirst = !this.#push;
    if (isFirst) this.#build();
    this.#push.addEventListener("change", () => {
      this.#state = this.#push.state;
      this.#draw();
    }, { signal: this.#end.signal });
    this.#draw();
    if (isFirst) this.read();
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  #build() {
    this.#push = pushOf(this.agent);
    this.#state = this.#push.chosen ? "on" : "off";
    this.input = h("input", { type: "checkbox", id: "notice-push", "aria-describedby": `push-hint ${this.hindranceID}` });
    this.input.addEventListener("click", (event) => { if (this.#isTurning) event.preventDefault(); });
    this.input.addEventListener("change", () => this.#turn());
    this.test = h("button", { type: "button", class: "fd-button", onClick: () => whileBusy(this.test, () => this.#sendTest()) },
      t("console.notices.push.send"));
    this.hint = h("p", { class: "fd-help", id: "push-hint" });
    this.status = h("p", { class: "fd-help", role: "status" });
    this.append(
      h("div", { class: "mark-line" }, h("div", { class: "mark" }, this.input, h("label", { for: "notice-push" }, t("console.notices.push"))), this.test),
      this.status, this.hint);
  }

  /** Reads how it stands, as after the browser was asked for its permission. */
  read() {
    return this.#try(() => this.#push.read());
  }

  #draw() {
    const state = hindranceIn(globalThis) ?? this.#state;
    this.input.disabled = state !== "off" && state !== "on";
    this.input.checked = state === "on";
    this.test.hidden = state !== "on";
    this.hint.textContent = { off: t("console.notices.push.hint"), on: t("console.notices.push.hint"), none: this.#noneWords() }[state] ?? "";
  }

  /** What is said above of a browser without notifications is not said again. */
  #noneWords() {
    return globalThis.isSecureContext && globalThis.Notification ? t("console.notices.push.none") : "";
  }

  async #turn() {
    const isWanted = this.input.checked;
    const permission = Notification.permission;
    this.#isTurning = true;
    this.status.textContent = "";
    await this.#try(() => (isWanted ? this.#push.turnOn() : this.#push.turnOff()));
    this.#isTurning = false;
    this.#draw();
    if (Notification.permission !== permission) this.dispatchEvent(new CustomEvent("permission-changed", { bubbles: true }));
  }

  #sendTest() {
    this.status.textContent = "";
    return this.#try(async () => {
      await this.#push.sendTest();
      this.status.textContent = t("console.notices.push.sent", { words: t("console.notices.push.test") });
    });
  }

  /** Does what was asked for, and says why where it did not work. */
  async #try(work) {
    try {
      await work();
    } catch (problem) {
      this.status.textContent = sentence(problem);
    }
  }
}

/** What is said of a failure: of the server, or of the browser and its push service. */
function sentence(problem) {
  if (!("code" in problem) || problem instanceof DOMException) return t("console.notices.push.failed");
  return problem.status === 429 ? t("console.tooManyTries", { seconds: problem.retryAfterSeconds ?? "" }) : refusalSentence(problem);
}

customElements.define("push-setting", PushSetting);
