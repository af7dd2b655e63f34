import { api } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { registerStrings, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { loadPart } from "../lib/late-part.js";
import { customerName } from "../lib/names.js";
import { openMenu } from "../lib/popup.js";
import { ReadAgain } from "../lib/read-again.js";
import { SteadyList } from "../lib/steady-list.js";
import { nameContacts } from "./contact-names.js";
import { metadataPart } from "./metadata-part.js";
import { confirmAction, field, savingForm, sentence } from "./panel-parts.js";
import "./attribute-box.js";

await registerStrings({ en: () => import("../i18n/en/contact.js"), ja: () => import("../i18n/ja/contact.js") });

/**
 * What the business knows of the person behind a conversation: the name, the id in another system, notes; edited in place.
 *
 * Values down: `state`, `mayChange`, `mayMerge`, `mayBlock`, `mayExport`, `mayErase`, `mayHold`, `conversation`. Metadata of both is shown. A contact that another agent saves is read again, unless it is being edited here.
 */
class ContactBox extends HTMLElement {
  state = null;
  mayChange = true;
  mayMerge = false;
  mayBlock = false;
  mayExport = false;
  mayErase = false;
  mayHold = false;
  #end = null;
  #conversation = null;
  #contact = null;
  /** The contact that is shown or read, with the event that saved it last. */
  #asked = "";
  #isEditing = false;
  /** Counts what is read and saved, and the last that was answered: an answer of before is not shown. */
  #round = 0;
  #read = 0;
  #steady = new SteadyList(this);
  /** A whole conversation that is erased is thousands of events. */
  #again = new ReadAgain((asked) => asked === this.#asked && this.#load(asked));

  connectedCallback() {
    this.#end = new AbortController();
    this.state.addEventListener("happened", ({ detail }) => {
      const isOurs = detail.conversation === this.#conversation?.id;
      // An erasure empties the metadata of the conversation too.
      if (isOurs && ["conversation.metadata_changed", "message.erased"].includes(detail.type) && this.#asked) this.#again.ask(this.#asked);
    }, { signal: this.#end.signal });
  }

  disconnectedCallback() {
    this.#end.abort();
  }

  set conversation(conversation) {
    const isOther = this.#conversation?.id !== conversation.id;
    this.#conversation = conversation;
    const { id, event = "" } = conversation.contact ?? {};
    const asked = id ? `${id} ${event}` : "";
    if (isOther) {
      [this.#contact, this.#isEditing] = [null, false];
      this.#steady.drawNow(() => []);
    }
    if (asked === this.#asked || !asked || this.#isEditing) return;
    this.#asked = asked;
    this.#load(asked);
  }

  get #path() {
    return `/api/businesses/${this.#conversation.business}/contacts/${this.#conversation.contact.id}`;
  }

  async #load(asked) {
    const round = (this.#round += 1);
    let contact;
    try {
      contact = await api.get(this.#path);
      contact.mergedFrom = await nameContacts(contact.mergedFrom ?? []);
    } catch (problem) {
      if (asked !== this.#asked || round !== this.#round) return undefined;
      this.#read = round;
      this.#asked = "";  // Read again with the next event.
      // What is being edited stays as it is typed.
      if (this.#isEditing) return undefined;
      return this.#steady.draw(() => [this.#part(h("p", { class: "fd-error", role: "alert" }, sentence(problem)))]);
    }
    if (asked !== this.#asked || round !== this.#round) return undefined;
    this.#read = round;
    this.#contact = contact;
    if (this.#isEditing) return undefined;
    return this.#steady.draw(() => this.#parts());
  }

  #part(...children) {
    return h("section", { class: "customer-part", "aria-label": t("contact.title") },
      h("h3", null, t("contact.title")), children);
  }

  #parts() {
    if (this.#isEditing) return [this.#part(this.#form())];
    const { name, externalId, externalIdVerified, notes } = this.#contact;
    const facts = [[t("contact.name"), name], [t("contact.externalId"), externalId]].filter(([, value]) => value);
    const verified = externalIdVerified ? h("span", { class: "fd-help contact-verified", title: t("contact.verified.help") }, t("contact.verified")) : null;
    const edit = this.mayChange ? h("button", { type: "button", class: "fd-button is-plain contact-edit", onClick: () => this.#edit(true) },
      t(facts.length || notes ? "contact.edit" : "contact.add")) : null;
    const more = this.mayMerge || this.mayBlock || this.mayExport || this.mayErase || this.mayHold ? h("button", {
      type: "button", class: "fd-button is-plain contact-more", title: t("contact.more"), "aria-label": t("contact.more"),
      "aria-haspopup": "menu", "aria-expanded": "false", onClick: (event) => this.#openMore(event.currentTarget),
    }, icon("menu", 18)) : null;
    if (!facts.length && !notes && !edit && !more) return [this.#attributes(), this.#metadata()];
    return [this.#part(
      facts.length ? h("dl", { class: "customer-facts" }, facts.map(([label, value]) =>
        [h("dt", null, label), h("dd", null, h("bdi", null, value), value === externalId ? verified : null)])) : null,
      notes ? h("p", { class: "contact-notes" }, notes) : null, edit || more ? h("div", { class: "contact-actions" }, edit, more) : null, this.#merged()), this.#attributes(),
    this.#metadata()];
  }

  #metadata() {
    const own = this.#contact.conversations?.find(({ id }) => id === this.#conversation.id);
    return [metadataPart(t("contact.metadata"), this.#contact.metadata),
      metadataPart(t("contact.metadata.conversation"), own?.metadata)];
  }

  /** What is done rarely, by those whose role allows it. */
  #openMore(button) {
    const { blockedAt } = this.#contact;
    openMenu(button, [
      ...this.mayMerge ? [{ text: t("contact.merge"), run: () => this.#merge() }] : [],
      ...this.mayBlock ? [{ text: t(blockedAt ? "contact.unblock" : "contact.block"), run: () => this.#block(!blockedAt) }] : [],
      ...this.mayExport ? [{ text: t("contact.export"), run: () => this.#export(button) }] : [],
      ...this.mayHold ? [{ text: t("contact.hold"), run: () => this.#hold() }] : [],
      ...this.mayErase ? [{ text: t("contact.erase"), run: () => this.#erase() }] : [],
    ], { label: t("contact.more") });
  }

  /** The contacts that were merged into this one, each with its way back. */
  #merged() {
    const { mergedFrom = [] } = this.#contact;
    if (!mergedFrom.length) return null;
    return h("ul", { class: "contact-merged" }, mergedFrom.map((one) => h("li", null,
      // The server itself merges only the visitor of a page with the customer who signs in there.
      h("span", null, t(one.by?.name ? "contact.mergedFrom" : "contact.mergedFrom.signedIn", { name: one.shown ?? one.name ?? one.id.slice(0, 8), who: one.by?.name ?? "" })),
      this.mayMerge ? h("button", { type: "button", class: "fd-button", onClick: () => this.#unmerge(one.id) },
        t("contact.unmerge")) : null)));
  }

  async #merge() {
    const { id, business } = this.#contact;
    const other = await (await loadPart(() => import("./contact-search.js")))?.askContact({ title: t("contact.merge"), lead: t("contact.merge.lead"), businesses: [{ id: business }], except: id });
    if (other) await this.#act(id, "merge", { contact: other });
  }

  async #unmerge(id) {
    await this.#act(id, "unmerge");
    // The button went with its line, or soon will: another reading may draw the box, or has, and gave the focus to what is around it.
    const { activeElement } = document;
    if (activeElement?.contains(this) || activeElement?.closest(".contact-merged")) this.querySelector(".contact-actions button")?.focus();
  }

  async #export(button) {
    (await loadPart(() => import("./person-export.js")))?.openPersonExport(button, this.#contact);
  }

  async #hold() {
    const path = `${this.#path}/legal-hold`;
    await (await loadPart(() => import("./hold-dialog.js")))?.openHold({ path, kind: "person" });
  }

  async #erase() {
    const [path, name] = [`${this.#path}/erasure`, customerName(this.#conversation)];
    await (await loadPart(() => import("./erase-whole.js")))?.eraseWhole({ path, kind: "person", name });
  }

  async #block(isBlocked) {
    if (isBlocked && !await confirmAction(t("contact.block.sure"), t("contact.block"))) return;
    await this.#act(this.#contact.id, isBlocked ? "block" : "unblock");
  }

  /** Does what only owners do, and shows the contact as it is then. */
  async #act(id, action, body = undefined) {
    try {
      await api.post(`/api/businesses/${this.#contact.business}/contacts/${id}/${action}`, body);
    } catch (problem) {
      this.querySelector(".contact-actions").after(h("p", { class: "fd-error", role: "alert" }, refusal(problem)));
      return;
    }
    await this.#load(this.#asked);
  }

  #attributes() {
    this.more ??= h("attribute-box");
    this.more.mayChange = this.mayChange;
    this.more.subject = {
      of: "contact", title: t("attribute.contact"), business: this.#conversation.business, path: this.#path,
      values: this.#contact.attributes ?? {},
    };
    return this.more;
  }

  #edit(isEditing) {
    this.#isEditing = isEditing;
    this.#steady.drawNow(() => this.#parts());
    this.querySelector(isEditing ? "input" : ".contact-edit")?.focus();
  }

  #form() {
    const { name, externalId, notes } = this.#contact;
    const text = (value) => h("input", { class: "fd-input", maxlength: "200", autocomplete: "off", value: value ?? "" });
    const inputs = { name: text(name), externalId: text(externalId),
      notes: h("textarea", { class: "fd-input", rows: "4", maxlength: "16384" }, notes) };
    const form = savingForm({
      save: t("contact.save"),
      onSave: async () => {
        const filled = (input) => input.value.trim() || null;
        const saved = await api.patch(this.#path, {
          name: filled(inputs.name), externalId: filled(inputs.externalId), notes: inputs.notes.value,
        });
        const isReading = this.#read < this.#round;
        this.#round += 1;
        this.#contact = saved;
        this.#edit(false);
        // Whether what is being read is of before or after is not known.
        if (isReading) this.#load(this.#asked);
        else this.#read = this.#round;
      },
    }, field("contact-name", t("contact.name"), inputs.name),
    field("contact-external", t("contact.externalId"), inputs.externalId, t("contact.externalId.help")),
    field("contact-notes", t("contact.notes"), inputs.notes));
    const cancel = h("button", { type: "button", class: "fd-button" }, t("shared.cancel"));
    cancel.addEventListener("click", () => this.#edit(false));
    form.querySelector(".form-actions").prepend(cancel);
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.#edit(false);
    });
    return form;
  }
}

/** A refusal in sentences; of two merges at once it says who was first. */
function refusal(problem) {
  const merged = problem.code === "already_merged" && problem.body.current?.merged;
  return merged ? t("contact.alreadyMerged", { who: merged.by?.name ?? "" }) : sentence(problem);
}

customElements.define("contact-box", ContactBox);
