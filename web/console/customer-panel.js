import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";
import { customerName } from "../lib/names.js";
import { icon } from "../lib/icons.js";
import { formatAt, formatBytes, formatClock, formatDay } from "../lib/time.js";
import { reconcile } from "../lib/reconcile.js";
import { canShow, kinds } from "../composer/kinds.js";
import { foundInThread, saidByPage, whatsAppNumber } from "./customer-facts.js";
import { letters } from "./conversation-row.js";
import { labelChip } from "./label-parts.js";
import { may } from "./permissions.js";
import { priorityMark } from "./priority.js";
import { snoozeWords } from "./snooze.js";

/** Entry links of a business, read at most this often, in milliseconds. */
const KEPT_MILLISECONDS = 60_000;

/** A file's size, or the name of an answer's kind. @param {{kind: string|null, size?: number}} one */
function aside({ kind, size }) {
  if (size !== undefined) return formatBytes(size);
  return kind ? t(`composer.kind.${kind}`) : null;
}

/**
 * Who the customer is: language, device, the way they came, who answers them, what they answered and sent, notes.
 *
 * Values down: `state`, `open` (of `open-thread.js`). Events up: `message-wanted` (`detail`: a message's id), `menu-wanted`
 * (`detail`: `labels`, `priority` or `assignee` as `name`, and the pressed `anchor`).
 */
class CustomerPanel extends HTMLElement {
  state = null;
  #open = null;
  #known = new Map();
  #end = new AbortController();

  connectedCallback() {
    if (this.firstChild) return;
    this.body = h("div", { class: "customer" });
    this.body.addEventListener("click", (event) => {
      const pressed = event.target.closest("[data-message]");
      if (pressed) this.dispatchEvent(new CustomEvent("message-wanted", { bubbles: true, detail: pressed.dataset.message }));
      const anchor = event.target.closest("[data-menu]");
      if (anchor) this.dispatchEvent(new CustomEvent("menu-wanted", { bubbles: true, detail: { name: anchor.dataset.menu, anchor } }));
    });
    this.append(this.body);
    Promise.all([import("./attribute-box.js"), import("./contact-box.js"), import("./participants-box.js")]).then(([{ forgetDefinitions }]) => {
      this.state.addEventListener("happened", ({ detail }) => {
        if (detail.type === "attribute.saved") forgetDefinitions(detail.business);
      }, { signal: this.#end.signal });
      this.people = h("participants-box", { ".state": this.state });
      this.details = h("attribute-box");
      this.contact = h("contact-box", { ".state": this.state });
      this.append(this.people, this.details, this.contact);
      if (this.#open) this.#drawContact();
    }, () => {});  // Safe: without the part the panel shows all else.
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  get open() {
    return this.#open;
  }

  set open(open) {
    this.#open = open;
    if (this.body) this.#draw();
    if (this.contact) this.#drawContact();
  }

  #drawContact() {
    const { conversation } = this.#open;
    this.people.conversation = conversation;
    this.details.mayChange = this.#mayHandle;
    this.contact.mayChange = may(this.#business, "contacts.write");
    this.details.subject = {
      of: "conversation", title: t("attribute.conversation"), business: conversation.business,
      path: `/api/conversations/${conversation.id}`, values: conversation.attributes ?? {},
    };
    this.contact.mayMerge = may(this.#business, "contacts.merge");
    this.contact.mayBlock = may(this.#business, "contacts.block");
    this.contact.mayExport = may(this.#business, "history.export");
    this.contact.mayErase = may(this.#business, "messages.erase");
    this.contact.mayHold = may(this.#business, "holds.manage");
    this.contact.conversation = conversation;
    this.#drawLinks(conversation);
  }

  /** Who this is in the agent's other businesses; without another one in which the agent may link, nothing is loaded. */
  async #drawLinks(conversation) {
    const others = may(this.#business, "contacts.link") ? this.state.session.businesses.filter((one) =>
      one.id !== conversation.business && one.mode === this.#business.mode && may(one, "contacts.link")) : [];
    if (!others.length) return this.links?.remove();
    // Safe: without the part the panel shows all else.
    await import("./contact-links.js").catch(() => {});
    if (this.#open?.conversation.id !== conversation.id) return;
    this.links ??= h("contact-links", { ".state": this.state });
    this.links.others = others;
    if (!this.links.isConnected) this.contact.after(this.links);
    this.links.conversation = conversation;
  }

  /** Its parts and facts are named: one that comes or goes leaves the others, and the menu that hangs on one, as they are. */
  #draw() {
    const { conversation } = this.#open;
    reconcile(this.body, h("div", { class: "customer" }, this.#head(conversation), this.#facts(conversation),
      this.#saidByPage(), this.#found(), this.#notes()));
  }

  #head(conversation) {
    const since = formatAt(new Date(conversation.openedAt), { month: "long", year: "numeric" });
    return h("header", { class: "customer-head", dataset: { part: "head" } }, letters(conversation),
      h("div", null, h("h2", null, h("bdi", null, customerName(conversation))),
        h("p", null, [t("customer.since", { time: since }), localeWords(conversation.customer?.locale)].filter(Boolean).join(" · "))));
  }

  #facts(conversation) {
    const business = this.#business;
    const link = conversation.intent ? (this.#links(conversation.business) ?? []).find((one) =>
      one.intent === conversation.intent && (one.group ?? null) === (conversation.group ?? null)) : null;
    const number = whatsAppNumber(conversation.customer);
    const came = [number && `WhatsApp ${number}`, saidByPage(this.#open.messages).length > 0 && t("customer.cameBy.widget"), link?.label, conversation.intent && t("console.intent", { intent: conversation.intent }),
      conversation.group && t("console.group", { group: conversation.group })].filter(Boolean);
    const team = conversation.team && this.state.lists.teams(conversation.business).find((one) => one.id === conversation.team);
    const facts = [
      [t("console.business"), business?.name],
      [t("customer.cameBy"), came.length ? came.join(" · ") : t("customer.cameBy.address")],
      [t("customer.device"), this.#device(conversation.customer?.capabilities)],
      [t("console.assignee"), this.#menu("assignee", t("console.assignee"), conversation.assignee?.name ?? t("console.unassigned"))],
      [t("customer.team"), team?.name],
      [t("customer.state"), conversation.state === "snoozed" ? snoozeWords(conversation.snoozedUntil)
        : t(`console.state.${conversation.state}`)],
      [t("customer.priority"), this.#menu("priority", t("customer.priority"), t(`customer.priority.${conversation.priority ?? "none"}`),
        priorityMark(conversation.priority, { isSaid: true }))],
      [t("customer.labels"), this.#labels(conversation)],
      [t("customer.satisfaction"), satisfactionWords(conversation.satisfaction)],
      [t("contact.blocked"), conversation.blockedAt && formatDay(new Date(conversation.blockedAt))],
    ].filter(([, value]) => value);
    return h("dl", { class: "customer-facts", dataset: { part: "facts" } }, facts.map(([name, value]) =>
      [h("dt", { dataset: { fact: name } }, name), h("dd", { dataset: { fact: name } }, value)]));
  }

  #device(capabilities) {
    if (!capabilities) return t("customer.device.unknown");
    return h("ul", { class: "customer-chips" }, kinds.filter(({ needs }) => needs).map((entry) => {
      const can = capabilities.length > 0 && canShow(entry, capabilities);
      const name = t(`composer.kind.${entry.kind}`);
      return h("li", { class: can ? "customer-chip" : "customer-chip is-off", title: can ? null : t("composer.blocked.mark") },
        name, can ? null : h("span", { class: "fd-hidden-text" }, `: ${t("composer.blocked.mark")}`));
    }));
  }

  /** A fact that is changed by pressing it: "None" alone would not say what of. */
  #menu(name, label, words, mark = null) {
    return this.#mayHandle ? h("button", {
      type: "button", class: "customer-menu", dataset: { menu: name }, "aria-haspopup": "menu", "aria-label": `${label}: ${words}`,
    }, mark, words) : h("span", null, mark, words);
  }

  #labels(conversation) {
    const words = t("console.labels.change");
    const labels = this.state.lists.labelsOf(conversation);
    if (!labels.length && !this.#mayHandle) return null;
    return h("span", { class: "customer-chips" }, labels.map(labelChip),
      this.#mayHandle ? h("button", { type: "button", class: "customer-menu", dataset: { menu: "labels" }, "aria-haspopup": "dialog", title: words, "aria-label": words },
        icon("add", 14)) : null);
  }

  get #business() {
    return this.state.session.businesses.find((one) => one.id === this.#open.conversation.business);
  }

  get #mayHandle() {
    return may(this.#business, "conversations.handle");
  }

  #found() {
    const found = foundInThread(this.#open.messages);
    if (!found.length) return null;
    return h("section", { class: "customer-part", dataset: { part: "found" } }, h("h3", null, t("customer.found")),
      h("ul", null, found.map((one) => h("li", null, h("button", {
        type: "button", class: "customer-row", dataset: { message: one.message },
      }, h("span", { class: "customer-row-text", dir: "auto" }, one.text),
      h("span", { class: "customer-row-aside" }, aside(one)))))));
  }

  /** What the shop's page said of the customer around its widget; its title says that it is unverified. */
  #saidByPage() {
    const lines = saidByPage(this.#open.messages);
    if (!lines.length) return null;
    return h("section", { class: "customer-part", dataset: { part: "page" } }, h("h3", null, t("customer.page")),
      h("dl", { class: "customer-facts" }, lines.map(({ key, name, value }) =>
        [h("dt", null, name || t(`customer.page.${key}`)), h("dd", null, h("bdi", null, value))])));
  }

  #notes() {
    const notes = this.#open.notes.filter((note) => note.text).slice(-5).reverse();
    if (!notes.length) return null;
    return h("section", { class: "customer-part", dataset: { part: "notes" } }, h("h3", null, t("customer.notes")),
      h("ul", { class: "customer-notes" }, notes.map((note) => h("li", null, h("p", null, note.text),
        h("p", { class: "customer-row-aside" },
          `${note.author?.name ?? ""} · ${formatDay(new Date(note.time))}, ${formatClock(new Date(note.time))}`)))));
  }

  /** The entry links of a business; read when they are needed first, and drawn when they are there. */
  #links(business) {
    const known = this.#known.get(business);
    if (!known || Date.now() - known.at > KEPT_MILLISECONDS) {
      const entry = { at: Date.now(), data: known?.data ?? null };
      this.#known.set(business, entry);
      api.get(`/api/businesses/${business}/links`).then((page) => {
        entry.data = page.data;
        if (this.isConnected) this.#draw();
      }, () => {});  // Safe: without a link its intent is shown.
    }
    return this.#known.get(business).data;
  }
}

/** The last score and what was written beside it, leading to the message that says it; null without one. */
function satisfactionWords(satisfaction) {
  if (!satisfaction?.score) return null;
  const { score, comment, answer, answeredAt } = satisfaction;
  return h("button", { type: "button", class: "customer-menu customer-score", dataset: { message: answer }, title: formatDay(new Date(answeredAt)) },
    h("span", null, t("customer.satisfactionOf", { score })), comment ? h("q", { class: "customer-comment" }, comment) : null);
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
