import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { customerName } from "../lib/names.js";
import { formatAt, formatBytes, formatClock, formatDay } from "../lib/time.js";
import { reconcile } from "../lib/reconcile.js";
import { kinds } from "../composer/kinds.js";
import { foundInThread } from "./customer-facts.js";
import { letters } from "./conversation-row.js";
import { snoozeWords } from "./snooze.js";

/** Labels, teams and entry links of a business, read at most this often, in milliseconds. */
const KEPT_MILLISECONDS = 60_000;

/**
 * Who the customer is: language, device, the way they came, who answers them, what they answered and sent, notes.
 *
 * Values down: `state`, `open` (of `open-thread.js`). Event up: `message-wanted` (`detail`: a message's id).
 */
class CustomerPanel extends HTMLElement {
  state = null;
  #open = null;
  #names = new Map();

  connectedCallback() {
    if (this.firstChild) return;
    this.body = h("div", { class: "customer" });
    this.body.addEventListener("click", (event) => {
      const pressed = event.target.closest("[data-message]");
      if (pressed) this.dispatchEvent(new CustomEvent("message-wanted", { detail: pressed.dataset.message }));
    });
    this.append(this.body);
  }

  get open() {
    return this.#open;
  }

  set open(open) {
    this.#open = open;
    if (this.body) this.#draw();
  }

  #draw() {
    const { conversation } = this.#open;
    reconcile(this.body, h("div", { class: "customer" }, this.#head(conversation), this.#facts(conversation),
      this.#found(), this.#notes()));
  }

  #head(conversation) {
    const since = formatAt(new Date(conversation.openedAt), { month: "long", year: "numeric" });
    return h("header", { class: "customer-head" }, letters(conversation),
      h("div", null, h("h2", null, h("bdi", null, customerName(conversation))),
        h("p", null, [t("customer.since", { time: since }), localeWords(conversation.customer?.locale)].filter(Boolean).join(" · "))));
  }

  #facts(conversation) {
    const business = this.state.session.businesses.find((one) => one.id === conversation.business);
    const link = conversation.intent ? (this.#list(conversation.business, "links") ?? []).find((one) =>
      one.intent === conversation.intent && (one.group ?? null) === (conversation.group ?? null)) : null;
    const came = [link?.label, conversation.intent && t("console.intent", { intent: conversation.intent }),
      conversation.group && t("console.group", { group: conversation.group })].filter(Boolean);
    const team = conversation.team && (this.#list(conversation.business, "teams") ?? []).find((one) => one.id === conversation.team);
    const facts = [
      [t("console.business"), business?.name],
      [t("customer.cameBy"), came.length ? came.join(" · ") : t("customer.cameBy.address")],
      [t("customer.device"), this.#device(conversation.customer?.capabilities)],
      [t("console.assignee"), conversation.assignee?.name ?? t("console.unassigned")],
      [t("customer.team"), team?.name],
      [t("customer.state"), conversation.state === "snoozed" ? snoozeWords(conversation.snoozedUntil)
        : t(`console.state.${conversation.state}`)],
      [t("customer.priority"), conversation.priority && conversation.priority !== "none"
        ? t(`thread.priority.${conversation.priority}`) : null],
      [t("customer.labels"), this.#labels(conversation)],
    ].filter(([, value]) => value);
    return h("dl", { class: "customer-facts" }, facts.map(([name, value]) => [h("dt", null, name), h("dd", null, value)]));
  }

  #device(capabilities) {
    if (!capabilities) return t("customer.device.unknown");
    return h("ul", { class: "customer-chips" }, kinds.filter(({ needs }) => needs).map((entry) => {
      const can = capabilities.some((name) => name.toUpperCase() === entry.needs);
      const name = t(`composer.kind.${entry.kind}`);
      return h("li", { class: can ? "customer-chip" : "customer-chip is-off", title: can ? null : t("composer.blocked.mark") },
        name, can ? null : h("span", { class: "fd-hidden-text" }, `: ${t("composer.blocked.mark")}`));
    }));
  }

  #labels({ labels = [], business }) {
    if (!labels.length) return null;
    const known = this.#list(business, "labels") ?? [];
    const shown = labels.map((id) => known.find((one) => one.id === id)).filter(Boolean);
    if (!shown.length) return null;
    return h("ul", { class: "customer-chips" }, shown.map((one) => h("li", { class: "customer-chip" },
      h("i", { class: "chip-dot", style: { background: one.colour } }), one.name)));
  }

  #found() {
    const found = foundInThread(this.#open.messages);
    if (!found.length) return null;
    return h("section", { class: "customer-part" }, h("h3", null, t("customer.found")),
      h("ul", null, found.map((one) => h("li", null, h("button", {
        type: "button", class: "customer-row", dataset: { message: one.message },
      }, h("span", { class: "customer-row-text" }, one.text),
      h("span", { class: "customer-row-aside" }, one.size === undefined ? t(`composer.kind.${one.kind}`) : formatBytes(one.size)))))));
  }

  #notes() {
    const notes = this.#open.notes.filter((note) => note.text).slice(-5).reverse();
    if (!notes.length) return null;
    return h("section", { class: "customer-part" }, h("h3", null, t("customer.notes")),
      h("ul", { class: "customer-notes" }, notes.map((note) => h("li", null, h("p", null, note.text),
        h("p", { class: "customer-row-aside" },
          `${note.author?.name ?? ""} · ${formatDay(new Date(note.time))}, ${formatClock(new Date(note.time))}`)))));
  }

  /** A list of a business; read when it is needed first, and drawn when it is there. */
  #list(business, name) {
    const key = `${business} ${name}`;
    const known = this.#names.get(key);
    if (!known || Date.now() - known.at > KEPT_MILLISECONDS) {
      const entry = { at: Date.now(), data: known?.data ?? null };
      this.#names.set(key, entry);
      api.get(`/api/businesses/${business}/${name}`).then((page) => {
        entry.data = page.data;
        if (this.isConnected) this.#draw();
      }, () => {});  // Safe: without the names the ids are not shown.
    }
    return this.#names.get(key).data;
  }
}

/** The name of a language and its region in the reader's language; the code where it has none. */
function localeWords(locale) {
  if (!locale) return null;
  try {
    return new Intl.DisplayNames([language()], { type: "language" }).of(locale.replace("_", "-")) ?? locale;
  } catch {
    return locale;  // Safe: what a device calls its language need not be a language tag.
  }
}

customElements.define("customer-panel", CustomerPanel);
