/** Texts, and what there is nothing to draw of but a title. */
import { t } from "../../lib/i18n.js";
import { doneMark, faceView, tile } from "../card-parts.js";
import { readFace, record, words } from "../card-model.js";
import { textView } from "../text-view.js";

export const text = {
  kind: "text", features: [],
  bubble: ({ payload, attachments, missing, attachmentUrl, openAttachment }) =>
    textView({ payload, attachments, missing, attachmentUrl, open: openAttachment }),
};

/** An interactive payload that travels beside the message. */
export const reference = {
  kind: "reference", features: [], card: plainCard("reference", "link"),
};

/** A payload of no known kind. */
export const unknown = { kind: "unknown", features: [], card: plainCard("unknown", "alert") };

function plainCard(kind, drawing) {
  return (payload, reply) => {
    const face = readFace(payload);
    const reference = record(record(payload).interactiveDataRef);
    const title = face.title || words(reference.title) || t(`card.${kind}`);
    return {
      kind, label: title,
      face: faceView(face, tile(drawing), title, face.title ? t(`card.${kind}`) : ""),
      hint: "", details: null, mark: reply && doneMark(),
    };
  };
}
