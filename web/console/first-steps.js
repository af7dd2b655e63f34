import { ApiProblem, api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { SteadyList } from "../lib/steady-list.js";
import { followSteps, stepRow, stepsCard } from "./first-parts.js";
import { customerName } from "./names.js";
import { writeRoute } from "./routes.js";
import { keyHint, keyOf } from "./shortcuts.js";
import { reachHint } from "../sandbox/join-code.js";

/** The customer of the sandbox who writes first and answers by a script. */
const SCRIPTED = `urn:mbid:${btoa("the scripted customer")}`;
/** What is read of conversations and of messages to know which steps are done. */
const PAGE_SIZE = 100;

/**
 * The first steps of a new installation: answer the customer who waits in the sandbox, send a card, scan with a phone.
 * Each is done when the sandbox's conversations show it; with the last one the card is gone.
 *
 * Values down: `state`, `business` (the sandbox's), `next`: the business that is opened for customers after it. Events up: `go`, `next`,
 * `over` when there are no steps, or none any more.
 */
class FirstSteps extends HTMLElement {
  state = null;
  business = null;
  next = null;
  #first = null;
  #done = null;
  #join = null;
  #sandbox = null;
  #end = new AbortController();
  #steady = new SteadyList(this);

  connectedCallback() {
    followSteps(this, { read: () => this.#read(), draw: () => this.#draw(), signal: this.#end.signal });
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
      if (!this.#first) return this.#finish();
      const messages = (await api.get(`/api/conversations/${encodeURIComponent(this.#first.id)}/messages`,
        { query: { "page[size]": PAGE_SIZE } })).data.filter(({ direction }) => direction === "outbound");
      this.#done = {
        answer: messages.length > 0, card: messages.some(({ kind }) => kind !== "text"),
        scan: data.some(({ customer }) => customer.id !== SCRIPTED),
      };
      if (!this.#join && !this.#done.scan) await this.#makeCode();
    } catch (problem) {
      if (!(problem instanceof ApiProblem)) throw problem;
      // Safe: the steps are an offer; the next message repeats it. A sandbox that is off has none.
      return problem.isOffline ? undefined : this.#finish();
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
    if (!done) return [];
    if (Object.values(done).every(Boolean)) {
      this.#finish();
      return [];
    }
    const name = customerName(this.#first);
    if (this.#join) this.#join.hint = reachHint(this.#sandbox);
    const step = (id, action) => stepRow(t(`console.first.${id}`, { name }), t(`console.first.${id}Lead`), done[id], action);
    const key = keyOf("reply");
    const button = (id, isNext, run, hint = {}) => h("button", { type: "button", class: `fd-button${isNext ? " is-primary" : ""}`, ...hint, onClick: run },
      t(`console.first.${id}Do`), id === "answer" && key ? h("kbd", { "data-key-of": "reply" }, key) : null);
    return [stepsCard(this, t("console.first.title", { name }),
      h("div", { class: "first-parts" },
        h("ol", { class: "steps" },
          step("answer", button("answer", true, () => this.answer(), keyHint("reply"))),
          step("card", button("card", done.answer, () => this.#open((desk) => desk.view.openKind("quickReply")))),
          step("scan", null)),
        done.scan ? null : h("div", { class: "first-code" }, this.#join)),
      this.next ? h("p", { class: "first-more" }, h("button", { type: "button", onClick: () => this.dispatchEvent(new CustomEvent("next")) },
        t("console.first.next", this.next))) : null)];
  }

  #finish() {
    this.dispatchEvent(new CustomEvent("over"));
  }

  #open(work) {
    if (!this.#first) return;  // Its key may be pressed before it is known who waits.
    const desk = /** @type {any} */ (this.closest("desk-workspace"));
    this.dispatchEvent(new CustomEvent("go", { detail: writeRoute({ name: "inbox", conversation: this.#first.id }), bubbles: true }));
    desk.withConversation(work);
  }
}

customElements.define("first-steps", FirstSteps);
