import { byteOffset, unitOffsets } from "../composer/editor/offsets.js";
import { language } from "../lib/i18n.js";
import { findLists, listOf, POSITION, repetitions } from "./template-lists.js";

/** The names among them whose value the server does not have for every customer. */
export const UNCERTAIN = new Set(["customer.name", "customer.locale"]);
/** The parameters that the server fills in. */
export const SERVER_FILLED = new Set(["customer.name", "customer.locale", "business.name", "agent.name"]);
const GAP = /"\{\{\s*([A-Za-z][\w.-]{0,63})\s*\|\s*(number)\s*\}\}"|\{\{\s*([A-Za-z][\w.-]{0,63})\s*(?:\|\s*(utc|date)\s*)?\}\}/g;

/**
 * A name for programs, of what people call it, that is not used yet.
 * @param {string} label
 * @param {string[]} used
 * @param {string} [without] its beginning where the label has no letter of a name
 */
export function valueName(label, used, without = "value") {
  const plain = label.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^[_0-9]+|_+$/g, "").slice(0, 37);
  const stem = plain || without;
  for (let number = plain ? 1 : used.length + 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}${number}`;
    if (!used.includes(name)) return name;
  }
}

/**
 * The parameters in a template's text, in the order they appear, each once; without its lists and their items' values.
 * @param {string} text
 * @returns {string[]}
 */
export function findParameters(text) {
  const names = allNames(text);
  const lists = findLists(text, names);
  return [...names].filter((name) => !SERVER_FILLED.has(name) && !lists.has(name) && !listOf(name, lists.keys()));
}

/**
 * The lists in a template's text, each with the names of its items' values.
 * @param {string} text
 */
export function findParameterLists(text) {
  return findLists(text, allNames(text));
}

function allNames(text) {
  return new Set([...gaps(text)].map(({ name }) => name));
}

/**
 * Where the parameters of a text are, in UTF-16 units.
 * @param {string} text
 * @returns {{start: number, end: number}[]}
 */
export function placesOfParameters(text) {
  return [...gaps(text)].map(({ start, end }) => ({ start, end }));
}

/**
 * The names among them that the server fills in where it knows their values.
 * @param {string} text
 * @returns {string[]}
 */
export function findAutomatic(text) {
  const names = new Set();
  for (const { name } of gaps(text)) if (SERVER_FILLED.has(name)) names.add(name);
  return [...names];
}

/**
 * The names of a template whose values the server lacks where no person gives them: as an automatic answer it would be refused.
 * @param {{payload: any, parameters: {name: string, required?: boolean, default?: any}[]}} template
 * @returns {string[]}
 */
export function withoutValue({ payload, parameters }) {
  const declared = new Set(parameters.map(({ name }) => name));
  const asked = parameters.filter((one) => one.required !== false && (one.default ?? null) === null).map(({ name }) => name);
  const filled = findAutomatic(JSON.stringify(payload)).filter((name) => !declared.has(name));
  return [...asked, ...filled].filter((name) => name !== "business.name");
}

/** How many items a list has in a preview. */
const SAMPLE_ITEMS = 3;

/**
 * The payload with something plausible in each place, to draw it, a repeated element as often as a list of a few items has it;
 * null while it is not JSON.
 * @param {string} text
 * @param {Map<string, Known>} types
 * @typedef {{default?: string|number, choices?: string[], type?: string, label?: string, place?: number}} Known `place`: of the item, from 1 on
 */
export function fillPreview(text, types) {
  try {
    return JSON.parse(fillTemplate(withSampleItems(text, types), types).text);
  } catch {
    return null;  // Safe: half-typed; the editor shows it.
  }
}

/** The text with each repeated element written for a few items, filled. */
function withSampleItems(text, types) {
  let whole = "";
  let copied = 0;
  for (const { name, opening, closing } of repetitions(text)) {
    // One within another is refused.
    if (opening.start < copied) continue;
    const element = text.slice(opening.end, closing.start);
    const names = [...allNames(element)].filter((one) => one.startsWith(`${name}.`));
    const items = Array.from({ length: SAMPLE_ITEMS }, (_, index) => {
      const known = names.map((one) => /** @type {const} */ ([one, { ...types.get(one), place: index + 1 }]));
      return fillTemplate(element, new Map([...types, ...known, [`${name}.${POSITION}`, { default: index + 1 }]])).text;
    });
    whole += text.slice(copied, opening.start) + items.join(",");
    copied = closing.end;
  }
  return whole + text.slice(copied);
}

/**
 * The text with its gaps filled, and where each was; `isOpen` where a gap has no value yet.
 * @param {string} text
 * @param {Map<string, Known>} types
 */
export function fillTemplate(text, types) {
  let filled = "";
  let copied = 0;
  const places = [];
  for (const { start, end, value, isOpen, isEdge = false } of replacements(text, types)) {
    filled += text.slice(copied, start);
    places.push({ start, end, filledStart: filled.length, filledEnd: filled.length + value.length, isOpen, isEdge });
    filled += value;
    copied = end;
  }
  return { text: filled + text.slice(copied), places };
}

/** What the filled text has in place of each gap, in the order of the text; a repeated element stands there once. */
function replacements(text, types) {
  const repeated = repetitions(text);
  const edges = repeated.flatMap(({ opening, closing }) => [opening, closing].map((edge) => ({ ...edge, value: "", isOpen: false, isEdge: true })));
  const isKey = ({ start }) => repeated.some(({ opening }) => opening.start < start && start < opening.end);
  const lists = repeated.map(({ name }) => name);
  const filled = [...gaps(text)].filter((gap) => !isKey(gap)).map((gap) => ({ ...gap, ...sampleOf(gap, types, lists) }));
  return [...edges, ...filled].sort((one, other) => one.start - other.start);
}

/** A place of an item is a number that is known. */
function sampleOf(gap, types, lists) {
  const isPosition = gap.name.endsWith(`.${POSITION}`) && listOf(gap.name, lists);
  return sample(gap, isPosition ? { default: 1 } : types.get(gap.name));
}

/**
 * Findings of the filled text, moved to the template's own. A text with an open placeholder is validated when
 * it is filled: findings here would be about the sample.
 * @param {string} text the template's
 * @param {ReturnType<typeof fillTemplate>} filled
 * @param {object[]} findings
 */
export function findingsOfTemplate(text, filled, findings) {
  const placed = findings.filter(({ start, end }) => Number.isInteger(start) && Number.isInteger(end));
  const units = unitOffsets(filled.text, placed.flatMap(({ start, end }) => [start, end]));
  const spans = new Map(placed.map((finding, index) => [finding, [units[2 * index], units[2 * index + 1]]]));
  return findings.flatMap((finding) => {
    const { line, column, ...rest } = finding;
    if (Number.isInteger(finding.offset)) return [{ ...rest, offset: before(filled.places, finding.offset) }];
    if (!spans.has(finding)) return [finding];
    const [first, last] = spans.get(finding);
    const touched = filled.places.filter((place) => place.filledStart < last && place.filledEnd > first);
    const isOneValue = /^["\d-]/.test(filled.text.slice(first, last));
    if (isOneValue && touched.some(({ isOpen }) => isOpen)) return [];
    // How many a list makes of it is known when it is sent.
    if (finding.rule === "too-few" && touched.some(({ isEdge }) => isEdge)) return [];
    const start = byteOffset(text, before(filled.places, first));
    const end = byteOffset(text, behind(filled.places, last));
    // An edit is made for the filled text: where it meets a placeholder, the template would lose it.
    return [{ ...rest, start, end, edits: touched.length ? [] : movedEdits(text, filled, finding.edits) }];
  });
}

function movedEdits(text, filled, edits = []) {
  const units = unitOffsets(filled.text, edits.flatMap(({ start, end }) => [start, end]));
  return edits.map((edit, index) => ({
    ...edit, start: byteOffset(text, before(filled.places, units[2 * index])),
    end: byteOffset(text, behind(filled.places, units[2 * index + 1])),
  }));
}

/** The offset in the template for one in the filled text; within a gap, the gap's beginning or end. */
function before(places, offset) {
  return moved(places, offset, (place) => place.start);
}
function behind(places, offset) {
  return moved(places, offset, (place) => place.end);
}

function moved(places, offset, within) {
  let shift = 0;
  for (const place of places) {
    if (offset <= place.filledStart) break;
    if (offset < place.filledEnd) return within(place);
    shift = place.end - place.filledEnd;
  }
  return offset + shift;
}

function* gaps(text) {
  for (const match of text.matchAll(GAP)) {
    const [whole, number, , name, form] = match;
    yield {
      name: number ?? name, form: number ? "number" : form ?? "text", start: match.index, end: match.index + whole.length,
    };
  }
}

/** A day as the reader's language writes it; for each customer the server writes it in theirs. @param {unknown} given */
function writtenDay(given) {
  const day = typeof given === "string" && given ? given : "2030-12-01";
  const moment = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(moment.getTime())) return null;
  return new Intl.DateTimeFormat(language(), { dateStyle: "long", timeZone: "UTC" }).format(moment);
}

function sample({ name, form }, known) {
  const place = known?.place ?? 1;
  const given = known?.default ?? known?.choices?.[(place - 1) % known.choices.length];
  const isOpen = (given === undefined || given === "") && !SERVER_FILLED.has(name);
  if (form === "number") return { value: String(Number.isFinite(Number(given ?? 1)) ? Number(given ?? 1) : 1), isOpen };
  if (form === "utc") return { value: `2030-01-01T${String(8 + place).padStart(2, "0")}:00+0000`, isOpen };
  if (form === "date") return { value: writtenDay(given) ?? `‹${name}›`, isOpen };
  return { value: JSON.stringify(isOpen ? `‹${known?.place ? `${known.label ?? name} ${place}` : name}›` : String(given ?? `‹${name}›`)).slice(1, -1), isOpen };
}
