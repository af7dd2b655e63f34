import { ApiProblem, api } from "../lib/api.js";
import { adopt, h, oncePerFrame, sheet } from "../lib/dom.js";
import { onLanguageChange, registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { SteadyList } from "../lib/steady-list.js";
import { customerName } from "./names.js";
import { setPreferences } from "./preferences.js";
import { writeRoute } from "./routes.js";
import { keyHint, keyOf } from "./shortcuts.js";
import { reachHint } from "../sandbox/join-code.js";

await registerStrings({ en: () => import("../i18n/en/first-steps.js"), ja: () => import("../i18n/ja/first-steps.js") });

/** The customer of the sandbox who writes first and answers by a script. */
const SCRIPTED = `urn:mbid:${btoa("the scripted customer")}`;
/** What is read of conversations and of messages to know which steps are done. */
const PAGE_SIZE = 100;

/**
 * The first steps of a new installation: answer the customer who waits in the sandbox, send a card, scan with a phone.
 * Each is done when the sandbox's conversations show it; with the last one the card is gone.
 *
 * Values down: `state`, `business` (the sandbox's). Event up: `go`.
 */
class FirstSteps extends HTMLElement {
  state = null;
  business = null;
  #first = null;
  #done = null;
  #join = null;
  #sandbox = null;
  #end = new AbortController();
  #steady = new SteadyList(this);
  #readSoon = oncePerFrame(() => this.#read());

  connectedCallback() {
    adopt(styles);
    const { signal } = this.#end;
    this.state.addEventListener("happened", ({ detail }) => {
      if (detail.business === this.business.id && detail.type === "message.accepted") this.#readSoon();
    }, { signal });
    signal.addEventListener("abort", onLanguageChange(() => this.#draw()));
    this.#read();
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  /** Opens the conversation that waits, ready for an answer. */
  answer() {
    this.#open((desk) => desk.view.focusComposer());
  }

  async #read() {
    try {
      const { data } = await api.get("/api/conversations",
        { query: { business: this.business.id, "filter[state]": "any", "page[size]": PAGE_SIZE } });
      this.#first = data.find(({ customer }) => customer.id === SCRIPTED) ?? null;
      if (!this.#first) return;
      const messages = (await api.get(`/api/conversations/${encodeURIComponent(this.#first.id)}/messages`,
        { query: { "page[size]": PAGE_SIZE } })).data.filter(({ direction }) => direction === "outbound");
      this.#done = {
        answer: messages.length > 0, card: messages.some(({ kind }) => kind !== "text"),
        scan: data.some(({ customer }) => customer.id !== SCRIPTED),
      };
      if (!this.#join && !this.#done.scan) await this.#makeCode();
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      return;  // Safe: the steps are an offer; the next message repeats it.
    }
    if (this.isConnected) this.#draw();
  }

  async #makeCode() {
    this.#sandbox = await api.get("/api/sandbox");
    this.#join = document.createElement("join-code");
  }

  #draw() {
    this.#steady.draw(() => this.#parts());
  }

  #parts() {
    const done = this.#done;
    if (!done || Object.values(done).every(Boolean)) return [];
    const name = customerName(this.#first);
    if (this.#join) this.#join.hint = reachHint(this.#sandbox);
    const step = (id, action) => h("li", { class: `step${done[id] ? " is-done" : ""}` },
      h("span", { class: "step-mark", "aria-hidden": "true" }, done[id] ? icon("check", 15) : null),
      h("div", { class: "step-words" },
        h("strong", null, t(`console.first.${id}`, { name }), done[id] ? h("span", { class: "fd-hidden-text" }, ` (${t("console.first.done")})`) : null),
        h("p", null, t(`console.first.${id}Lead`))),
      done[id] ? null : action);
    const key = keyOf("reply");
    const button = (id, isNext, run, hint = {}) => h("button", { type: "button", class: `fd-button${isNext ? " is-primary" : ""}`, ...hint, onClick: run },
      t(`console.first.${id}Do`), id === "answer" && key ? h("kbd", { "data-key-of": "reply" }, key) : null);
    return [h("section", { class: "first", "aria-labelledby": "first-title" },
      h("header", { class: "first-head" },
        h("h2", { id: "first-title" }, t("console.first.title", { name })),
        h("button", { type: "button", class: "fd-button is-plain is-icon", "aria-label": t("console.first.dismiss"), title: t("console.first.dismiss"), onClick: () => this.#dismiss() },
          icon("close", 18))),
      h("div", { class: "first-parts" },
        h("ol", { class: "steps" },
          step("answer", button("answer", true, () => this.answer(), keyHint("reply"))),
          step("card", button("card", done.answer, () => this.#open((desk) => desk.view.openKind("quickReply")))),
          step("scan", null)),
        done.scan ? null : h("div", { class: "first-code" }, this.#join)))];
  }

  #open(work) {
    const desk = /** @type {any} */ (this.closest("desk-workspace"));
    this.dispatchEvent(new CustomEvent("go", { detail: writeRoute({ name: "inbox", conversation: this.#first.id }), bubbles: true }));
    desk.withConversation(work);
  }

  #dismiss() {
    setPreferences({ firstSteps: false });
    this.remove();
  }
}

const styles = sheet(`
.view.is-empty:has(first-steps) { align-content: start; place-items: start center; overflow-y: auto; gap: 24px; padding: clamp(16px, 6vh, 64px) 24px; }
.first { display: grid; gap: 16px; max-width: 680px; padding: 20px 24px 24px; border: 1px solid var(--fd-line); border-radius: var(--fd-radius-lg);
  background: var(--fd-bg-raised); box-shadow: var(--fd-shadow-2); }
.first-head { display: flex; align-items: start; justify-content: space-between; gap: 12px; }
.first-head h2 { font-size: var(--fd-text-xl); }
.first-parts { display: grid; grid-template-columns: minmax(0, 1fr) 232px; gap: 24px; align-items: start; }
.steps { display: grid; gap: 16px; padding: 0; margin: 0; list-style: none; }
.step { display: grid; grid-template-columns: 24px minmax(0, 1fr); gap: 8px 12px; align-items: start; }
.step > .fd-button { grid-column: 2; justify-self: start; gap: 10px; }
.first-head .fd-button { margin: -6px -8px 0 0; }
.step kbd { padding: 0 6px; border: 1px solid currentcolor; border-radius: 4px; background: none; color: inherit; font: 500 var(--fd-text-xs) / 1.5 var(--fd-font); }
.step-mark { display: grid; place-items: center; width: 24px; height: 24px; border: 1.5px solid var(--fd-line-strong); border-radius: 50%; color: var(--fd-ok); }
.step.is-done .step-mark { border-color: var(--fd-ok); background: var(--fd-ok-soft); }
.step.is-done strong { color: var(--fd-ink-2); font-weight: 500; }
.step-words strong { font-weight: 600; }
.step-words p { color: var(--fd-ink-2); font-size: var(--fd-text-sm); }
.first-code join-code { gap: 12px; }
.first-code .jc-tile img { width: 144px; }
.first-code .jc-open { white-space: normal; font-size: var(--fd-text-sm); }
@container (max-width: 560px) { .first-parts { grid-template-columns: minmax(0, 1fr); } }
conversation-view { container-type: inline-size; }
/* Where the list has the whole width the steps stand above it, as short as they can be said. */
@media (max-width: 720px) and (min-height: 561px) {
  .desk:not(.has-open):has(first-steps .first) { grid-template-rows: auto minmax(0, 1fr); }
  .desk:not(.has-open):has(first-steps .first) > conversation-view { display: block; order: -1; max-height: 52dvh; overflow-y: auto; border-bottom: 1px solid var(--fd-line); }
  .view.is-empty:has(first-steps) { height: auto; padding: 12px; }
  .view.is-empty:has(first-steps) > .empty-view, .first :is(.step-words p, .step kbd, .jc-tile, .jc-or, .jc-typed, .jc-life, .jc-hint) { display: none; }
  .first { gap: 12px; width: 100%; padding: 14px 16px 16px; box-shadow: none; }
  .first-head h2 { font-size: var(--fd-text-lg); }
  .empty-steps { justify-self: stretch; }
  .steps { gap: 10px; }
  .step { grid-template-columns: 24px minmax(0, 1fr) auto; align-items: center; }
  .step > .fd-button { grid-column: 3; }
  .first .jc-open { border-color: var(--fd-line-strong); background: none; color: var(--fd-ink); }
}
`);

customElements.define("first-steps", FirstSteps);
