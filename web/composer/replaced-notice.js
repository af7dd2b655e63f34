/** Shows that the content of a form was replaced, and restores it. */
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { wordButton } from "./fields.js";

export class ReplacedNotice {
  /** Part of the composer; a screen reader announces its content. */
  element = h("div", { class: "cp-replaced", role: "status" });

  /**
   * Puts another draft into a form; the earlier one is kept until the next typing.
   * @param {import("./kind-form.js").KindForm} form
   * @param {any} draft null for a blank one
   */
  put(form, draft) {
    const before = form.isWritten ? form.draft : null;
    form.setDraft(draft);
    if (!before) return this.hide();
    this.element.replaceChildren(h("span", { class: "cp-grow" }, t("composer.replaced")),
      wordButton(t("composer.replaced.back"), () => {
        this.hide();
        form.setDraft(before);
        form.querySelector("input, textarea, select")?.focus();
      }));
  }

  /** Ends the offer. */
  hide() {
    this.element.replaceChildren();
  }
}
