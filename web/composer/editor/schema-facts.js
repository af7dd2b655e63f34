/** The combined facts of all views of one place: kinds of value, choices, limits, words. Pure. */

/**
 * @typedef {{types: string[], choices: any[], description: string, title: string,
 *   limits: [string, Record<string, any>][], form: string}} Facts
 * `limits` are keys of texts with their numbers.
 */

const bounds = {
  minLength: "minLength", maxLength: "maxLength", minimum: "minimum", maximum: "maximum",
  exclusiveMinimum: "exclusiveMinimum", exclusiveMaximum: "exclusiveMaximum", multipleOf: "multipleOf",
  minItems: "minItems", maxItems: "maxItems", minProperties: "minProperties", maxProperties: "maxProperties",
};

/**
 * @param {import("./schema-walk.js").View[]} views
 * @returns {Facts}
 */
export function factsOf(views) {
  const types = new Set();
  const choices = new Map();
  const limits = new Map();
  let description = "";
  let title = "";
  let form = "";
  for (const { schema } of views) {
    for (const type of typesOf(schema)) types.add(type);
    for (const choice of choicesOf(schema)) choices.set(JSON.stringify(choice), choice);
    for (const [word, key] of Object.entries(bounds)) {
      if (typeof schema[word] === "number" && !limits.has(key)) limits.set(key, schema[word]);
    }
    if (schema.uniqueItems) limits.set("uniqueItems", "");
    description ||= schema.description ?? "";
    title ||= schema.title ?? "";
    form ||= schema["x-form"] ?? (schema["x-form"] === undefined && schema.format ? schema.format : "");
  }
  return {
    types: [...types], choices: [...choices.values()], description, title, form,
    limits: [...limits].map(([key, count]) => /** @type {[string, Record<string, any>]} */ ([key, { count }])),
  };
}

/** The values a schema names itself. */
export function choicesOf(schema) {
  if ("const" in schema) return [schema.const];
  if (schema.enum) return schema.enum;
  if (schema.type === "boolean") return [true, false];
  if ([schema.type].flat().includes("boolean")) return [true, false];
  return [];
}

function typesOf(schema) {
  if (schema.type) return [schema.type].flat();
  const named = "const" in schema ? [schema.const] : schema.enum ?? [];
  return named.map((value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value));
}

/**
 * The members an object may have, by the views of that object.
 * @param {import("./schema-walk.js").View[]} views
 * @returns {{name: string, isRequired: boolean}[]} in the order the schemas state
 */
export function membersOf(views) {
  const alternatives = new Set(views.filter(({ schema, branch }) => branch && schema.properties).map(({ branch }) => branch));
  const members = new Map();
  for (const { schema } of views) {
    for (const name of Object.keys(schema.properties ?? {})) {
      if (!members.has(name)) members.set(name, { name, isRequired: false, by: new Set() });
    }
  }
  for (const { schema, branch } of views) {
    for (const name of schema.required ?? []) {
      const member = members.get(name);
      if (!member) continue;
      if (branch === "") member.isRequired = true;
      else if (alternatives.has(branch)) member.by.add(branch);
    }
  }
  return [...members.values()].map(({ name, isRequired, by }) => ({
    name, isRequired: isRequired || (alternatives.size > 0 && by.size === alternatives.size),
  }));
}
