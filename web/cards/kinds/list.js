/** Rows in sections, one or several to choose. */
import { t } from "../../lib/i18n.js";
import { answerMark, faceView, tile } from "../card-parts.js";
import { inOrder, list, readFace, readPictures, record, words } from "../card-model.js";
import { listView } from "../list-view.js";

export default {
  kind: "list", features: ["listPicker"], answeredBy: "sheet", card, answer, chosen,
};

/**
 * The list picker: sections and rows in their `order`; those of an answer unsorted, because
 * its two sections mix rows that were ordered apart.
 * @param {unknown} payload
 * @param {boolean} [isAnswer]
 */
export function readList(payload, isAnswer = false) {
  const picker = record(record(record(record(payload).interactiveData).data).listPicker);
  const pictures = readPictures(payload);
  const sorted = isAnswer ? (rows) => rows.map(record) : inOrder;
  const sections = inOrder(list(picker.sections)).map((section, index) => ({
    key: `section-${index}`,
    title: words(section.title) || (index === 0 ? words(picker.title) : ""),
    isMultiple: (section.multipleSelection ?? picker.multipleSelection) === true,
    items: sorted(list(section.items)).map((item) => ({
      identifier: words(item.identifier), title: words(item.title),
      subtitle: words(item.subtitle), style: words(item.style),
      picture: pictures.get(words(item.imageIdentifier)) ?? null,
    })),
  }));
  return { sections, count: sections.reduce((sum, section) => sum + section.items.length, 0) };
}

// Protocol 2.4: the first section of an answer has the selected items.
function chosen(reply) {
  const data = record(record(record(reply).interactiveData).data);
  const [first] = inOrder(list(record(data.listPicker).sections));
  return list(record(first).items).map((item) => words(record(item).identifier));
}

function card(payload, reply) {
  const model = readList(payload);
  const face = readFace(payload);
  const picked = new Set(chosen(reply));
  return {
    kind: "list", label: face.title || t("card.list"),
    face: faceView(face, tile("list"), face.title || t("card.list")),
    hint: t("card.options", { count: model.count }),
    details: listView(model, { chosen: picked }),
    mark: reply && answerMark(titlesOf(model, picked)),
  };
}

function answer(payload) {
  const face = readFace(payload, "replyMessage");
  const picked = new Set(chosen(payload));
  const model = readList(payload, true);
  const title = face.title || titlesOf(model, picked).join(", ");
  return {
    kind: "list", label: title, face: faceView(face, tile("check"), title, face.subtitle),
    hint: picked.size ? t("card.chosenCount", { count: picked.size }) : t("card.options", { count: model.count }),
    details: listView(model, { chosen: picked }),
  };
}

function titlesOf(model, picked) {
  return model.sections.flatMap((section) => section.items)
    .filter((item) => picked.has(item.identifier)).map((item) => item.title);
}
