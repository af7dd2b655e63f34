import { textField } from "../composer/fields.js";
import { KindForm } from "../composer/kind-form.js";
import { textPayload } from "../composer/kinds/text.js";
import { t } from "../lib/i18n.js";

/** The text of a template: a field alone, without the sending and the files of the composer's. */
export class TemplateText extends KindForm {
  blankDraft() {
    return { body: "" };
  }

  draw() {
    return [textField({
      label: t("composer.text.label"), draft: this.draft, key: "body", rows: 5, changed: () => this.changed(), pointer: () => "/body",
    })];
  }

  payload() {
    return textPayload({ body: this.draft.body, attachments: [], attachmentsFirst: true }, this.context.envelope());
  }

  isBlank() {
    return !this.draft.body.trim();
  }
}
customElements.define("template-text", TemplateText);
