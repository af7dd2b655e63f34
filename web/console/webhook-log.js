import { api } from "../lib/api.js";
import { adopt, h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { segments } from "../lib/segments.js";
import { SteadyList } from "../lib/steady-list.js";
import { formatMoment } from "../lib/time.js";
import { showToast } from "../lib/toast.js";
import { card, confirmAction, field, savingForm, sentence } from "./panel-parts.js";
import { attemptOf, nameOf, requestText } from "./webhook-words.js";
import { linkStyles } from "./link-styles.js";

adopt(linkStyles);

/** How often the page is read again while it is in view, in milliseconds, and how many rows a page has. */
const REFRESH_MILLISECONDS = 4000;
const PAGE = 20;
const states = Object.freeze(["pending", "dead", "delivered"]);

/**
 * The deliveries of an endpoint, by their state; delivered again one by one or many.
 * Values down: `path`, `webhook`, `missedSince` (when it was disabled, where it is enabled again and that is known). Events up: `log-closed`, `delivering`, `endpoint-read` (`detail`: the endpoint as it is now).
 */
class WebhookLog extends HTMLElement {
  path = "";
  webhook = null;
  /** @type {string|null} */
  #missedSince = null;
  /** Says from where on what was missed is delivered. */
  #sayFrom = () => {};
  #state = "pending";
  #rows = [];
  #next = null;
  #counts = { pending: 0, dead: 0, delivered: 0 };
  #isEnabled = false;
  #pages = 1;
  #shown = "";
  #timer = 0;
  /** Why the last reading failed; the next one may not. */
  #problem = "";
  /** The choice of a state, and the list. */
  #steady;
  /** The positions whose details are open. */
  #open = new Set();

  set missedSince(time) {
    this.#missedSince = time;
    this.#sayFrom();
  }

  connectedCallback() {
    this.news = h("p", { class: "fd-help", role: "status" });
    this.choice = h("div");
    this.list = h("div", { class: "deliveries" });
    this.#steady = [new SteadyList(this.choice), new SteadyList(this.list)];
    replace(this, card(t("webhooks.logOf", { name: nameOf(this.webhook) }), this.choice, this.list, this.news, this.#missed(),
      h("div", { class: "form-actions" },
        h("button", { type: "button", class: "fd-button", onClick: () => this.dispatchEvent(new CustomEvent("log-closed")) }, t("webhooks.logClose")))));
    this.querySelector("h2").tabIndex = -1;
    this.#begin();
    this.#timer = setInterval(() => { if (document.visibilityState !== "hidden") this.#read(); }, REFRESH_MILLISECONDS);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  /** Opens with what needs work: dead ones where there are any. */
  async #begin() {
    try {
      this.#counts = (await api.get(this.path)).deliveries;
      this.#state = ["dead", "pending", "delivered"].find((one) => this.#counts[one]) ?? "pending";
    } catch (problem) {
      this.news.textContent = sentence(problem);
    }
    await this.#read();
  }

  async #read() {
    const [state, pages, rows] = [this.#state, this.#pages, []];
    let next = null;
    try {
      const endpoint = await api.get(this.path);
      const { deliveries } = endpoint;
      for (let page = 0; page < pages && (page === 0 || next); page += 1) {
        const answer = await api.get(`${this.path}/deliveries`, { query: { "filter[state]": state, "page[size]": PAGE, ...next ? { "page[after]": next } : {} } });
        rows.push(...answer.data);
        next = answer.next;
      }
      if (state !== this.#state || pages !== this.#pages || !this.isConnected) return;
      [this.#rows, this.#next, this.#counts, this.#isEnabled] = [rows, next, deliveries, endpoint.state !== "disabled"];
      if (this.#problem && this.news.textContent === this.#problem) this.news.textContent = "";
      this.#problem = "";
      this.#draw();
      this.dispatchEvent(new CustomEvent("endpoint-read", { detail: endpoint }));
    } catch (problem) {
      this.news.textContent = this.#problem = sentence(problem);
    }
  }

  #draw() {
    const shown = JSON.stringify([this.#state, this.#rows, this.#counts, this.#next, this.#isEnabled]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#steady[0].draw(() => [segments(t("webhooks.filter"), states.map((one) => [one, t(`webhooks.filter.${one}`, { count: this.#counts[one] })]), this.#state, (one) => {
      [this.#state, this.#pages, this.#rows] = [one, 1, []];
      this.#read();
    })]);
    this.#steady[1].draw(() => [
      ...this.#isHeld() ? [h("p", { class: "fd-help" }, t("webhooks.pendingDisabled"))] : [],
      // Before the rows: there may be hundreds.
      ...this.#mayHurry() ? [h("div", { class: "form-actions is-start" }, h("button", {
        type: "button", class: "fd-button is-primary", onClick: () => this.#deliverNow(),
      }, t("webhooks.deliverNow")))] : [],
      this.#rows.length ? h("ul", { "aria-label": t("webhooks.log") }, this.#rows.map((one) => this.#row(one))) : h("p", { class: "fd-help" }, t(`webhooks.logNone.${this.#state}`)),
      ...this.#next ? [h("button", { type: "button", class: "fd-button", onClick: () => {
        this.#pages += 1;
        this.#read();
      } }, t("console.more"))] : [],
      ...this.#state === "dead" && this.#rows.length ? [h("div", { class: "form-actions is-start" }, h("button", {
        type: "button", class: "fd-button is-primary", onClick: () => this.#replay({ from: 0, states: ["dead"] }),
      }, t("webhooks.replayDead")))] : [],
    ]);
  }

  /** Whether nothing of what is pending is attempted until the endpoint is enabled. */
  #isHeld() {
    return this.#state === "pending" && !this.#isEnabled && this.#rows.length > 0;
  }

  /** Whether deliveries wait for a later attempt that could be made now. */
  #mayHurry() {
    return this.#state === "pending" && this.#isEnabled && this.#rows.some(({ attempts }) => attempts > 0);
  }

  /** Has everything that is pending attempted at once. */
  async #deliverNow() {
    try {
      await api.post(`${this.path}/enable`);
      showToast(t("webhooks.delivering"));
      this.dispatchEvent(new CustomEvent("delivering"));
    } catch (problem) {
      this.news.textContent = sentence(problem);
    }
    await this.#read();
  }

  #row(one) {
    const { position, last } = one;
    const facts = [t("webhooks.position", { position }), one.time ? formatMoment(new Date(one.time)) : "", t("webhooks.attempts", { count: one.attempts }),
      one.state === "pending" && one.attempts && this.#isEnabled ? t("webhooks.next", { time: formatMoment(new Date(one.due)) }) : ""];
    return h("li", { dataset: { position } }, h("p", { class: "delivery-head" }, h("span", null, one.type ?? t("webhooks.pruned")), h("span", { class: "fd-help" }, facts.filter(Boolean).join(" · "))),
      h("details", {
        class: "more webhook-attempt", open: this.#open.has(position), onToggle: (event) => (event.target.open ? this.#open.add(position) : this.#open.delete(position)),
      }, h("summary", { class: "reason" }, this.#attempt(one)),
      last ? h("p", { class: "fd-help" }, t("webhooks.took", { time: formatMoment(new Date(last.time)), count: last.milliseconds })) : null,
      one.request ? [h("h4", null, t("webhooks.request")), h("pre", { tabindex: "0" }, requestText(one.request))] : null,
      last ? [h("h4", null, t("webhooks.answer")), last.answer ? h("pre", { tabindex: "0" }, last.answer) : h("p", { class: "fd-help" }, t("webhooks.answerEmpty"))] : null),
      one.state === "pending" ? null : h("div", { class: "form-actions is-start" },
        h("button", { type: "button", class: "fd-button", "aria-label": t("webhooks.replayOneOf", { position }), onClick: () => this.#replay({ from: position, to: position }) }, t("webhooks.replayOne")),
        h("button", { type: "button", class: "fd-button is-plain", "aria-label": t("webhooks.replaySinceOf", { position }), onClick: () => this.#since(position) }, t("webhooks.replaySince"))));
  }

  /** What came of the last attempt, or what it waits for. */
  #attempt({ last, state, position, conversation }) {
    const before = !last && state === "pending" && conversation && this.webhook.order === "conversation"
      ? this.#rows.find((one) => one.conversation === conversation && one.position < position) : null;
    return before ? t("webhooks.heldBehind", before) : attemptWords(last);
  }

  /** What was never noted for the endpoint: from a position on, or from when it was disabled, where that is known. */
  #missed() {
    const from = h("input", { class: "fd-input", type: "number", min: 0, step: 1, inputmode: "numeric" });
    const help = h("p", { class: "fd-help", id: "webhook-from-help" });
    this.#sayFrom = () => {
      from.required = !this.#missedSince;
      help.textContent = this.#missedSince ? t("webhooks.fromSince", { time: formatMoment(new Date(this.#missedSince)) }) : t("webhooks.fromHelp");
    };
    const place = field("webhook-from", t("webhooks.from"), from);
    from.setAttribute("aria-describedby", help.id);
    place.append(help);
    this.#sayFrom();
    return h("details", { class: "more" }, h("summary", null, t("webhooks.replayMissed")), savingForm({
      save: t("webhooks.replayMissed"), onSave: () => this.#replay({ ...from.value ? { from: Number(from.value) } : { from: 0, since: this.#missedSince }, states: ["missing"] }, "webhooks.brought"),
    }, h("p", { class: "fd-help" }, t("webhooks.replayMissedLead")), place));
  }

  async #since(position) {
    if (await confirmAction(t("webhooks.replaySinceQuestion", { position }), t("webhooks.replayOne"))) await this.#replay({ from: position });
  }

  /** One request looks at a part of the range; the answer says where the next one begins. */
  async #replay(range, words = "webhooks.replayed") {
    let count = 0;
    try {
      for (let from = range.from; from !== null && this.isConnected;) {
        const { noted, next } = await api.post(`${this.path}/replay`, { ...range, from });
        [count, from] = [count + noted, next];
        this.news.textContent = t(words, { count });
      }
    } catch (problem) {
      this.news.textContent = sentence(problem);
    }
    await this.#read();
  }
}

/** What came of the last attempt. @param {{status: number|null, detail: string}|null} last */
function attemptWords(last) {
  if (!last) return t("webhooks.noAttempt");
  const key = attemptOf(last);
  return key ? t(`webhooks.attempt.${key}`, { status: last.status }) : last.detail;
}

customElements.define("webhook-log", WebhookLog);
