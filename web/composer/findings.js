/** Findings of the server and of the reader, with their place in the text. */
import { t } from "../lib/i18n.js";
import { byteOffset } from "./editor/offsets.js";
import { lineAndColumn, placeOf, readJSON, unitOffset } from "./json-tokens.js";

/** Findings beyond this many are counted, not drawn. */
export const findingLimit = 100;

/**
 * The span of a finding in UTF-16 units of the text.
 * @param {string} text
 * @param {import("../lib/api.js").Finding & {offset?: number}} finding
 * @returns {{start: number, end: number}}
 */
export function placeOfFinding(text, finding, places = null) {
  if (Number.isInteger(finding.offset)) {
    return { start: finding.offset, end: Math.min(text.length, finding.offset + 1) };
  }
  if (Number.isInteger(finding.start) && Number.isInteger(finding.end)) {
    const start = unitOffset(text, finding.start);
    return { start, end: Math.max(start + 1, unitOffset(text, finding.end)) };
  }
  const place = placeOf(places ?? readJSON(text).places, finding.pointer ?? "");
  return place ? { start: place.keyStart, end: place.end } : { start: 0, end: 1 };
}

/**
 * An error that the page's own parser found, in the shape of a finding.
 * @param {{code: string, offset: number, line: number, column: number}} error
 * @param {string} text
 */
export function syntaxFinding(error, text) {
  const { code, offset, line, column } = error;
  return {
    rule: "malformed-json", code, severity: "error", pointer: "", line, column, offset,
    fix: t(`composer.syntax.${code}`), docs: "/docs/rules/malformed-json", edits: syntaxEdits(code, offset, text),
  };
}

/** Where only one thing can be meant, the edit that does it, in bytes as the server counts. */
function syntaxEdits(code, offset, text) {
  const edit = (from, to, replacement) =>
    [{ start: byteOffset(text, from), end: byteOffset(text, to), replacement }];
  if (code === "byte_order_mark") return edit(0, 1, "");
  if (code === "trailing_comma") {
    const comma = text.lastIndexOf(",", offset);
    return edit(comma, comma + 1, "");
  }
  return [];
}

/** Findings of a refusal: its own list, or one made of the refusal itself. */
export function findingsOfProblem(problem, text) {
  if (problem.errors?.length) return problem.errors;
  const line = problem.line ?? 1;
  const column = problem.column ?? 1;
  return [{
    rule: problem.code, severity: "error", pointer: "", line, column, offset: offsetOf(text, line, column),
    fix: problem.detail || problem.title || problem.message, docs: problem.body?.type ?? null,
  }];
}

/** Line and column of a finding, as stated or as found. */
export function lineOfFinding(text, finding) {
  if (finding.line && finding.column) return { line: finding.line, column: finding.column };
  return lineAndColumn(text, placeOfFinding(text, finding).start);
}

const offsetOf = (text, line, column) => {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const next = text.indexOf("\n", start);
    if (next === -1) break;
    start = next + 1;
  }
  return Math.min(text.length, start + column - 1);
};
