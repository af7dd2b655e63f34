/** The completions at the caret: names of members, values from the schema. Pure. */
import { caretIn } from "./caret.js";
import { choicesOf, factsOf, membersOf } from "./schema-facts.js";
import { viewsAt } from "./schema-walk.js";
import { skeletonOf, skeletonText } from "./skeleton.js";
import { readTree } from "./text-tree.js";

/**
 * @typedef {{label: string, isRequired: boolean, facts: import("./schema-facts.js").Facts,
 *   insert: string, caret: number, goesOn: boolean}} Candidate
 * `caret` is the place within `insert` after the insertion; `goesOn` means that the next list opens there.
 * `at` is where the replaced text begins on screen; `isQuoted` means that a quote is open there.
 * @typedef {{start: number, end: number, at: number, role: "key"|"value", isQuoted: boolean,
 *   candidates: Candidate[]}} Completion
 */

/**
 * @param {{schemas: import("./schema-cache.js").SchemaCache, root: string, text: string, offset: number,
 *   known?: Record<string, any>}} place `known` holds values by pointer, such as the envelope's
 * @returns {Completion|null} null where nothing can be written
 */
export function completionAt({ schemas, root, text, offset, known = {} }) {
  const tree = readTree(text);
  const caret = caretIn(text, tree, offset);
  if (!caret) return null;
  const views = viewsAt(schemas, root, tree.root, caret.path, caret.node);
  const around = surroundings(text, tree.tokens, caret);
  const candidates = caret.role === "key"
    ? keyCandidates({ schemas, root, tree, caret, views, around, known })
    : valueCandidates({ schemas, caret, views, around });
  const wanted = caret.typed.toLowerCase();
  const fits = candidates.filter(({ label }) => label.toLowerCase().includes(wanted));
  const begins = ({ label }) => Number(!label.toLowerCase().startsWith(wanted));
  fits.sort((one, other) => begins(one) - begins(other) || Number(other.isRequired) - Number(one.isRequired));
  return {
    start: around.start, end: around.end, at: caret.start, role: caret.role, isQuoted: caret.isQuoted, candidates: fits,
  };
}

/** The commas and the indent that inserted text needs. */
function surroundings(text, tokens, caret) {
  const before = tokens.findLast(({ end }) => end <= caret.start);
  const after = tokens.find(({ start }) => start >= caret.end);
  const lineStart = text.lastIndexOf("\n", caret.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, caret.start))[0];
  const needsLead = before !== undefined && !"{[,:".includes(before.sign);
  const wantsTail = after !== undefined && !"}],:".includes(after.sign);
  return {
    indent, after,
    start: needsLead ? before.end : caret.start, end: caret.end,
    lead: needsLead ? `,${text.slice(before.end, caret.start)}` : "", tail: wantsTail ? "," : "",
  };
}

function keyCandidates({ schemas, root, tree, caret, views, around, known }) {
  const object = caret.chain.at(-1);
  const written = new Set((object?.members ?? [])
    .filter(({ keyStart }) => keyStart !== caret.start).map(({ name }) => name));
  const hasColon = around.after?.sign === ":";
  return membersOf(views).filter(({ name }) => !written.has(name)).map(({ name, isRequired }) => {
    const path = [...caret.path, name];
    // Without the member half-typed, so that nothing is concluded from it.
    const inner = viewsAt(schemas, root, tree.root, path, object);
    const facts = factsOf(inner);
    const head = `${around.lead}${JSON.stringify(name)}`;
    if (hasColon) return { label: name, isRequired, facts, insert: head, caret: head.length, goesOn: false };
    const isOpen = facts.choices.length > 1 && facts.choices.every((choice) => typeof choice === "string");
    const value = known[`/${path.join("/")}`] ?? (isOpen ? "" : skeletonOf(schemas, inner));
    const { text, caret: at } = skeletonText(value, around.indent);
    return {
      label: name, isRequired, facts, insert: `${head}: ${text}${around.tail}`, caret: head.length + 2 + at,
      goesOn: value === "" && isOpen,
    };
  });
}

function valueCandidates({ schemas, caret, views, around }) {
  const made = new Map();
  const add = (label, value, facts) => {
    if (made.has(label)) return;
    const { text, caret: at } = skeletonText(value, around.indent);
    const isWhole = typeof value !== "object" || value === null;
    const insert = `${around.lead}${text}${around.tail}`;
    made.set(label, {
      label, isRequired: false, facts, insert,
      caret: around.lead.length + (isWhole ? text.length : at), goesOn: false,
    });
  };
  const facts = factsOf(views);
  for (const { schema } of views) {
    for (const choice of choicesOf(schema)) {
      if (caret.isQuoted && typeof choice !== "string") continue;
      add(typeof choice === "string" ? choice : JSON.stringify(choice), choice, { ...facts, choices: [] });
    }
  }
  if (caret.isQuoted || caret.node) return [...made.values()];
  const shapes = shapesOf(views);
  for (const group of shapes) {
    const groupFacts = factsOf(group);
    add(groupFacts.title || (groupFacts.types.includes("array") ? "[ ]" : "{ }"), skeletonOf(schemas, group), groupFacts);
  }
  if (made.size === 0 && facts.types.includes("string")) add('""', "", facts);
  return [...made.values()];
}

/** The views of each alternative that is an object or an array, with what holds in any case. */
function shapesOf(views) {
  const isShape = ({ schema }) => schema.properties || ["object", "array"].includes(schema.type);
  const common = views.filter(({ branch }) => branch === "");
  const branches = [...new Set(views.filter((view) => view.branch && isShape(view)).map(({ branch }) => branch))];
  if (branches.length) return branches.map((branch) => [...views.filter((view) => view.branch === branch), ...common]);
  return common.some(isShape) ? [common] : [];
}
