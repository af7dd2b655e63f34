import { api } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { dateInput } from "../lib/pick-input.js";
import { formatRecord } from "../lib/time.js";
import { keptBusiness } from "./kept-business.js";
import { showUnread } from "./load-alert.js";
import { card, field, lead, sentence } from "./panel-parts.js";
import { may, roleName } from "./permissions.js";
import { businessField, useSettingsStyles } from "./settings-parts.js";

await registerStrings({ en: () => import("../i18n/en/audit.js"), ja: () => import("../i18n/ja/audit.js") });
await registerStrings({ en: () => import("../i18n/en/roles.js"), ja: () => import("../i18n/ja/roles.js") });

const styles = sheet(`
.audit-filter { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) minmax(0, 2fr); gap: 12px; }
.audit-filter .fd-input { width: 100%; min-width: 0; }
.audit-list { display: grid; gap: 0; margin: 0; padding: 0; list-style: none; }
.audit-list li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 2px 16px; padding: 8px 0; border-top: 1px solid var(--fd-line); }
.audit-list li:first-child { border-top: 0; }
.audit-list li > span { overflow-wrap: anywhere; }
.audit-list time { white-space: nowrap; font-variant-numeric: tabular-nums; }
@media (max-width: 640px) { .audit-filter, .audit-list li { grid-template-columns: minmax(0, 1fr); } }
`);

/** Who changed what of a business, newest first; its owners read it. Values down: `session`. */
class AuditPanel extends HTMLElement {
  session = null;
  #business = null;
  #members = [];
  #last = null;
  /** Counts the questions: the answer to an earlier one is not shown. */
  #asked = 0;

  async connectedCallback() {
    useSettingsStyles();
    adopt(styles);
    const { businesses } = this.session;
    this.#business = keptBusiness(businesses) ?? businesses.find((one) => may(one, "audit.read") && !one.isSandbox) ?? businesses.find((one) => may(one, "audit.read")) ?? businesses[0];
    await this.#load();
  }

  async #load() {
    const business = this.#business;
    // Without the names of members the records are still whole: the filter by person has none to choose from then.
    const { data } = may(business, "audit.read") ? await api.get(`/api/businesses/${business.id}/members`).catch(() => ({ data: [] })) : { data: [] };
    if (business !== this.#business) return;
    this.#members = data;
    this.#draw();
  }

  #draw() {
    const choose = async (business) => {
      this.#business = business;
      await this.#load();
    };
    const top = [h("h1", null, t("console.section.audit")), lead(t("audit.lead"), "audit", t("audit.about")),
      businessField("audit-business", this.session.businesses, this.#business, choose)];
    if (!may(this.#business, "audit.read")) {
      return replace(this, h("section", { class: "panel" }, top, card("", h("p", { class: "fd-help" }, t("audit.forbidden")))));
    }
    // What was asked of one business is asked of the next.
    const [person, from, to] = [this.person?.value, this.from?.value, this.to?.value];
    this.person = h("select", { class: "fd-input" }, h("option", { value: "" }, t("audit.everyone")),
      this.#members.map((one) => h("option", { value: one.id }, one.name || one.email)));
    if (this.#members.some((one) => one.id === person)) this.person.value = person;
    [this.from, this.to] = [dateInput({ value: from }), dateInput({ value: to })];
    for (const one of [this.person, this.from.input, this.to.input]) one.addEventListener("change", () => this.#begin());
    this.status = h("p", { class: "fd-help", role: "status" });
    this.alert = h("p", { class: "fd-error", role: "alert" });
    this.list = h("ul", { class: "audit-list" });
    this.more = h("button", { type: "button", class: "fd-button", hidden: true, onClick: () => this.#read() }, t("console.more"));
    replace(this, h("section", { class: "panel" }, top, card(t("audit.records"),
      h("div", { class: "audit-filter" }, field("audit-person", t("audit.person"), this.person),
        dayField("audit-from", t("audit.from"), this.from), dayField("audit-to", t("audit.to"), this.to)),
      this.status, this.list, this.alert, this.more)));
    this.#begin();
  }

  /** Reads the first page of what the fields say. */
  #begin() {
    this.#last = null;
    replace(this.list);
    this.more.hidden = true;
    const isUnread = [this.from, this.to].some(({ input, value }) => input.value.trim() && !value);
    const isBackwards = this.from.value && this.to.value && this.to.value < this.from.value;
    this.alert.textContent = isUnread ? t("console.snooze.noDay") : isBackwards ? t("audit.badSpan") : "";
    this.status.textContent = "";
    if (this.alert.textContent) this.#asked += 1;
    else this.#read();
  }

  async #read() {
    const asked = this.#asked += 1;
    const until = this.to.value ? new Date(`${this.to.value}T00:00:00`) : null;
    // The day itself belongs to the span.
    until?.setDate(until.getDate() + 1);
    const query = {
      "page[after]": this.#last, "filter[author]": this.person.value,
      "filter[since]": this.from.value ? new Date(`${this.from.value}T00:00:00`).toISOString() : null, "filter[until]": until?.toISOString(),
    };
    this.alert.textContent = "";
    if (!this.#last) this.status.textContent = t("shared.loading");
    try {
      const page = await api.get(`/api/businesses/${this.#business.id}/audit`, { query });
      if (asked === this.#asked) this.#show(page);
    } catch (problem) {
      if (asked !== this.#asked) return;
      this.status.textContent = "";
      showUnread(this.alert, problem, () => this.#read());
    }
  }

  #show(page) {
    this.status.textContent = page.data.length || this.#last ? "" : t("audit.none");
    this.#last = page.next;
    const rows = page.data.map((record) => h("li", { tabindex: "-1" }, h("span", null, recordWords(record)),
      h("time", { class: "fd-help", datetime: record.time }, formatRecord(new Date(record.time)))));
    this.list.append(...rows);
    const hadFocus = this.more === document.activeElement;
    this.more.hidden = !page.hasMore;
    if (hadFocus && !page.hasMore) rows[0]?.focus();
  }
}

/** A labelled field for a day. @param {string} id @param {string} label @param {import("../lib/pick-input.js").Picker} day */
function dayField(id, label, day) {
  day.input.id = id;
  return h("div", { class: "fd-field" }, h("label", { for: id }, label), day.element);
}

/**
 * What was changed by whom, as a sentence.
 * @param {{kind: string, author: {type: string, name: string|null, id: string}, subject: {id: string, name: string|null}|null, detail: string|null}} record
 */
export function recordWords({ kind, author, subject, detail }) {
  const key = `audit.kind.${kind}`;
  const values = { author: authorWords(author), subject: subject?.name || shortId(subject?.id ?? ""), detail: detail ? roleName(detail) : "" };
  // Some kinds have a record for each step.
  const known = [`${key}.${detail}`, key].find((one) => t(one, values) !== one);
  // A kind of a later version of the server is shown as the server calls it.
  return known ? t(known, values) : t("audit.unknown", { ...values, kind }).trim();
}

/** The beginning of a UUID, which people compare; names that are ids stay whole. @param {string} id */
function shortId(id) {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id) ? id.slice(0, 8) : id;
}

function authorWords({ type, name, id }) {
  if (type === "key" || type === "rule") return t(`audit.${type}`, { name: name || id });
  if (type === "agent") return name || t("audit.removedPerson");
  return ["command", "server", "customer"].includes(type) ? t(`audit.${type}`) : name || id;
}

customElements.define("audit-panel", AuditPanel);
