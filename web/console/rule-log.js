import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { Presses } from "../lib/presses.js";
import { formatRecord } from "../lib/time.js";
import { showUnread } from "./load-alert.js";
import { card } from "./panel-parts.js";
import { customerName } from "./names.js";
import { writeRoute } from "./routes.js";
import { ruleSentence } from "./rule-words.js";

/** How often what came meanwhile is read while the page is in view, in milliseconds. */
const REFRESH_MILLISECONDS = 4000;

/** What rules did and why, newest first. Values down: `business`, `known`, `rule` (null for all). Events up: `go`. */
class RuleLog extends HTMLElement {
  business = null;
  known = null;
  rule = null;
  #rows = [];
  #hasMore = false;
  #isReading = false;
  #timer = 0;
  #presses;

  connectedCallback() {
    this.body = h("div", { class: "stack" });
    this.alert = h("p", { class: "fd-error", role: "alert" });
    replace(this, card(this.rule ? t("rules.logOf", { name: this.rule.name }) : t("rules.log"), h("p", { class: "fd-help" }, t("rules.logLead")), this.body, this.alert));
    this.#presses = new Presses(this.body);
    this.#read();
    this.#timer = setInterval(() => { if (document.visibilityState !== "hidden") this.#follow(); }, REFRESH_MILLISECONDS);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  /** Adds what rules did since, above what is there. */
  async #follow() {
    if (this.#isReading || !this.list) return;
    const page = await this.#ask().catch(() => null);  // Safe: the page says that it is offline.
    if (page && !this.#isReading) this.#presses.after(() => this.#add(page));
  }

  #add({ data, hasMore }) {
    const newest = this.#rows[0]?.number ?? 0;
    const fresh = data.filter(({ number }) => number > newest);
    if (!fresh.length || !this.isConnected) return;
    // More than a page came meanwhile: it begins anew, without a gap.
    if (hasMore && fresh.length === data.length) {
      this.#rows = [];
      this.#hasMore = true;
      replace(this.list);
    }
    this.#rows.unshift(...fresh);
    this.list.prepend(...fresh.map((one) => this.#row(one)));
    this.#show();
  }

  #ask(before) {
    return api.get(`/api/businesses/${this.business.id}/rules/log`, {
      query: { ...before ? { "page[after]": before } : {}, ...this.rule ? { "filter[rule]": this.rule.id } : {} },
    });
  }

  /** Reads a page: one at a time, however often it is asked for. What is there stays where the next page does not come. */
  async #read() {
    if (this.#isReading) return;
    this.#isReading = true;
    this.alert.textContent = "";
    const before = this.#rows.at(-1)?.number;
    try {
      const page = await this.#ask(before);
      this.#rows.push(...page.data);
      this.#hasMore = page.hasMore;
      this.#draw(page.data);
    } catch (problem) {
      showUnread(this.alert, problem, () => this.#read());
    }
    this.#isReading = false;
  }

  /** Adds the rows of a page; those above stay as they were opened. */
  #draw(fresh) {
    this.list ??= h("ul", { class: "rule-log" });
    this.more ??= h("button", { type: "button", class: "fd-button", onClick: () => this.#read() }, t("console.more"));
    const rows = fresh.map((one) => this.#row(one));
    this.list.append(...rows);
    const hadFocus = this.more === document.activeElement;
    this.#show();
    if (hadFocus && !this.#hasMore) rows[0]?.querySelector("summary").focus();
  }

  #show() {
    if (!this.list.isConnected) replace(this.body, this.#rows.length ? this.list : h("p", { class: "fd-help" }, t("rules.logNone")), this.more);
    this.more.hidden = !this.#hasMore;
  }

  #row(entry) {
    const { rule, outcome, reason, conversation, time } = entry;
    const words = t(`rules.outcome.${outcome}`);
    const rulesWords = ruleSentence({ when: entry.when, if: reason.if, then: reason.then }, this.known);
    // The server's words are about requests of programs.
    const detail = reason.detail && reason.code === "invalid" && rulesWords.includes(t("rules.gone")) ? t("rules.namesGone") : reason.detail;
    return h("li", null, h("details", { class: "more" },
      h("summary", null, h("span", { class: `rule-mark is-${outcome}` }, words), h("span", { class: "rule-log-name" }, rule.name, h("bdi", { class: "rule-log-who fd-help" }, nameOf(conversation))),
        h("time", { class: "fd-help", datetime: time }, formatRecord(new Date(time)))),
      h("p", null, conversationLink(conversation)),
      h("p", null, rulesWords),
      detail ? h("p", { class: "fd-error" }, detail) : null));
  }
}

/** @param {{id: string, name: string|null, customer: string|null}} conversation */
const nameOf = ({ id, name, customer }) => name || customerName({ id, customer: { id: customer ?? id, name: null } });

/** A conversation by its customer's name, as in lists. @param {{id: string, name: string|null, customer: string|null}} conversation */
export function conversationLink(conversation) {
  const href = writeRoute({ name: "inbox", conversation: conversation.id });
  return h("a", { href, onClick: (event) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    event.currentTarget.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: href }));
  } }, h("bdi", null, nameOf(conversation)));
}

customElements.define("rule-log", RuleLog);
