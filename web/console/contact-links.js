import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { SteadyList } from "../lib/steady-list.js";
import { formatAgo } from "../lib/time.js";
import { showToast } from "../lib/toast.js";
import { askContact } from "./contact-search.js";
import { sentence } from "./panel-parts.js";
import { writeRoute } from "./routes.js";

await registerStrings({ en: () => import("../i18n/en/contact.js"), ja: () => import("../i18n/ja/contact.js") });

/**
 * Which contacts of the agent's other businesses are the same person: shown, linked and parted.
 *
 * Values down: `state`, `others` (the businesses in which the agent may link contacts), `conversation`.
 */
class ContactLinks extends HTMLElement {
  state = null;
  others = [];
  #conversation = null;
  #links = [];
  #asked = "";
  #end = null;
  #steady = new SteadyList(this);

  connectedCallback() {
    this.#end ??= new AbortController();
    this.state?.addEventListener("happened", ({ detail }) => {
      const isOurs = detail.data?.contact?.id === this.#conversation?.contact?.id;
      if (isOurs && ["contact.links_changed", "contact.saved"].includes(detail.type)) this.#load();
    }, { signal: this.#end.signal });
  }

  disconnectedCallback() {
    this.#end?.abort();
    this.#end = null;
  }

  set conversation(conversation) {
    const { id } = conversation.contact ?? {};
    const isOther = this.#asked !== id;
    this.#conversation = conversation;
    if (!isOther || !id) return;
    this.#asked = id;
    this.#steady.drawNow(() => []);
    this.#load();
  }

  get #path() {
    const { business, contact } = this.#conversation;
    return `/api/businesses/${business}/contacts/${contact.id}/links`;
  }

  async #load() {
    const asked = this.#asked;
    try {
      const { data } = await api.get(this.#path);
      if (asked !== this.#asked) return;
      this.#links = data;
    } catch {
      // Safe: without an answer nothing is shown; the next event asks again.
      if (asked !== this.#asked) return;
      this.#links = [];
    }
    this.#draw();
  }

  #draw(problem = "") {
    this.#steady.draw(() => [h("section", { class: "customer-part", "aria-label": t("contact.links") }, h("h3", null, t("contact.links")),
      this.#links.length ? h("ul", { class: "contact-links" }, this.#links.map((one) => this.#row(one))) : null,
      h("div", { class: "contact-actions" }, h("button", { type: "button", class: "fd-button contact-link-new", onClick: () => this.#ask() }, t("contact.link.new"))),
      problem ? h("p", { class: "fd-error", role: "alert" }, problem) : null)]);
  }

  #row(one) {
    const name = one.name ?? t("contact.unnamed");
    const path = writeRoute({ name: "inbox", conversation: one.conversation });
    const words = [one.lastAt ? formatAgo(new Date(one.lastAt)) : "", t(one.because === "agent" ? "contact.link.byAgent" : "contact.link.byID", { who: one.by?.name ?? "" })];
    return h("li", { dataset: { contact: one.contact } }, h("div", { class: "contact-link-words" },
      h("span", null, t("contact.link.also", { business: one.businessName })),
      h("a", { href: path, onClick: (event) => {
        event.preventDefault();
        this.dispatchEvent(new CustomEvent("go", { bubbles: true, detail: path }));
      } }, h("bdi", null, name)),
      h("span", { class: "fd-help" }, words.filter(Boolean).join(" · "))),
    h("button", { type: "button", class: "fd-button", "aria-label": t("contact.link.partOf", { name, business: one.businessName }), onClick: () => this.#part(one) }, t("contact.link.part")));
  }

  /** Parts two contacts; a toast undoes it. */
  async #part(one) {
    const path = this.#path;
    try {
      await api.delete(`${path}/${one.contact}`);
    } catch (problem) {
      return this.#draw(sentence(problem));
    }
    showToast(t("contact.link.parted", { business: one.businessName }), { undo: () => this.#link(one.contact, path) });
    await this.#load();
    this.querySelector(".contact-link-new")?.focus();
  }

  /** Links a contact with the one whose links have this path: it may not be shown any more. */
  async #link(contact, path) {
    try {
      await api.put(`${path}/${contact}`);
    } catch (problem) {
      return path === this.#path ? this.#draw(sentence(problem)) : showToast(sentence(problem));
    }
    await this.#load();
  }

  /** Asks for a contact of another business, and links it. */
  async #ask() {
    const path = this.#path;
    const chosen = await askContact({ title: t("contact.link.new"), lead: t("contact.link.lead"), businesses: this.others });
    if (chosen) await this.#link(chosen, path);
    this.querySelector(".contact-link-new")?.focus();
  }
}

customElements.define("contact-links", ContactLinks);
