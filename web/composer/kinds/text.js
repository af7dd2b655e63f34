/** A text with attachments. */
import { attachmentSign, envelope } from "../payloads.js";

export default {
  kind: "text", tag: "text-form",
  drawing: "M3 5.5A1.5 1.5 0 0 1 4.5 4h11A1.5 1.5 0 0 1 17 5.5v7a1.5 1.5 0 0 1-1.5 1.5H9l-4 3v-3h-.5A1.5 1.5 0 0 1 3 12.5z",
};

/**
 * Text with attachments: one U+FFFC for each, before or after the text.
 * @param {{body: string, attachments: object[], attachmentsFirst: boolean}} draft
 * @param {Envelope} context
 */
export function textPayload(draft, context) {
  const signs = attachmentSign.repeat(draft.attachments.length);
  const body = draft.attachmentsFirst ? signs + draft.body : draft.body + signs;
  return {
    ...envelope("text", context),
    body,
    ...(draft.attachments.length ? { attachments: draft.attachments } : {}),
  };
}
