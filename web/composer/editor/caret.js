/** Where the caret is in half-typed JSON: in which object, at a name or at a value. Pure. */

/**
 * @typedef {import("./text-tree.js").TextNode} TextNode
 * @typedef {{role: "key"|"value", path: (string|number)[], chain: TextNode[], start: number,
 *   end: number, typed: string, node: TextNode|null, isQuoted: boolean}} Caret
 * `path` leads to the object whose name is written, or to the value; `chain` holds the nodes on the
 * path, the innermost last; `start` to `end` is what a completion replaces; `typed` what stands
 * before the caret within it.
 */

/**
 * @param {string} text
 * @param {{root: TextNode|null}} tree of the same text
 * @param {number} offset
 * @returns {Caret|null} null where neither a name nor a value is allowed
 */
export function caretIn(text, { root }, offset) {
  if (!root || offset < root.start) {
    return text.slice(0, offset).trim() === "" && !root ? slot("value", [], [], offset) : null;
  }
  return inValue(text, root, offset, [], []);
}

/**
 * The path of the value or name at an offset, for help about it.
 * @param {{root: TextNode|null}} tree
 * @param {number} offset
 * @returns {{path: (string|number)[], start: number, end: number}|null}
 */
export function pathAt({ root }, offset) {
  let node = root;
  const path = [];
  while (node && node.start <= offset && offset <= node.end) {
    const inside = offset > node.start && offset < node.end;
    if (node.kind === "object") {
      const member = node.members.find((one) => one.keyStart <= offset && offset <= endOf(one));
      if (!member || !inside) return { path, start: node.start, end: Math.min(node.end, node.start + 1) };
      path.push(member.name);
      if (offset <= member.keyEnd) return { path, start: member.keyStart, end: member.keyEnd };
      if (!member.value || offset < member.value.start) return { path, start: member.keyStart, end: member.keyEnd };
      node = member.value;
    } else if (node.kind === "array") {
      const index = node.items.findIndex((item) => item.start <= offset && offset <= item.end);
      if (index < 0 || !inside) return { path, start: node.start, end: node.start + 1 };
      path.push(index);
      node = node.items[index];
    } else return { path, start: node.start, end: node.end };
  }
  return null;
}

const endOf = (member) => member.value?.end ?? member.colonEnd ?? member.keyEnd;

const slot = (role, path, chain, offset) => ({
  role, path, chain, start: offset, end: offset, typed: "", node: null, isQuoted: false,
});

/** Whether an offset is between the quotes of a string. */
const isBetween = ({ start, end, isClosed }, offset) => offset > start && (isClosed ? offset < end : offset <= end);

/** Whether an offset belongs to a value; right behind a closing sign it does not. */
const isWithin = ({ kind, start, end, isClosed }, offset) => offset > start
  && (isClosed && kind !== "number" && kind !== "literal" ? offset < end : offset <= end);

const inString = (role, text, { start, end, isClosed }, offset, more) => ({
  role, ...more, start, end: isClosed ? end : offset, typed: text.slice(start + 1, offset), isQuoted: true,
});

function inValue(text, node, offset, path, chain) {
  if (node.kind === "string") {
    return isBetween(node, offset) ? inString("value", text, node, offset, { path, chain, node }) : null;
  }
  if (node.kind === "number" || node.kind === "literal") {
    return offset > node.start && offset <= node.end
      ? { role: "value", path, chain, start: node.start, end: node.end, typed: text.slice(node.start, offset), node, isQuoted: false }
      : null;
  }
  if (offset <= node.start || (node.isClosed ? offset >= node.end : offset > node.end)) return null;
  return node.kind === "object" ? inObject(text, node, offset, path, [...chain, node])
    : inArray(text, node, offset, path, [...chain, node]);
}

function inObject(text, node, offset, path, chain) {
  for (const [index, member] of node.members.entries()) {
    const { keyStart, keyEnd, isClosed, colonEnd, value } = member;
    const key = { start: keyStart, end: keyEnd, isClosed };
    if (isBetween(key, offset)) return inString("key", text, key, offset, { path, chain, node: null });
    if (offset <= keyStart) break;
    if (colonEnd === null) continue;
    if (offset >= keyEnd && offset < colonEnd) return null;
    const inner = [...path, member.name];
    const before = node.members[index + 1]?.keyStart ?? node.end;
    if (value && isWithin(value, offset)) return inValue(text, value, offset, inner, chain);
    if (value && offset <= value.start) return null;
    if (!value && offset <= before && !text.slice(colonEnd, offset).includes(",")) return slot("value", inner, chain, offset);
  }
  return slot("key", path, chain, offset);
}

function inArray(text, node, offset, path, chain) {
  let index = 0;
  for (const item of node.items) {
    if (offset <= item.start) break;
    if (isWithin(item, offset)) return inValue(text, item, offset, [...path, index], chain);
    index += 1;
  }
  return slot("value", [...path, index], chain, offset);
}
