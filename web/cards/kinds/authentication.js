/** A request to sign in and how it ended. */
import { t } from "../../lib/i18n.js";
import { faceView, tile } from "../card-parts.js";
import { readFace } from "../card-model.js";
import { signInMark } from "../sign-in-view.js";

export default {
  kind: "authentication", features: ["authenticate"], answeredBy: "sheet", card, answer,
};

function card(payload, reply) {
  const face = readFace(payload);
  const title = face.title || t("card.authentication");
  return {
    kind: "authentication", label: title,
    face: faceView(
      face, tile("key"), title, face.subtitle || (face.title ? t("card.authentication") : "")),
    hint: t("card.signIn"), details: null, mark: reply && signInMark(reply),
  };
}

function answer(payload) {
  return {
    kind: "authentication", label: t("card.authentication"), face: signInMark(payload),
    details: null,
  };
}
