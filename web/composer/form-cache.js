/** Keeps one form for each kind, and the draft of each conversation. */
import { exampleKinds, kinds } from "./kinds.js";

/** Drafts of this many conversations are kept while the page is open. */
const keptConversations = 100;

export class FormCache {
  /** @type {Map<string, import("./kind-form.js").KindForm>} */
  #forms = new Map();
  /** @type {Map<string, [string, any, import("./message-ids.js").MessageIDs][]>} */
  #drafts = new Map();
  /** The forms whose messages are on their way, by draft: they come back with it. */
  #busy = new WeakMap();

  /** @param {(form: import("./kind-form.js").KindForm) => import("./kind-form.js").FormContext} makeContext */
  constructor(makeContext) {
    this.makeContext = makeContext;
  }

  find(kind) {
    return this.#forms.get(kind);
  }

  /** The kinds that have a form, the one opened last first. */
  get kinds() {
    return [...this.#forms.keys()].reverse();
  }

  /** The form of a kind, as the one opened last. */
  open(kind) {
    const form = this.require(kind);
    this.#forms.delete(kind);
    this.#forms.set(kind, form);
    return form;
  }

  /** The form of a kind, created at its first use. */
  require(kind, draft = null, ids = null) {
    const known = this.#forms.get(kind);
    if (known) return known;
    const form = /** @type {import("./kind-form.js").KindForm} */ (
      (draft && this.#busy.get(draft)) ?? document.createElement(kinds.find((it) => it.kind === kind).tag));
    form.context = this.makeContext(form);
    if (ids) form.ids = ids;
    if (kind === "raw") form.kinds = exampleKinds;
    // It may be asked what is written before it is on the page.
    form.draft = draft ?? form.blankDraft();
    this.#forms.set(kind, form);
    return form;
  }

  /** The message of a form is on its way. @param {import("./kind-form.js").KindForm} form */
  keep(form) {
    this.#busy.set(form.draft, form);
  }

  /** Passes the present customer, business and API path to every form. */
  refresh() {
    for (const form of this.#forms.values()) form.context = this.makeContext(form);
  }

  /** Creates new forms around the same drafts, as after a change of language. */
  rebuild() {
    this.#busy = new WeakMap();
    const drafts = this.#removeForms();
    for (const [kind, draft, ids] of drafts) this.require(kind, draft, ids);
  }

  /** Stores the drafts of one conversation and restores those of another. */
  turnTo(before, after) {
    const drafts = this.#removeForms();
    if (before) {
      this.#drafts.delete(before.id);
      this.#drafts.set(before.id, drafts);
      if (this.#drafts.size > keptConversations) this.#drafts.delete(this.#drafts.keys().next().value);
    }
    for (const [kind, draft, ids] of this.#drafts.get(after?.id) ?? []) this.require(kind, draft, ids);
  }

  /** Forgets a draft whose message was accepted after another conversation had been opened. */
  dropDraft(conversationID, form) {
    const kept = this.#drafts.get(conversationID);
    if (kept) this.#drafts.set(conversationID, kept.filter(([, draft]) => draft !== form.draft));
  }

  #removeForms() {
    const drafts = [...this.#forms].map(([kind, form]) => /** @type {[string, any, any]} */ ([kind, form.draft, form.ids]));
    this.#forms.clear();
    return drafts;
  }
}
