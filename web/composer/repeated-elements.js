/**
 * Elements of a card that a template repeats for the items of a list. A form has such an element like any other: its draft
 * has `list`, and a slot has stand-ins for what only the items have. Pure.
 *
 *     payload: { "{{times}}": { identifier, startTime: "{{times.start|utc}}", duration: "{{times.seconds|number}}" } }
 *     draft:   { list: "times", start: "times.start", length: "times.seconds", identifier, date, time, minutes }
 */
import { startTime, wallClock } from "./zones.js";

const KEY = /^\{\{\s*([A-Za-z]\w*(?:\.[A-Za-z]\w*)*)\s*\}\}$/;
const MOMENT = /^\{\{\s*([\w.]+)\s*\|\s*utc\s*\}\}$/;
const NUMBER = /^\{\{\s*([\w.]+)\s*\|\s*number\s*\}\}$/;

/** When a slot begins that is repeated: behind all others, for a form sorts them. */
const STAND_IN = Date.UTC(2999, 11, 31, 12);
/** How long it is where its items say it, in seconds. */
const STAND_IN_SECONDS = 1800;

/** The kinds whose forms repeat elements. */
export const repeatingKinds = ["quickReply", "list", "time"];

/** The parts of a slot that is repeated, before anything is chosen. @param {string} zone */
export const standInSlot = (zone) => ({ ...wallClock(STAND_IN, zone), minutes: STAND_IN_SECONDS / 60, length: "" });

/**
 * An identifier for each item of a list, different from those of all other elements.
 * @param {string} identifier that no other element has
 * @param {string} list
 */
export const identifierOfItems = (identifier, list) => `${identifier}-{{${list}.position}}`;

/** What such an identifier begins with, whatever its list; another identifier as it is. @param {string} identifier */
export const stemOfItems = (identifier) => identifier?.replace(/-\{\{[\w.]+\.position\}\}$/, "");

/**
 * A card without repetitions, and what was repeated, by the identifier of the element; null for what no form has.
 * @param {any} payload
 * @returns {{payload: any, repeated: Map<string, {list: string, start?: string, length?: string}>}|null}
 */
export function readRepeated(payload) {
  const plain = structuredClone(payload);
  const repeated = new Map();
  const names = [];
  for (const elements of arraysOf(plain)) {
    for (const [index, one] of elements.entries()) {
      const { list, element } = repetitionOf(one);
      names.push(element?.identifier);
      if (!list) continue;
      if (typeof element !== "object" || element === null) return null;
      const about = { list };
      if ("startTime" in element) {
        about.start = MOMENT.exec(element.startTime)?.[1];
        about.length = NUMBER.exec(element.duration)?.[1] ?? "";
        if (!about.start) return null;
        element.startTime = startTime(STAND_IN);
        if (about.length) element.duration = STAND_IN_SECONDS;
      }
      elements[index] = element;
      repeated.set(element.identifier, about);
    }
  }
  return repeated.size && new Set(names).size < names.length ? null : { payload: plain, repeated };
}

/** Marks the elements of a draft that are repeated. @param {any} draft @param {Map<string, object>} repeated */
export function markRepeated(draft, repeated) {
  if (!repeated.size) return draft;
  for (const one of elementsOf(draft)) Object.assign(one, repeated.get(one.identifier));
  return draft;
}

/**
 * The payload that a form made of its draft, with the elements repeated that are so in the draft.
 * @param {any} payload
 * @param {any} draft
 */
export function writeRepeated(payload, draft) {
  const repeated = new Map(elementsOf(draft).filter(({ list }) => list).map((one) => [one.identifier, one]));
  if (!repeated.size) return payload;
  const made = structuredClone(payload);
  for (const elements of arraysOf(made)) {
    if (!elements.some(({ identifier }) => repeated.has(identifier))) continue;
    for (const [index, element] of elements.entries()) {
      // How many elements are before it is not known yet: the order is that of the array.
      delete element.order;
      const about = repeated.get(element.identifier);
      if (!about) continue;
      if ("startTime" in element) element.startTime = `{{${about.start}|utc}}`;
      if (about.length) element.duration = `{{${about.length}|number}}`;
      elements[index] = { [`{{${about.list}}}`]: element };
    }
  }
  return made;
}

/** The arrays of a card whose elements a form can repeat. */
function arraysOf(payload) {
  const data = payload?.interactiveData?.data;
  const sections = Array.isArray(data?.listPicker?.sections) ? data.listPicker.sections : [];
  return [data?.event?.timeslots, data?.["quick-reply"]?.items, ...sections.map((one) => one?.items)].filter(Array.isArray);
}

/** The elements of a draft of a kind that repeats them. */
function elementsOf({ slots = [], items = [], sections = [] }) {
  return [...slots, ...items, ...sections.flatMap((one) => one.items ?? [])];
}

function repetitionOf(one) {
  const keys = one && typeof one === "object" ? Object.keys(one) : [];
  const list = keys.length === 1 ? KEY.exec(keys[0])?.[1] : undefined;
  return list ? { list, element: one[keys[0]] } : { element: one };
}
