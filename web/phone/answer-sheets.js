import { readFace } from "../cards/card-model.js";
import { readList } from "../cards/kinds/list.js";
import { readEvent } from "../cards/kinds/time.js";
import { listView } from "../cards/list-view.js";
import { timeView } from "../cards/time-view.js";
import { h } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { t } from "../lib/i18n.js";
import { serverNow } from "../lib/server-clock.js";
import { formatMoment, readTime } from "../lib/time.js";
import { makeUUID } from "../lib/uuid.js";
import { openSheet } from "./bottom-sheet.js";

/**
 * @typedef {(id: string, choice: Record<string, any>, words: string) => void} Answer sends once;
 *   the id is the sheet's, so that a second tap is the same answer
 */

/**
 * The rows of a list picker, to choose from.
 * @param {any} message
 * @param {Set<string>} before
 * @param {Answer} answer
 */
export function openListSheet(message, before, answer) {
  const model = readList(message.payload);
  const offered = new Map(model.sections.flatMap((section) =>
    section.items.map((item) => [item.identifier, item])));
  const chosen = new Set([...before].filter((identifier) => offered.has(identifier)));
  const confirm = confirmButton((id) => {
    const identifiers = [...offered.keys()].filter((identifier) => chosen.has(identifier));
    answer(id, { list: { identifiers } },
      identifiers.map((identifier) => offered.get(identifier).title).join(", "));
    sheet.close();
  });
  const refresh = () => confirm.set(
    chosen.size > 0, chosen.size === 0 ? t("phone.sheet.pickFirst")
      : t("phone.sheet.confirmCount", { count: chosen.size }));
  const choose = (identifier, isOn, section) => {
    if (!section.isMultiple) for (const item of section.items) chosen.delete(item.identifier);
    if (isOn) chosen.add(identifier);
    else chosen.delete(identifier);
    refresh();
  };
  refresh();
  const sheet = openSheet({
    title: readFace(message.payload).title || t("phone.sheet.list"), footer: confirm.node,
    content: [
      lead(readFace(message.payload)), listView(model, { chosen, choose, name: message.id }),
    ],
  });
}

/**
 * The slots of a time picker, to choose from.
 * @param {any} message
 * @param {Set<string>} before
 * @param {string} name
 * @param {Answer} answer
 */
export function openTimeSheet(message, before, name, answer) {
  const model = readEvent(message.payload, readTime);
  let chosen = model.slots.find((slot) =>
    before.has(slot.identifier) && slot.start && slot.start > serverNow()) ?? null;
  const words = () => formatMoment(chosen.start, model.offset);
  const confirm = confirmButton((id) => {
    answer(id, { time: { identifier: chosen.identifier } }, words());
    sheet.close();
  });
  const refresh = () => confirm.set(chosen !== null, chosen === null
    ? t("phone.sheet.pickTime") : t("phone.sheet.confirmTime", { time: words() }));
  refresh();
  const isOver = !model.slots.some((slot) => slot.start && slot.start > serverNow());
  const sheet = openSheet({
    title: model.title || readFace(message.payload).title || t("phone.sheet.time"),
    footer: isOver ? null : confirm.node,
    content: [
      lead(readFace(message.payload), model.picture),
      isOver && h("p", { class: "sheet-note" }, t("phone.sheet.noFutureTimes", { name })),
      timeView({ ...model, slots: isOver ? [] : model.slots }, {
        chosen: new Set(chosen ? [chosen.identifier] : []), name: message.id,
        choose: (identifier) => {
          chosen = model.slots.find((slot) => slot.identifier === identifier);
          refresh();
        },
      }),
    ],
  });
}

/**
 * One item to pick of a few; the one that was tapped in the card is chosen already.
 * @param {string} kind
 * @param {{question: string, items: {identifier: string, title: string}[]}} model
 * @param {{message: any, identifier?: string, answer: Answer}} asked
 */
export function openPickSheet(kind, model, { message, identifier: tapped, answer }) {
  let chosen = model.items.find((item) => item.identifier === tapped) ?? null;
  const confirm = confirmButton((id) => {
    answer(id, { [kind]: { identifier: chosen.identifier } }, chosen.title);
    sheet.close();
  });
  const refresh = () => confirm.set(
    chosen !== null, chosen === null ? t("phone.sheet.pickFirst") : t("phone.sheet.confirm"));
  refresh();
  const section = {
    title: model.question || t(`phone.sheet.${kind}`), isMultiple: false,
    items: model.items.map((item) => ({ ...item, subtitle: "", style: "", picture: null })),
  };
  const sheet = openSheet({
    title: t(`phone.sheet.${kind}`), footer: confirm.node,
    content: listView({ sections: [section], count: section.items.length }, {
      chosen: new Set(chosen ? [chosen.identifier] : []), name: message.id,
      choose: (identifier, isOn) => {
        chosen = isOn ? model.items.find((item) => item.identifier === identifier) : null;
        refresh();
      },
    }),
  });
}

/**
 * The one button that sends. It works once: the id is made with it, and it goes out with the tap.
 * @param {(id: string) => void} send
 */
export function confirmButton(send) {
  const id = makeUUID();
  let isSent = false;
  // Both stay while the words change: a press on what is replaced before its release would be lost.
  const tick = icon("check", 18);
  const text = h("span");
  const node = h("button", {
    class: "fd-button is-primary is-wide is-confirm", type: "button", onClick: () => {
      if (isSent) return;
      isSent = true;
      node.disabled = true;
      send(id);
    },
  }, tick, text);
  return {
    node,
    /** The answer did not pass the sheet's own check: it may be sent again. */
    again() {
      isSent = false;
    },
    /** @param {boolean} isReady @param {string} label */
    set(isReady, label) {
      node.disabled = isSent || !isReady;
      tick.toggleAttribute("hidden", !isReady);
      text.textContent = label;
    },
  };
}

/** The head of a sheet: the business's text, with its picture. */
function lead(face, picture = null) {
  const shown = picture ?? (face.style === "large" ? face.picture : null);
  if (!face.subtitle && !shown?.source) return null;
  return h("div", { class: "sheet-lead" },
    shown?.source && h("img", { src: shown.source, alt: shown.description }),
    face.subtitle && h("p", null, face.subtitle));
}
