/** Saves what is written as a template of the business. */
import { ApiProblem, api } from "../lib/api.js";
import { whileBusy } from "../lib/busy.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { openPopup } from "../lib/popup.js";
import { refusalSentence } from "../lib/refusals.js";
import { showToast } from "../lib/toast.js";
import { textField, wordButton } from "./fields.js";
import { hasLibrary, storedFiles } from "./file-sources.js";
import { fixWords } from "./rule-words.js";
import { templateName, templatePayload } from "./template-parts.js";

/**
 * Asks for a title beside a button, and saves a template under it.
 * @param {HTMLElement} button
 * @param {{apiBase: string, business: any, conversation?: any, current: {kind: string, payload: any}}} composer what is written in it
 */
export function openTemplateSaving(button, { apiBase, business, conversation, current: { kind, payload } }) {
  if (!payload) return;
  const files = hasLibrary(business) && payload.attachments ? storedFiles(payload) ?? [] : [];
  const draft = { title: "" };
  const problem = h("p", { class: "cp-note", role: "alert" });
  const box = textField({
    label: t("composer.template.saveTitle"), draft, key: "title", maxLength: 200, hint: t("composer.template.saveHint"),
    changed: () => problem.replaceChildren(),
  });
  const save = () => whileBusy(confirm, async () => {
    const title = draft.title.trim();
    if (!title) {
      problem.replaceChildren(t("composer.template.saveNoTitle"));
      return box.control.focus();
    }
    try {
      // A template's files belong to the business: those of the draft are kept in its library.
      if (files.length) await (await import("./library.js")).keepAll({ apiBase, business }, files, conversation?.id);
      const known = await api.getAll(`${apiBase}/api/templates`, { query: { business: business.id } });
      await api.post(`${apiBase}/api/templates`, {
        business: business.id, name: templateName(title, kind, known.map(({ name }) => name)), title, description: "",
        parameters: [], payload: templatePayload(payload, { keepsFiles: files.length > 0 }),
      });
      popup.close();
      showToast(t("composer.template.saved", { title }));
    } catch (refusal) {
      if (!(refusal instanceof ApiProblem)) throw refusal;
      problem.replaceChildren(refusal.errors?.length ? refusal.errors.map((one) => fixWords(one)).join(" ") : refusalSentence(refusal));
      popup.settle();
    }
  });
  const confirm = wordButton(t("composer.template.save"), save, { className: "cp-primary" });
  const popup = openPopup(button, h("div", { class: "cp-saving" }, box, files.length ? h("p", { class: "cp-hint" }, t("composer.template.saveFiles")) : null, problem, confirm), {
    label: t("composer.template.saveAs"), className: "cp-popup", side: "above",
  });
  if (!popup) return;
  box.control.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    save();
  });
  box.control.focus();
}
