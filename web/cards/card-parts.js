/** The parts from which cards are built. */
import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { formatAt } from "../lib/time.js";

/**
 * The parts of an interactive card: `face` (the bubble), `details` (what opens), `hint` (what a tap
 * does), `mark` (that it was answered, and how).
 * @typedef {{label: string, kind: string, face: any, details: any, hint?: string,
 *   mark?: any}} CardParts
 */

/** Picture, title and subtitle of a bubble; `standIn` is drawn where there is no picture. */
export function faceView(face, standIn, title, subtitle = face.subtitle) {
  const source = face.picture?.source;
  const image = source
    && h("img", { src: source, alt: face.picture.description, decoding: "async" });
  return h("div", { class: `face is-${source ? face.style : "icon"}` },
    h("span", { class: "face-picture" }, image || standIn),
    h("span", { class: "face-words", dir: "auto" },
      h("strong", null, title), subtitle && h("small", null, subtitle)));
}

/** A drawing in place of a picture. */
export function tile(name) {
  return h("span", { class: "tile" }, icon(name, 22));
}

/** Month and day of a slot, in place of a picture. */
export function dateTile(start, offset) {
  if (!start) return tile("calendar");
  return h("span", { class: "tile is-date" },
    h("b", null, formatAt(start, { month: "short" }, offset)),
    h("i", null, formatAt(start, { day: "numeric" }, offset).replace(/\D+$/, "")));
}

/** The mark of a card that was answered with these titles. */
export function answerMark(titles) {
  return h("div", { class: "mark" }, icon("check", 16), h("span", null,
    titles.length > 0 ? t("card.chosen", { title: titles.join(", ") }) : t("card.selected")));
}

/** The mark of a card that was answered. */
export function doneMark() {
  return h("div", { class: "mark" }, icon("check", 16), h("span", null, t("card.appAnswered")));
}
