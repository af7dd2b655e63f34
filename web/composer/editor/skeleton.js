/** A start for a value from its schema: constants, and required members. Pure. */
import { makeUUID } from "../../lib/uuid.js";

/** Required members are filled in this deep. */
const depthLimit = 8;
/** So many items are begun at most where a list needs a least number. */
const leastItems = 5;

/**
 * @param {import("./schema-cache.js").SchemaCache} schemas
 * @param {import("./schema-walk.js").View[]} views of the place
 * @param {() => string} [freshID]
 * @returns {any} a JSON value; an empty text where the author has to write
 */
export function skeletonOf(schemas, views, freshID = makeUUID) {
  const shaped = [...new Set(views.filter(({ branch, schema }) => branch && schema.properties).map(({ branch }) => branch))];
  if (shaped.length > 1) return agreed(shaped.map((branch) => skeletonOf(schemas, views.filter((view) => [branch, ""].includes(view.branch)), freshID)));
  const first = views.find(({ branch }) => branch)?.branch;
  const meant = views.filter(({ branch }) => branch === "" || branch === first);
  return meant.length ? build(merge(meant, schemas, 0), schemas, freshID, 0) : "";
}

// Several kinds of message are possible: only members that all of them require are begun.
function agreed([first, ...others]) {
  const isSame = (name) => others.every((other) => JSON.stringify(other?.[name]) === JSON.stringify(first[name]));
  return Object.fromEntries(Object.entries(first).filter(([name]) => isSame(name)));
}

// Several schemas of one place as one: for each fact the first that has it counts.
function merge(placed, schemas, depth) {
  const merged = { required: new Set(), properties: new Map() };
  const take = ({ schema, base }, level) => {
    if (level > depthLimit || schema === null || typeof schema !== "object") return;
    for (const word of ["const", "default", "enum", "type", "minItems", "minimum", "exclusiveMinimum", "description", "x-rule"]) {
      if (!(word in merged) && word in schema) merged[word] = schema[word];
    }
    if (!merged.items && schema.items) merged.items = { schema: schema.items, base };
    // A schema's advice is under allOf; of alternatives the first is begun.
    for (const part of [schema, ...(schema.allOf ?? []), ...(schema.anyOf ?? []).slice(0, 1)]) {
      for (const name of part.required ?? []) merged.required.add(name);
    }
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      if (!merged.properties.has(name)) merged.properties.set(name, { schema: inner, base });
    }
    if (schema.$ref) {
      const found = schemas.find(schema.$ref, base);
      if (found) take(found, level + 1);
    }
  };
  for (const one of placed) take(one, depth);
  return merged;
}

function build(merged, schemas, freshID, depth) {
  if ("const" in merged) return merged.const;
  if ("default" in merged) return merged.default;
  if (merged.enum) return merged.enum.length === 1 ? merged.enum[0] : typeof merged.enum[0] === "string" ? "" : merged.enum[0];
  const type = [merged.type].flat()[0] ?? (merged.properties.size ? "object" : "string");
  const inner = (placed) => (depth < depthLimit ? build(merge([placed], schemas, 0), schemas, freshID, depth + 1) : "");
  switch (type) {
    case "object": {
      const names = [...merged.properties.keys()].filter((name) => merged.required.has(name));
      return Object.fromEntries(names.map((name) => [name, inner(merged.properties.get(name))]));
    }
    case "array": {
      const least = merged.items ? Math.min(merged.minItems ?? 0, leastItems) : 0;
      return Array.from({ length: least }, () => inner(merged.items));
    }
    case "boolean": return true;
    case "integer": case "number":
      return merged.minimum ?? (merged.exclusiveMinimum !== undefined ? merged.exclusiveMinimum + 1 : 0);
    case "null": return null;
    default:
      // A new UUID, not the id of an existing object.
      return /\bUUID\b/.test(merged.description ?? "") && typeof merged["x-rule"] !== "string" ? freshID() : "";
  }
}

/**
 * A skeleton as text that continues at an indent, with the place where typing continues.
 * @param {any} value
 * @param {string} indent of the line it begins in
 * @returns {{text: string, caret: number}}
 */
export function skeletonText(value, indent) {
  const text = JSON.stringify(value, null, 2).replaceAll("\n", `\n${indent}`);
  const gap = /(?<=[:[{]\s*|^)""|\[\]|\{\}/.exec(text);
  return { text, caret: gap ? gap.index + 1 : text.length };
}
