import { iconButton, textField, wordButton } from "../composer/fields.js";
import { hasLibrary, openFileSources, storedFiles } from "../composer/file-sources.js";
import { icon } from "../composer/icons.js";
import { KindForm } from "../composer/kind-form.js";
import { textPayload } from "../composer/kinds/text.js";
import { attachmentSign } from "../composer/payloads.js";
import { formatBytes } from "../composer/sizes.js";
import { upload } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { refusalSentence } from "../lib/refusals.js";

/** The most files that one message may have. */
const MOST_FILES = 10;

/**
 * The draft of a text with its files; null where files are elsewhere, or lie within the words.
 * @param {any} payload
 */
export function templateTextDraft(payload) {
  if (payload?.type !== "text" || typeof payload.body !== "string") return null;
  const files = storedFiles(payload);
  const signs = attachmentSign.repeat(files?.length ?? 0);
  const body = payload.body.replaceAll(attachmentSign, "");
  if (!files || ![signs + body, body + signs].includes(payload.body)) return null;
  return { body, files, areFilesLast: files.length > 0 && !payload.body.startsWith(signs) };
}

/** The text of a template: a field, and files that are uploaded once for every message that is made of it. */
export class TemplateText extends KindForm {
  #problem = h("p", { class: "cp-note", role: "alert" });

  blankDraft() {
    return { body: "", files: [], areFilesLast: false };
  }

  draw() {
    return [textField({
      label: t("composer.text.label"), draft: this.draft, key: "body", rows: 5, changed: () => this.changed(), pointer: () => "/body",
    }), this.#files(), this.#problem];
  }

  #files() {
    const { files } = this.draft;
    const input = h("input", { type: "file", class: "fd-hidden-text", tabindex: "-1", "aria-hidden": "true", multiple: true, onChange: () => {
      this.#upload([...input.files]);
      input.value = "";
    } });
    const attach = wordButton(t("composer.text.attach"), () => openFileSources(attach, this.context, () => input.click(), (more) => this.#add(more)),
      { iconName: "attach", className: "cp-quiet" });
    if (hasLibrary(this.context.business)) attach.setAttribute("aria-haspopup", "menu");
    return h("div", { class: "template-files" },
      h("ul", { class: "cp-tray", hidden: files.length === 0 }, files.map((file) => h("li", { class: "cp-chip" }, icon("file"),
        h("span", { class: "cp-chip-words" }, h("span", { class: "cp-chip-name" }, file.name), h("span", { class: "cp-chip-size" }, formatBytes(file.size))),
        iconButton("close", t("composer.text.remove", { name: file.name }), () => {
          files.splice(files.indexOf(file), 1);
          this.reshape(".template-files .cp-button");
        }, "cp-small")))), input, attach);
  }

  async #upload(chosen) {
    const { business, apiBase } = this.context;
    const refused = [];
    for (const file of chosen) {
      try {
        if (file.size === 0) throw { detail: t("composer.text.empty") };
        this.#add([await upload(`${apiBase}/api/attachments`, file, { query: { business: business.id, name: file.name } })]);
      } catch (problem) {
        refused.push(t("composer.text.notUploaded", { name: file.name, reason: refusalSentence(problem) }));
      }
    }
    if (refused.length) this.#problem.replaceChildren(refused.join(" "));
  }

  #add(more) {
    const { files } = this.draft;
    const fresh = more.filter(({ id }) => !files.some((one) => one.id === id));
    files.push(...fresh.slice(0, Math.max(0, MOST_FILES - files.length)));
    this.#problem.replaceChildren(files.length < MOST_FILES || !fresh.length ? "" : t("composer.text.tooMany", { count: MOST_FILES }));
    this.reshape(".template-files .cp-button");
  }

  payload() {
    const { body, files, areFilesLast } = this.draft;
    return textPayload({ body, attachments: files.map(({ attachment }) => attachment), attachmentsFirst: !areFilesLast }, this.context.envelope());
  }

  isBlank() {
    return !this.draft.body.trim() && !this.draft.files.length;
  }
}
customElements.define("template-text", TemplateText);
