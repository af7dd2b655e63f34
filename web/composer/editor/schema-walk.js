/** Which parts of a schema apply to one place of a half-typed text. Pure. */

/**
 * `branch` names the alternative of a view; "" for facts that apply in any case.
 * @typedef {import("./text-tree.js").TextNode} TextNode
 * @typedef {import("./schema-cache.js").SchemaCache} SchemaCache
 * @typedef {{schema: any, base: string, branch: string}} View
 */

/** References are followed this deep. */
const depthLimit = 40;

/**
 * The views of the place that a path leads to.
 * @param {SchemaCache} schemas
 * @param {string} root the schema of the whole text
 * @param {TextNode|null} node the whole text
 * @param {(string|number)[]} path
 * @param {TextNode|null} [edited] the value being typed; nothing is concluded from it
 * @returns {View[]}
 */
export function viewsAt(schemas, root, node, path, edited = null) {
  const found = schemas.find(root);
  if (!found) return [];
  const reader = new Reader(schemas, edited);
  let views = reader.expand({ ...found, branch: "" }, node);
  let here = node;
  for (const step of path) {
    const inner = childOf(here, step);
    views = views.flatMap((view) => childViews(view, step)).flatMap((view) => reader.expand(view, inner));
    here = inner;
  }
  return views;
}

/** The member's or item's node, where it is written already. */
export function childOf(node, step) {
  if (typeof step === "number") return node?.items?.[step] ?? null;
  return node?.members?.findLast((member) => member.name === step)?.value ?? null;
}

function childViews({ schema, base, branch }, step) {
  const placed = (inner) => (inner !== null && typeof inner === "object" ? [{ schema: inner, base, branch }] : []);
  if (typeof step === "number") {
    if (schema.prefixItems?.[step]) return placed(schema.prefixItems[step]);
    return placed(schema.items);
  }
  const stated = own(schema.properties, step);
  const patterned = Object.entries(schema.patternProperties ?? {})
    .filter(([pattern]) => matches(pattern, step)).flatMap(([, inner]) => placed(inner));
  if (stated !== undefined || patterned.length) return [...placed(stated), ...patterned];
  return placed(schema.additionalProperties);
}

const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);

const matches = (pattern, text) => {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return false;  // Safe: a pattern this browser does not know decides nothing.
  }
};

/** Resolves the parts of schemas that apply to one text. */
class Reader {
  #made = 0;

  constructor(schemas, edited) {
    this.schemas = schemas;
    this.edited = edited;
  }

  /** The view itself, then its references and the branches that may apply. */
  expand(view, node, depth = 0) {
    const { schema, base, branch } = view;
    if (depth > depthLimit || schema === null || typeof schema !== "object") return [];
    const into = (inner, name = branch) => this.expand({ schema: inner, base, branch: name }, node, depth + 1);
    const views = [view];
    if (schema.$ref) {
      const found = this.schemas.find(schema.$ref, base);
      if (found) views.push(...this.expand({ ...found, branch }, node, depth + 1));
    }
    const conditions = [];
    for (const part of schema.allOf ?? []) {
      if (part.if) conditions.push(part);
      views.push(...into(part));
    }
    if (schema.if && depth === 0) conditions.push(schema);
    views.push(...this.#conditional(conditions, base, branch, node, depth));
    for (const choices of [schema.anyOf, schema.oneOf]) {
      if (!choices) continue;
      const open = choices.filter((choice) => !this.contradicts(choice, base, node));
      const names = this.#names(open.length ? open : choices, branch);
      (open.length ? open : choices).forEach((choice, index) => views.push(...into(choice, names[index])));
    }
    return views;
  }

  /** `then` of the conditions that apply; where none does, of those that may come to apply. */
  #conditional(conditions, base, branch, node, depth) {
    const verdicts = conditions.map((part) => this.holds(part.if, base, node));
    const parts = conditions.flatMap((part, index) => (verdicts[index] === false ? part.else ?? [] : []));
    const sure = conditions.filter((part, index) => verdicts[index] === true && part.then);
    let maybe = [];
    if (sure.length === 0) {
      const open = conditions.filter((part, index) => verdicts[index] === null && part.then);
      maybe = open.filter((part) => !this.contradicts(part.then, base, node));
      if (maybe.length === 0) maybe = open;
    }
    const names = this.#names(maybe, branch);
    return [
      ...[...parts, ...sure.map((part) => part.then)].flatMap((inner) => this.expand({ schema: inner, base, branch }, node, depth + 1)),
      ...maybe.flatMap((part, index) => this.expand({ schema: part.then, base, branch: names[index] }, node, depth + 1)),
    ];
  }

  #names(choices, branch) {
    return choices.length > 1 ? choices.map(() => `${branch}/${(this.#made += 1)}`) : [branch];
  }

  /** Whether a text fulfils a condition; null while more typing may still decide it. */
  holds(schema, base, node) {
    if (typeof schema === "boolean") return schema;
    if (!node || node === this.edited) return null;
    const verdicts = [];
    const isScalar = !["object", "array"].includes(node.kind);
    if ("const" in schema) verdicts.push(isScalar && node.value === schema.const);
    if (schema.enum) verdicts.push(isScalar && schema.enum.includes(node.value));
    if (schema.type) verdicts.push([schema.type].flat().some((type) => hasType(node, type)));
    if (node.kind === "object") {
      const names = new Set(node.members.map((member) => member.name));
      for (const name of schema.required ?? []) verdicts.push(names.has(name) ? true : null);
      for (const [name, inner] of Object.entries(schema.properties ?? {})) {
        if (names.has(name)) verdicts.push(this.holds(inner, base, childOf(node, name)));
      }
    }
    for (const inner of schema.allOf ?? []) verdicts.push(this.holds(inner, base, node));
    if (schema.anyOf) verdicts.push(anyOf(schema.anyOf.map((inner) => this.holds(inner, base, node))));
    if (schema.not) verdicts.push(negated(this.holds(schema.not, base, node)));
    if (schema.$ref) {
      const found = this.schemas.find(schema.$ref, base);
      verdicts.push(found ? this.holds(found.schema, found.base, node) : null);
    }
    return verdicts.includes(false) ? false : verdicts.includes(null) ? null : true;
  }

  /** Whether the written value already contradicts a schema: another constant, another kind of value. */
  contradicts(schema, base, node, depth = 0) {
    if (!node || node === this.edited || depth > depthLimit || schema === null || typeof schema !== "object") return false;
    const isScalar = !["object", "array"].includes(node.kind);
    if ("const" in schema && isScalar && node.value !== schema.const) return true;
    if (schema.enum && isScalar && !schema.enum.includes(node.value)) return true;
    if (schema.type && ![schema.type].flat().some((type) => hasType(node, type))) return true;
    if (node.kind === "object") {
      for (const [name, inner] of Object.entries(schema.properties ?? {})) {
        const value = childOf(node, name);
        if (value && this.contradicts(inner, base, value, depth + 1)) return true;
      }
      if (schema.maxProperties < node.members.length) return true;
    }
    if (schema.$ref) {
      const found = this.schemas.find(schema.$ref, base);
      if (found && this.contradicts(found.schema, found.base, node, depth + 1)) return true;
    }
    return (schema.allOf ?? []).some((inner) => !inner.if && this.contradicts(inner, base, node, depth + 1));
  }
}

const anyOf = (verdicts) => (verdicts.includes(true) ? true : verdicts.includes(null) ? null : false);
const negated = (verdict) => (verdict === null ? null : !verdict);

function hasType(node, type) {
  switch (type) {
    case "object": case "array": case "string": return node.kind === type;
    case "number": return node.kind === "number";
    case "integer": return node.kind === "number" && Number.isInteger(node.value);
    case "boolean": return node.kind === "literal" && typeof node.value !== "object";
    case "null": return node.kind === "literal" && node.value === null;
    default: return true;
  }
}
