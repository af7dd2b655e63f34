/** One example of every kind with a form, for Raw JSON. */
import { loadForm } from "./forms.js";
import { t } from "../lib/i18n.js";

/**
 * The menu's entries.
 * @param {{kind: string}[]} kinds the composer's kinds with a form
 */
export function exampleChoices(kinds) {
  return kinds.map(({ kind }) => [kind, t(`composer.kind.${kind}`)]);
}

/**
 * The text of a form's own example.
 * @param {{kind: string, tag: string}} entry
 * @param {import("./kind-form.js").FormContext} context
 */
export async function exampleText({ kind, tag }, context) {
  await loadForm(kind);
  const form = /** @type {import("./kind-form.js").KindForm} */ (document.createElement(tag));
  form.context = context;
  form.draft = form.blankDraft();
  form.draft = form.example() ?? { ...form.draft, body: t("composer.example.text") };
  await form.prepare();
  return form.text();
}
