/** A request to talk that a business makes, and its acceptance. */
import { t } from "../../lib/i18n.js";
import { doneMark, faceView, tile } from "../card-parts.js";
import { pictureSource, readFace, record, words } from "../card-model.js";

export default { kind: "invitation", features: ["notification"], card, answer };

/** An invitation's brand and logo, or the answer to one. @param {unknown} payload */
export function readInvitation(payload) {
  const data = record(record(record(payload).interactiveData).data);
  const notification = record(data.notification);
  const { brandName, brandLogo } = record(notification.parameters);
  const content = record(record(notification.displayContent).determinateResponse);
  return {
    brand: words(brandName), logo: pictureSource(brandLogo),
    reference: words(notification.referenceId) || words(data.referenceId),
    answer: words(content.title) || words(notification.id),
  };
}

function card(payload, reply) {
  const { brand, logo } = readInvitation(payload);
  const title = brand || t("card.invitation");
  const picture = logo ? { identifier: "", source: logo, description: "" } : null;
  return {
    kind: "invitation", label: title,
    face: faceView({ style: "icon", picture }, tile("bell"), title, t("card.invitationAsks")),
    hint: "", details: null, mark: reply && doneMark(),
  };
}

function answer(payload) {
  const face = readFace(payload, "replyMessage");
  const { answer: words } = readInvitation(payload);
  return {
    kind: "invitation", label: t("card.invitation"),
    face: faceView(face, tile("check"), words || t("card.invitation"), t("card.invitation")),
    details: null,
  };
}
