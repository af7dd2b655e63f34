import { api } from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { formatRecord } from "../lib/time.js";
import { showUnread } from "./load-alert.js";
import { card } from "./panel-parts.js";
import { customerName } from "./names.js";
import { writeRoute } from "./routes.js";
import { ruleSentence } from "./rule-words.js";

/** What rules did and why, newest first. Values down: `business`, `known`, `rule` (null for all). Events up: `go`. */
class RuleLog extends HTMLElement {
  business = null;
  known = null;
  rule = null;
  #rows = [];
  #hasMore = false;
  #isReading = false;

  connectedCallback() {
    this.body = h("div", { class: "stack" });
    this.alert = h("p", { class: "fd-error", role: "alert" });
    replace(this, card(this.rule ? t("rules.logOf", { name: this.rule.name }) : t("rules.log"), h("p", { class: "fd-help" }, t("rules.logLead")), this.body, this.alert));
    this.#read();
  }

  /** Reads a page: one at a time, however often it is asked for. What is there stays where the next page does not come. */
  async #read() {
    if (this.#isReading) return;
    this.#isReading = true;
    this.alert.textContent = "";
    const before = this.#rows.at(-1)?.number;
    try {
      const page = await api.get(`/api/businesses/${this.business.id}/rules/log`, {
        query: { ...before ? { "page[after]": before } : {}, ...this.rule ? { "filter[rule]": this.rule.id } : {} },
      });
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
    if (!this.list.isConnected) replace(this.body, this.#rows.length ? this.list : h("p", { class: "fd-help" }, t("rules.logNone")), this.more);
    const hadFocus = this.more === document.activeElement;
    this.more.hidden = !this.#hasMore;
    if (hadFocus && !this.#hasMore) rows[0]?.querySelector("summary").focus();
  }

  #row(entry) {
    const { rule, outcome, reason, conversation, time } = entry;
    const words = t(`rules.outcome.${outcome}`);
    return h("li", null, h("details", { class: "more" },
      h("summary", null, h("span", { class: `rule-mark is-${outcome}` }, words), h("span", { class: "rule-log-name" }, rule.name),
        h("time", { class: "fd-help", datetime: time }, formatRecord(new Date(time)))),
      h("p", null, conversationLink(conversation)),
      h("p", null, ruleSentence({ when: entry.when, if: reason.if, then: reason.then }, this.known)),
      reason.detail ? h("p", { class: "fd-error" }, reason.detail) : null));
  }
}

/** A conversation by its customer's name, as in lists. @param {{id: string, name: string|null, customer: string|null}} conversation */
export function conversationLink({ id, name, customer }) {
  const href = writeRoute({ name: "inbox", conversation: id });
  const words = name || customerName({ id, customer: { id: customer ?? id, name: null } });
  return h("a", { href, onClick: (event) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    event.currentTarget.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: href }));
  } }, h("bdi", null, words));
}

customElements.define("rule-log", RuleLog);
