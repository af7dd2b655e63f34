/** One example of every kind, for Raw JSON. Kinds with a form use the form's own example. */
import { payloadText } from "./payloads.js";
import { kindsWithoutForm } from "./kinds.js";
import { t } from "../lib/i18n.js";

/** The examples of kinds that are written as JSON only, by the name of their label. */
export const rawOnlyExamples = Object.fromEntries(
  kindsWithoutForm.map(({ kind, example }) => [kind, example]));

/**
 * The menu's entries.
 * @param {{kind: string}[]} kinds the composer's kinds with a form
 */
export function exampleChoices(kinds) {
  const names = [...kinds.map((entry) => entry.kind), ...Object.keys(rawOnlyExamples)];
  return names.map((kind) => [kind, t(`composer.kind.${kind}`)]);
}

/**
 * The text of an example.
 * @param {string} kind
 * @param {import("./kind-form.js").FormContext} context
 * @param {string|undefined} tag of the kind's form
 */
export async function exampleText(kind, context, tag) {
  const raw = rawOnlyExamples[kind];
  if (raw) return payloadText(raw(context.envelope()));
  const form = /** @type {import("./kind-form.js").KindForm} */ (document.createElement(tag));
  form.context = context;
  form.draft = form.blankDraft();
  form.draft = form.example() ?? { ...form.draft, body: t("composer.example.text") };
  await form.prepare();
  return form.text();
}
