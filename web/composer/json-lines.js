/** Draws JSON text as coloured, numbered lines; long strings are folded for the eye, never in a copy. */
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { readJSON, readLoosely } from "./json-tokens.js";

/** A string longer than this is shown by its beginning and its end. */
const foldedLength = 400;
const shownHead = 120;
const shownTail = 40;

/** Text above this length is shown without colours, in UTF-16 units. */
export const colourLimit = 300_000;

/**
 * Splits the text into lines of pieces.
 * @param {string} text
 * @returns {{text: string, kind: string, start: number}[][]}
 */
export function piecesByLine(text) {
  const lines = [[]];
  const add = (piece, kind, start) => {
    let at = start;
    piece.split("\n").forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part) lines.at(-1).push({ text: part, kind, start: at });
      at += part.length + 1;
    });
  };
  if (text.length > colourLimit) {
    add(text, "plain", 0);
    return lines;
  }
  let at = 0;
  const { tokens, error } = readJSON(text);
  const read = tokens.at(-1)?.end ?? 0;
  for (const token of error ? [...tokens, ...readLoosely(text, read)] : tokens) {
    if (token.start > at) add(text.slice(at, token.start), "plain", at);
    add(text.slice(token.start, token.end), token.kind, token.start);
    at = token.end;
  }
  add(text.slice(at), "plain", at);
  return lines;
}

/** The character that represents an attachment has no glyph; it gets one, and is not replaced. */
const withSigns = (text) => text.split(/(\uFFFC)/).map((part) =>
  part === "\uFFFC" ? h("span", { class: "js-sign", title: t("composer.json.sign") }, part) : part);

/**
 * One line as nodes.
 * @param {{text: string, kind: string, start: number}[]} pieces
 */
export function lineNodes(pieces) {
  return pieces.map(({ text, kind }) => {
    const span = h("span", { class: `js-${kind}` });
    if (kind !== "string" || text.length <= foldedLength) {
      span.append(...withSigns(text));
      return span;
    }
    const more = h("button", {
      type: "button", class: "js-more", title: t("composer.json.unfold"),
      onclick: () => span.replaceChildren(text),
    }, t("composer.json.more", { count: (text.length - shownHead - shownTail).toLocaleString() }));
    span.append(text.slice(0, shownHead), more, text.slice(-shownTail));
    return span;
  });
}
