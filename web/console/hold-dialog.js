import { api } from "../lib/api.js";
import { adopt, h, replace, sheet } from "../lib/dom.js";
import { focusAgain, rememberPlace } from "../lib/focus-return.js";
import { registerStrings, t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";
import { formatFarMoment } from "../lib/time.js";
import { showToast } from "../lib/toast.js";
import { confirmAction, field, lead, savingForm } from "./panel-parts.js";

await registerStrings({ en: () => import("../i18n/en/holds.js"), ja: () => import("../i18n/ja/holds.js") });

adopt(sheet(".hold-dialog > p + p { margin-top: 10px; }"));

/**
 * @typedef {{reason: string, author: {name: string|null}, placedAt: string, conversation?: string}} Hold
 * @typedef {{business: Hold|null, conversation: Hold|null}} Holds
 */

/** What a hold says of itself. @param {Hold} hold @param {"since"|"wholeSince"} key */
export function holdWords(hold, key) {
  return t(`holds.${key}`, { time: formatFarMoment(new Date(hold.placedAt)), author: hold.author.name || t("holds.former"), reason: hold.reason });
}

/**
 * Asks for the reason of a legal hold, and places it; of one that is there the reason can be changed, or it is released.
 * @param {{path: string, kind: "conversation"|"person"|"business", notice?: string, holds?: Holds}} what `path` of the route; `notice`: why it opens by itself; `holds` as they are, else they are read
 * @returns {Promise<boolean>} whether something was changed
 */
export async function openHold({ path, kind, notice = "", holds }) {
  const opener = /** @type {HTMLElement|null} */ (document.activeElement);
  if (opener) rememberPlace(opener);
  let found = holds;
  try {
    found ??= await api.get(path);
  } catch (problem) {
    showToast(refusalSentence(problem));
    return false;
  }
  return new Promise((resolve) => new HoldDialog({ path, kind, notice, holds: found, opener, resolve }).open());
}

class HoldDialog {
  #isChanged = false;

  constructor({ path, kind, notice, holds, opener, resolve }) {
    this.path = path;
    this.opener = opener;
    this.resolve = resolve;
    const own = kind === "business" ? holds.business : holds.conversation;
    const whole = kind === "business" ? null : holds.business;
    this.dialog = h("dialog", { class: "dialog hold-dialog", "aria-label": t("holds.title") },
      h("h2", null, t("holds.title")), notice ? h("p", { role: "alert" }, notice) : null,
      lead(t(`holds.lead.${kind}`), "operations#legal-hold", t("holds.docs")),
      whole ? h("p", null, holdWords(whole, "wholeSince")) : null, own ? h("p", null, holdWords(own, "since")) : null,
      this.#form(own));
    this.dialog.addEventListener("close", () => this.#closed());
  }

  #form(own) {
    const reason = h("textarea", { class: "fd-input", name: "reason", rows: 2, maxlength: 500, required: true, autofocus: true });
    reason.value = own?.reason ?? "";
    const form = savingForm({ save: t(own ? "holds.save" : "holds.place"), keepsWritten: true, onSave: async () => {
      await api.put(this.path, { reason: reason.value.trim() });
      this.#done(t("holds.placed"));
    } }, field("hold-reason", t("holds.reason"), reason, t("holds.reasonHelp")));
    const actions = form.querySelector(".form-actions");
    replace(actions, h("button", { class: "fd-button", type: "button", onClick: () => this.dialog.close() }, t("shared.cancel")),
      own ? h("button", { class: "fd-button is-danger", type: "button", onClick: () => this.#release() }, t("holds.release")) : null, ...actions.children);
    return form;
  }

  async #release() {
    if (!await confirmAction(t("holds.sure"), t("holds.release"))) return;
    try {
      await api.delete(this.path);
      this.#done(t("holds.released"));
    } catch (problem) {
      // The console says what waits for another owner.
      if (problem.code === "approval_needed") return this.dialog.close();
      showToast(refusalSentence(problem));
    }
  }

  #done(words) {
    this.#isChanged = true;
    this.dialog.close();
    showToast(words);
  }

  open() {
    document.body.append(this.dialog);
    this.dialog.showModal();
  }

  #closed() {
    this.dialog.remove();
    if (this.opener && !this.opener.isConnected) focusAgain(this.opener);
    this.resolve(this.#isChanged);
  }
}
