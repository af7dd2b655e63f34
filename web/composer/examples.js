/** One example of every kind, for Raw JSON. Kinds with a form use the form's own example. */
import { ownBundle, payloadText } from "./payloads.js";
import { t } from "../lib/i18n.js";

const around = (context, data, cards = {}) => ({
  v: 1, id: context.id, type: "interactive", sourceId: context.business, destinationId: context.customer,
  interactiveData: {
    bid: ownBundle, data: { version: "1.0", requestIdentifier: context.requestID, ...data }, ...cards,
  },
});

const questionnaire = (context) => around(context, {
  dynamic: {
    version: "1.2", template: "messageForms",
    data: {
      startPageIdentifier: "size", showSummary: true,
      pages: [
        {
          pageIdentifier: "size", type: "select", title: "Size", subtitle: "Which size do you wear?",
          multipleSelection: false, nextPageIdentifier: "note",
          items: ["S", "M", "L"].map((size) => ({ title: size, value: size, identifier: `size-${size}` })),
        },
        {
          pageIdentifier: "note", type: "input", title: "Note", subtitle: "Anything else?", submitForm: true,
          options: { required: false, inputType: "multiline", maximumCharacterCount: 300 },
        },
      ],
    },
  },
}, {
  receivedMessage: { title: "A few questions", style: "icon" }, replyMessage: { title: "Answers", style: "icon" },
});

/** The page of this server that stands in for the business's own; the customer's browser ends there. */
const landing = ({ business }) => {
  const origin = globalThis.location?.origin ?? "https://shop.example";
  return `${origin}/b/${encodeURIComponent(business)}/signed-in`;
};

const signIn = (context) => around(context, {
  version: "2.0",
  authenticate: {
    oauth2: {
      responseType: "code", scope: ["email"], state: context.requestID,
      redirectURI: landing(context),
    },
  },
}, {
  receivedMessage: { title: "Sign in to see your order", style: "icon" },
  replyMessage: { title: "Signed in", style: "icon" },
});

/** Kinds that only Raw JSON has, by the name of their label. */
export const rawOnlyExamples = { form: questionnaire, authentication: signIn };

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
