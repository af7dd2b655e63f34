/** Pages of questions and their answers. */
import { t } from "../../lib/i18n.js";
import { doneMark, faceView, tile } from "../card-parts.js";
import { readFace } from "../card-model.js";
import { answersView, countOfPages, questionsView } from "../form-view.js";

export default { kind: "form", features: ["dynamic"], answeredBy: "sheet", card, answer };

function card(payload, reply) {
  const face = readFace(payload);
  return {
    kind: "form", label: face.title || t("card.form"),
    face: faceView(face, tile("form"), face.title || t("card.form")),
    hint: t("card.formQuestions", { count: countOfPages(payload) }),
    details: questionsView(payload), mark: reply && doneMark(),
  };
}

function answer(payload, perspective) {
  const face = readFace(payload, "replyMessage");
  const details = answersView(payload, perspective);
  return {
    kind: "form", label: face.title || t("card.form"),
    face: faceView(face, tile("form"), face.title || t("card.form")),
    hint: details ? t("card.formAnswers") : t("card.formPrivate"), details,
  };
}
